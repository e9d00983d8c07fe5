import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// What a deletion leaves in the file, and a purge does not.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct PurgeTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  /// What is looked for, put into everything that a snippet has.
  private enum Mark: String, CaseIterable {
    case title = "quince", body = "medlar", tag = "rowan", blob = "bullace", preview = "sorb"
    case derivative = "cornel", formerTitle = "damson", formerTag = "sloe", longText = "myrtle"
    case deletedBefore = "whitebeam", file = "hawthorn", folder = "spindle"
  }

  @Test(arguments: [false, true])
  func `no trace is left of what was deleted, in the file or its log`(
    isClosedBetween: Bool
  ) async throws {
    var store = try TemporaryStore.open()
    let kept = try await Self.fill(store)
    #expect(try await marksFound() == Set(Mark.allCases))
    try await moveMarkedToTrash(in: store)
    #expect(try await marksFound() == Set(Mark.allCases))
    if isClosedBetween {
      try await store.close()
      store = try TemporaryStore.open()
    }

    let report = try await store.purge()

    #expect(report.isComplete)
    #expect(report.deletedCount == 120)
    #expect(try await marksFound() == [])
    #expect(try store.list(.trash).count == 0)
    try await expect(kept, in: store)
    #expect(try await store.check().isSound)
    #expect(try await store.foundIDs("kept").count == kept.count)
    // The store works on, and leaves no trace later either.
    try await store.save(SnippetDraft(.text("after")))
    try await store.close()
    #expect(try await marksFound() == [])
  }

  // What it costs to write the file anew can be saved, at a price.
  @Test func `a purge that does not write the file anew lets blobs go without a trace`()
    async throws
  {
    let (store, kept) = try await filledStore()
    try await moveMarkedToTrash(in: store)

    let report = try await store.purge(rewritesFile: false)

    #expect(!report.isComplete && report.remainingLogByteCount == 0)
    #expect(try await store.information().freeByteCount == 0)
    #expect(try await marksFound().isDisjoint(with: [.blob, .derivative]))
    try await expect(kept, in: store)
  }

  @Test func `only what has been in the trash for long enough goes`() async throws {
    let clock = Lock(Samples.date)
    let store = try TemporaryStore.open { $0.now = { clock.withLock { $0 } } }
    let rows = try await [
      store.save(SnippetDraft(.text("first"))), store.save(SnippetDraft(.text("second"))),
      store.save(SnippetDraft(.text("third"))),
    ]
    for row in rows.dropLast() {
      clock.withLock { $0 += 86_400 }
      try await store.moveToTrash([row.id])
    }

    #expect(try await store.emptyTrash(before: Samples.date.addingTimeInterval(86_400)) == 0)
    let report = try await store.purge(before: Samples.date.addingTimeInterval(100_000))

    #expect(report.deletedCount == 1)
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.id) == [rows[1].id])
    #expect(try store.list().count == 1)
    #expect(try await store.emptyTrash() == 1)
  }

  // The clock of a machine without a battery starts in 1970.
  @Test func `what is trashed while the clock stands in the past does not go by age`()
    async throws
  {
    let clock = Lock(Samples.date)
    let store = try TemporaryStore.open { $0.now = { clock.withLock { $0 } } }
    let row = try await store.save(SnippetDraft(.text("trashed by mistake")))
    let old = try await store.save(SnippetDraft(.text("trashed long ago")))
    clock.withLock { $0 = Date(timeIntervalSince1970: 3600) }
    try await store.moveToTrash([row.id])
    clock.withLock { $0 = Samples.date }
    try await store.moveToTrash([old.id])
    clock.withLock { $0 = Samples.date + 60 * 86_400 }
    let monthAgo = Samples.date + 30 * 86_400

    #expect(try await store.emptyTrash(before: monthAgo) == 1)
    #expect(try await store.purge(before: monthAgo, rewritesFile: false).deletedCount == 0)
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.id) == [row.id])
    #expect(try await store.emptyTrash() == 1)
  }

  // reader                 purge
  // holds a snapshot ────▶ cannot empty the log, and says so
  // lets go ─────────────▶ can
  @Test func `a reader of an old state keeps the log, and the report says so`() async throws {
    let (store, _) = try await filledStore()
    let reading = await Hold.snapshot(of: file)
    try await moveMarkedToTrash(in: store)

    let first = try await store.purge()
    #expect(first.remainingLogByteCount > 0 && !first.isComplete)
    try await reading.end()
    let second = try await store.purge()

    #expect(second.isComplete)
    #expect(try await marksFound() == [])
  }

  @Test func `lists and those who follow changes are told to read again`() async throws {
    let (store, _) = try await filledStore()
    try await moveMarkedToTrash(in: store)
    let (live, trash) = (store.list(), store.list(.trash))
    let before = try live.rows(in: 0..<1000)
    #expect(try trash.count == 120)
    let known = try await store.lastChange

    try await store.purge()

    #expect(try live.rows(in: 0..<1000) == before)
    #expect(try trash.count == 0)
    #expect(try await store.changes(after: known).hasFallenBehind)
    let row = try await store.save(SnippetDraft(.text("next")))
    #expect(try live.count == before.count + 1)
    let next = try await store.changes(after: store.changes(after: known).next)
    #expect(next.changes == [] || next.changes.map(\.snippetID) == [row.id])
  }

  // purge                          canceller
  // writes the file anew
  //                                cancels, as SQLite asks for the fifth time
  // leaves the file as it was
  @Test func `a purge that is cancelled while it writes the file anew loses nothing`()
    async throws
  {
    let (store, kept) = try await filledStore()
    try await moveMarkedToTrash(in: store)
    try await store.emptyTrash()
    let pageCount = try await store.information().fileByteCount
    var asked = 0

    #expect(throws: CancellationError.self) {
      try store.connections.rewriteFile(to: "purge the trash") {
        asked += 1
        if asked == 5 { throw CancellationError() }
      }
    }

    // It has ended there, and was not only reported at the end.
    #expect(asked == 5)
    #expect(try await store.information().fileByteCount == pageCount)
    #expect(try await store.check().isSound)
    try await expect(kept, in: store)
    // Nobody is asked any more, and nothing keeps a purge from doing the rest.
    #expect(try await store.purge().isComplete)
    #expect(asked == 5)
    #expect(try await marksFound() == [])
  }

  @Test func `what a crash has left half deleted leaves no trace either`() async throws {
    let store = try TemporaryStore.open()
    let kept = try await store.save(Samples.image(Samples.bytes(300_000)))
    let discarded = try await store.startCapture(kind: .voice, mediaType: "audio/x-sample")
    try await discarded.append(
      Data(String(repeating: Mark.blob.rawValue, count: 100_000).utf8)
    )
    try await discarded.save()
    let lost = try await store.save(SnippetDraft(.text(Mark.body.rawValue)))
    let id = try #require(try await store.captures().first?.id)
    try await store.connections.write(to: "discard") { try CaptureStatements(db: $0).discard(id) }
    // As an older program or a shell without foreign keys and triggers leaves it.
    try store.runWithoutTriggers("DELETE FROM snippet WHERE id = \(lost.id)")
    #expect(try await marksFound() == [.blob, .body])

    #expect(try await store.purge().isComplete)

    #expect(try await marksFound() == [])
    #expect(try await store.content(of: kept.id) == Samples.bytes(300_000))
  }

  @Test func `what cannot be written anew for want of room tells what is deleted`() {
    let full = Purge.failure(DatabaseError(resultCode: .SQLITE_FULL), toRewriteDuring: "purge")
    let other = Purge.failure(DatabaseError(resultCode: .SQLITE_BUSY), toRewriteDuring: "purge")

    #expect(
      full.description == """
        Could not purge: there is no room to rewrite the file. The snippets are deleted, but \
        traces are left. Free twice the size of the file and purge again; or purge without \
        rewriting the file.
        """
    )
    #expect(full.code == .diskFull && other.code == .busy)
  }

  @Test func `a store in memory is purged too`() async throws {
    let store = try TemporaryStore.inMemory()
    let row = try await store.save(SnippetDraft(.text("gone")))
    try await store.moveToTrash([row.id])

    let report = try await store.purge()

    #expect(report.isComplete && report.deletedCount == 1)
    #expect(try store.row(row.id) == nil)
  }

  // MARK: - What is in the store

  private static let kept = Lock<[SnippetRow: Data]>([:])
  private static let filled = StoreTemplate { store in
    let rows = try await fill(store)
    kept.withLock { $0 = rows }
  }

  /// Opens a copy of a store that was filled once, and says what is in it without a mark.
  private func filledStore() async throws -> (SnippetStore, kept: [SnippetRow: Data]) {
    try await Self.filled.copy()
    return (try TemporaryStore.open(), Self.kept.withLock { $0 })
  }

  /// Saves snippets with marks and others among them, so that rows move from page to page.
  ///
  /// - Returns: Those without a mark.
  private static func fill(_ store: SnippetStore) async throws -> [SnippetRow: Data] {
    var random = SeededGenerator()
    var kept: [SnippetRow: Data] = [:]
    for number in 0..<400 {
      let filler = String(repeating: "kept \(number) ", count: 1 + random.below(60))
      let row = try await store.save(
        SnippetDraft(.text(filler), title: "kept \(number) ", tags: ["kept"])
      )
      kept[row] = Data(filler.utf8)
      if number % 20 == 7 {
        let bytes = Samples.bytes(1 + random.below(90_000), seed: UInt64(number))
        kept[try await store.save(Samples.image(bytes, title: "kept"))] = bytes
      }
      if number % 10 < 3 { try await saveMarked(store, number, &random) }
      if number % 10 == 5 {
        let gone = try await store.save(
          SnippetDraft(.text("\(Mark.deletedBefore.rawValue) \(filler)"), tags: ["gone"])
        )
        try await store.delete([gone.id])
      }
      if number % 100 == 50 { try await store.updateSearchIndex() }
    }
    return kept
  }

  private static func saveMarked(
    _ store: SnippetStore,
    _ number: Int,
    _ random: inout SeededGenerator
  ) async throws {
    func words(_ mark: Mark) -> String {
      String(repeating: "\(mark.rawValue) \(number) ", count: 1 + random.below(40))
    }
    let title = "\(Mark.formerTitle.rawValue) \(number)"
    let id: SnippetID
    switch number % 3 {
    case 0:
      let text = "\(Mark.preview.rawValue) \(words(.body))"
      id = try await store.save(SnippetDraft(.text(text), title: title)).id
    case 1:
      let text = String(repeating: words(.longText), count: 400)
      id = try await store.save(SnippetDraft(.text(text), title: title)).id
    default:
      let bytes = Samples.bytes(random.below(50_000)) + Data(words(.blob).utf8)
      let row = try await store.save(Samples.image(bytes, title: title))
      id = row.id
      let recipe = Recipe("small")
      try await store.saveDerivatives([
        Derivative(
          blobID: try #require(row.blobID),
          recipe: recipe,
          data: Data(words(.derivative).utf8)
        )
      ])
    }
    try putFile(store, id)
    let tags = [Mark.formerTag.rawValue, "\(Mark.tag.rawValue) \(number % 7)"]
    try await store.apply(SnippetEdit(addedTags: tags), to: id)
    try await store.apply(
      SnippetEdit(
        title: "\(Mark.title.rawValue) \(number)",
        removedTags: [Mark.formerTag.rawValue]
      ),
      to: id
    )
  }

  private func moveMarkedToTrash(in store: SnippetStore) async throws {
    let count = try store.list().count
    let marked = try store.list().rows(in: 0..<count).filter {
      $0.title.hasPrefix(Mark.title.rawValue)
    }
    try await store.moveToTrash(marked.map(\.id))
  }

  private func expect(_ kept: [SnippetRow: Data], in store: SnippetStore) async throws {
    #expect(try store.list().count == kept.count)
    for (row, bytes) in kept {
      #expect(try store.row(row.id) == row)
      let content = try await store.content(of: row.id)
      #expect(content == bytes)
    }
  }

  /// Says that a snippet came from a file.
  private static func putFile(_ store: SnippetStore, _ id: SnippetID) throws {
    try store.connections.write(to: "test") { db in
      let folder = "/home/\(Mark.folder.rawValue)"
      try db.execute(
        sql: """
          INSERT INTO origin_folder (path) SELECT :folder
          WHERE NOT EXISTS (SELECT 1 FROM origin_folder WHERE path = :folder);
          INSERT INTO origin (folder_id, path, snippet_id, modified_ns, byte_count, sha256)
          SELECT id, :path, :snippet, 0, 1, zeroblob(32) FROM origin_folder WHERE path = :folder;
          """,
        arguments: [
          "folder": folder, "path": "notes/\(Mark.file.rawValue) \(id).md",
          "snippet": id.rawValue,
        ]
      )
    }
  }

  /// The marks that stand anywhere in the file or its log, whatever their case.
  private func marksFound() async throws -> Set<Mark> {
    // Another process looks: this one must not open the file by other means than SQLite.
    let line = """
      [ -r "$0" ] || exit
      for mark; do grep -aqi "$mark" "$0" "$0-wal" 2>/dev/null && echo "$mark"; done
      exit 0
      """
    let marks = Mark.allCases.map(\.rawValue)
    let output = try await Shell.run("sh", ["-c", line, file.path] + marks)
    try #require(output.status == 0, "\(output)")
    return Set(output.standardOutput.split(separator: "\n").compactMap { Mark(rawValue: "\($0)") })
  }
}
