import Foundation
import SnippetExchange
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TrashTests {
  private let text = SnippetDraft(
    .text(Samples.longText()),
    title: "gone",
    tags: ["gone", "all"],
    createdAt: Samples.date
  )

  @Test func `what is in the trash is nowhere else, and comes back as it was`() async throws {
    let date = Samples.date.addingTimeInterval(5)
    let store = try TemporaryStore.open { $0.now = { date } }
    let row = try await store.save(text)
    try await store.save(SnippetDraft(.text("stays"), tags: ["all"]))
    let (list, trash) = (store.list(), store.list(.trash, order: .recentlyDeletedFirst))
    #expect(try (list.count, trash.count) == (2, 0))

    let moved = try await store.moveToTrash([row.id, row.id, SnippetID(rawValue: 99)])

    #expect(moved == [row.id])
    #expect(try (list.count, trash.count) == (1, 1))
    #expect(try list.position(of: row.id) == nil)
    #expect(try trash.position(of: row.id) == 0)
    #expect(try await store.foundIDs("gone") == [])
    let found = try await store.foundIDs("gone", in: .trash)
    #expect(found == [row.id])
    #expect(try await store.tags().map(\.name) == ["all"])
    #expect(try await store.tags().map(\.snippetCount) == [1])
    let information = try await store.information()
    #expect(information.snippetCounts[.text] == 1)
    #expect(information.trashCount == 1)
    #expect(information.tagCount == 1)
    #expect(information.blobCount == 1)

    let trashed = try #require(try store.row(row.id))
    #expect(trashed.deletedAt == date)
    #expect(trashed.modifiedAt == row.modifiedAt)
    #expect(try await store.text(of: row.id) == Samples.longText())

    let back = try await store.undelete([row.id, SnippetID(rawValue: 2)])

    #expect(back == [row.id])
    #expect(try (list.count, trash.count) == (2, 0))
    #expect(try await store.foundIDs("gone") == [row.id])
    let again = try #require(try store.row(row.id))
    #expect(again.revision == row.revision + 2)
    #expect(again.deletedAt == nil)
    #expect(
      again
        == SnippetRow(
          id: row.id,
          uuid: row.uuid,
          kind: row.kind,
          title: row.title,
          preview: row.preview,
          createdAt: row.createdAt,
          modifiedAt: row.modifiedAt,
          tags: row.tags,
          byteCount: row.byteCount,
          mediaType: row.mediaType,
          revision: row.revision + 2,
          blobID: row.blobID
        )
    )
    #expect(try await store.text(of: row.id) == Samples.longText())
  }

  @Test func `what is in the trash is not changed by mistake`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(text)
    try await store.moveToTrash([row.id])
    let trashed = try store.row(row.id)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.apply(SnippetEdit(title: "changed"), to: row.id)
    }

    #expect(error?.code == .inTrash)
    #expect(
      error?.description.hasSuffix("is in the trash. Nothing was changed. Bring it back first.")
        == true
    )
    #expect(try store.row(row.id) == trashed)
  }

  // A duplicate in the trash would stay out of sight.
  @Test(arguments: ["short", Samples.longText()])
  func `what only the trash holds comes back when it is imported again`(text: String) async throws {
    let store = try TemporaryStore.open()
    let file = TemporaryDirectory.file("note.txt")
    try Data(text.utf8).write(to: file)
    #expect(try await store.importFiles(at: [file])[.imported] == 1)
    #expect(try await store.importFiles(at: [file])[.duplicate] == 1)
    try await store.moveToTrash([SnippetID(rawValue: 1)])

    let report = try await store.importFiles(at: [file])

    #expect(report[.broughtBack] == 1)
    #expect(try store.list().rows(in: 0..<9).map(\.id) == [SnippetID(rawValue: 1)])
    #expect(try await store.importFiles(at: [file])[.duplicate] == 1)
    // The bytes are stored once all the same.
    #expect(try await store.information().blobCount == (text == "short" ? 0 : 1))
  }

  @Test func `deleting from the trash is for good`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(text)
    try await store.moveToTrash([row.id])

    #expect(try await store.delete([row.id]) == [row.id])

    #expect(try store.row(row.id) == nil)
    #expect(try store.list(.trash).count == 0)
    #expect(try await store.information().blobCount == 0)
    #expect(try await store.undelete([row.id]) == [])
  }

  @Test func `each move is recorded as what it is`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("text")))
    let known = try await store.lastChange
    try await store.moveToTrash([row.id])
    try await store.undelete([row.id])
    try await store.moveToTrash([row.id])
    try await store.delete([row.id])

    let batch = try await store.changes(after: known)

    #expect(
      batch.changes.map(\.event) == [.movedToTrash, .undeleted, .movedToTrash, .deleted]
    )
  }

  @Test(arguments: [false, true])
  func `observers see a move to the trash as a deletion, and back as an insertion`(
    byShell: Bool
  ) async throws {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    let id = try await store.save(SnippetDraft(.text("text"))).id
    let told = ToldChanges()
    let observation = try store.observeEachChange(told.take)
    func move(to date: String, _ call: () async throws -> Void) async throws {
      guard byShell else { return try await call() }
      _ = try await Shell.sqlite3(
        TemporaryDirectory.file("store.sqlite"),
        "UPDATE snippet SET deleted_at = \(date)"
      )
      try store.lookForForeignCommits()
    }

    try await move(to: "5") { try await store.moveToTrash([id]) }
    #expect(await told.next() == .deleted(id))
    try await move(to: "NULL") { try await store.undelete([id]) }
    #expect(await told.next() == .inserted(id))
    observation.cancel()
  }

  @Test func `results of a search follow moves to the trash and back, in both places`() async throws
  {
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.text("milk"))).id
    let live: SearchResults = try await store.search("milk")
    let trash: SearchResults = try await store.search("milk", in: .trash)
    try await live.finish()
    try await trash.finish()
    let counts = try (live.count, trash.count)
    #expect(counts == (1, 0))

    let (inTrash, outOfTrash) = (Gate(), Gate())
    let observation = trash.observeChanges {
      ((try? trash.count) == 1 ? inTrash : outOfTrash).open()
    }
    let (gone, back) = (Gate(), Gate())
    let other = live.observeChanges { ((try? live.count) == 0 ? gone : back).open() }
    try await store.moveToTrash([id])
    await inTrash.untilOpen()
    await gone.untilOpen()
    #expect(try trash.row(at: 0)?.id == id)

    try await store.undelete([id])
    await back.untilOpen()
    #expect(try live.row(at: 0)?.id == id)
    observation.cancel()
    other.cancel()
  }
}
