import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

@MainActor
struct SnippetFieldsTests {
  /// What one change of a row is called, and the field that tells of it.
  struct Change: Sendable, CustomTestStringConvertible {
    let property: String
    let field: SnippetField
    let row: SnippetRow

    var testDescription: String { property }
  }

  private nonisolated static let plain = row()

  private nonisolated static let changes = [
    Change(property: "kind", field: .kind, row: row(kind: .voice)),
    Change(property: "title", field: .title, row: row(title: "b")),
    Change(property: "preview", field: .preview, row: row(preview: "b")),
    Change(property: "createdAt", field: .createdAt, row: row(createdAt: 1)),
    Change(property: "modifiedAt", field: .modifiedAt, row: row(modifiedAt: 1)),
    Change(property: "isPinned", field: .isPinned, row: row(isPinned: true)),
    Change(property: "tags", field: .tags, row: row(tags: ["b"])),
    Change(property: "byteCount", field: .byteCount, row: row(byteCount: 2)),
    Change(property: "mediaType", field: .mediaType, row: row(mediaType: "b")),
    Change(property: "facts", field: .facts, row: row(facts: MediaFacts(pixelWidth: 3))),
    Change(property: "blobID", field: .blob, row: row(blob: 2)),
    Change(property: "deletedAt", field: .deletedAt, row: row(deletedAt: 1)),
  ]

  @Test func `every property of a row is covered by a field`() {
    let properties = Mirror(reflecting: Self.plain).children.compactMap(\.label)

    // A new property of the row fails here until it has a field and a change above.
    #expect(
      Set(properties) == Set(Self.changes.map(\.property)).union(["id", "uuid", "revision"])
    )
    #expect(Set(Self.changes.map(\.field)) == Set(SnippetField.allCases))
  }

  @Test(arguments: changes)
  func `only the field that differs is told`(_ change: Change) {
    #expect(SnippetFields(from: Self.plain, to: change.row) == SnippetFields(change.field))
    #expect(SnippetFields(from: change.row, to: Self.plain) == SnippetFields(change.field))
  }

  @Test func `equal values are no change whatever the revision`() {
    #expect(SnippetFields(from: Self.plain, to: Self.row(revision: 9)).isEmpty)
  }

  @Test func `another snippet and the first one are told in full`() {
    #expect(SnippetFields(from: nil, to: Self.plain) == .all)
    #expect(SnippetFields(from: .image(2), to: Self.plain) == .all)
    #expect(SnippetFields.all == SnippetFields(SnippetField.allCases.map(SnippetFields.init)))
  }

  @Test func `every field of a set is called once`() {
    let fields: SnippetFields = [SnippetFields(.tags), SnippetFields(.kind)]
    var called: [SnippetField] = []

    fields.forEach { called.append($0) }

    #expect(called == [.kind, .tags])
    #expect(fields.contains(.tags))
    #expect(!fields.contains(.title))
  }

  @Test func `a cell does not hear of a revision that changed nothing`() {
    let fixture = ScriptedLoader(rows: ScriptedRows([Self.plain]))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    fixture.rows.rows = [Self.row(revision: 2)]
    fixture.rows.announce()
    fixture.settle()

    #expect(cell.changes == [.all])
    #expect(fixture.loader.row(of: cell)?.revision == 2)
  }

  @Test func `a burst of edits is one update with all that differs at its end`() {
    let fixture = ScriptedLoader(rows: ScriptedRows([Self.plain]))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    for title in ["b", "c", "d"] {
      fixture.rows.rows = [Self.row(title: title, isPinned: true)]
      fixture.rows.announce()
    }
    fixture.settle()

    #expect(cell.changes.dropFirst() == [[SnippetFields(.title), SnippetFields(.isPinned)]])
    #expect(cell.row?.title == "d")
  }

  private nonisolated static func row(
    kind: SnippetKind = .image,
    title: String = "a",
    preview: String = "a",
    createdAt: Double = 0,
    modifiedAt: Double = 0,
    isPinned: Bool = false,
    tags: [String] = ["a"],
    byteCount: Int64 = 1,
    mediaType: String = "a",
    facts: MediaFacts = MediaFacts(),
    revision: Int64 = 1,
    blob: Int64 = 1,
    deletedAt: Double? = nil
  ) -> SnippetRow {
    SnippetRow(
      id: SnippetID(rawValue: 1),
      uuid: SnippetRow.image(1).uuid,
      kind: kind,
      title: title,
      preview: preview,
      createdAt: Date(timeIntervalSince1970: createdAt),
      modifiedAt: Date(timeIntervalSince1970: modifiedAt),
      isPinned: isPinned,
      tags: tags,
      byteCount: byteCount,
      mediaType: mediaType,
      facts: facts,
      revision: revision,
      blobID: BlobID(rawValue: blob),
      deletedAt: deletedAt.map(Date.init(timeIntervalSince1970:))
    )
  }
}
