import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Archives that Joplin has exported: tar of the folder that it calls "RAW".
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct JoplinArchiveTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("exports")
  }

  private func item(_ number: Int, _ type: Int, _ text: String) -> SampleArchive.Member {
    let id = JoplinTree.id(number)
    let fields = """
      id: \(id)
      created_time: 2020-01-02T03:04:05.678Z
      note_id: \(JoplinTree.id(1))
      tag_id: \(JoplinTree.id(3))
      file_extension: png
      type_: \(type)
      """
    return .init("\(id).md", text.isEmpty ? fields : "\(text)\n\n\(fields)")
  }

  private func jex(_ body: String) -> Data {
    SampleArchive([
      item(1, 1, "List\n\n\(body)"), item(2, 4, "photo.png"), item(3, 5, "shopping"),
      item(4, 6, ""), .init("resources/\(JoplinTree.id(2)).png", Samples.png),
    ]).bytes(.tar)
  }

  @Test func `a JEX gives its notes and pictures with titles, tags, dates and ids`() async throws {
    let report = try await store.importFiles(at: [tree.add("notes.jex", jex("Milk"))])

    #expect(report[.imported] == 2 && report[.failed] == 0, "\(report)")
    let rows = try store.list(order: .byTitle).rows(in: 0..<9)
    #expect(rows.map(\.title) == ["List", "photo.png"])
    #expect(rows[0].tags == ["shopping"])
    #expect(rows[0].createdAt.timeIntervalSince1970 == 1_577_934_245.678)
    #expect(try await store.text(of: rows[0].id) == "Milk")
  }

  @Test func `a later JEX of another name updates the notes and adds nothing twice`() async throws {
    try await store.importFiles(at: [tree.add("notes.jex", jex("Milk"))])

    let same = try await store.importFiles(at: [tree.add("again.jex", jex("Milk"))])
    let later = try await store.importFiles(at: [tree.add("later.jex", jex("Milk and eggs"))])

    #expect(same[.unchanged] == 2 && same[.imported] == 0, "\(same)")
    #expect(later[.updated] == 1 && later[.unchanged] == 1, "\(later)")
    let row = try #require(try store.list(order: .byTitle).row(at: 0))
    #expect(try await store.text(of: row.id) == "Milk and eggs")
  }
}
