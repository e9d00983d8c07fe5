import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Synchronization
import Testing

@testable import SnippetExchange
@testable import SnippetRescue

/// With `SNIP_LONG_TESTS` set, many more stores are damaged at random.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct SalvageTests {
  private let file = TemporaryDirectory.file("damaged.sqlite")
  private let new = TemporaryDirectory.file("new.sqlite")

  @Test(arguments: [false, true])
  func `a sound store is copied whole`(withLog hasLog: Bool) async throws {
    let other = TemporaryDirectory.file("other.sqlite")
    let store = try await makeStore(at: hasLog ? other : file, withLog: hasLog)
    if hasLog {
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: other.path + suffix,
          toPath: file.path + suffix
        )
      }
    }
    let expected = try await Content(of: store)
    try await store.close()
    let before = try Data(contentsOf: file)

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.isComplete, "\(report)")
    #expect(report.snippetCount == expected.snippets.count)
    #expect(try await Content(at: new) == expected)
    #expect(try Data(contentsOf: file) == before)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: new.deletingLastPathComponent().path
    )
    #expect(!names.contains { $0.contains("partial") }, "\(names)")
  }

  @Test func `numbers go on, and an unfinished capture becomes a snippet`() async throws {
    let store = try await makeStore(at: file, withLog: true)
    let last = try await store.save(SnippetDraft(.text("last"))).id
    try await store.delete([last])
    let capture = try await store.startCapture(title: "Interview", kind: .voice)
    try await capture.append(Samples.bytes(600_000))
    let bytes = Samples.bytes(600_000)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: file.path + suffix,
        toPath: TemporaryDirectory.file("copy.sqlite").path + suffix
      )
    }

    let report = try await SnippetStore.salvage(
      from: TemporaryDirectory.file("copy.sqlite"),
      to: new
    )

    #expect(report.lost.isEmpty)
    #expect(report.damaged.map(\.title) == ["Interview"])
    let salvaged = try SnippetStore(at: new)
    let row = try #require(try salvaged.list().rows(in: 0..<99).first { $0.title == "Interview" })
    #expect(try await salvaged.content(of: row.id) == bytes)
    #expect(try await salvaged.save(SnippetDraft(.text("next"))).id > last)
    try await salvaged.close()
    try await store.close()
  }

  @Test func `a store that this process has open is left alone`() async throws {
    let store = try await makeStore(at: file)

    await #expect(throws: SnippetStoreError.self) {
      try await SnippetStore.salvage(from: file, to: new)
    }

    #expect(!FileStatus.exists(new.path))
    _ = try await store.save(SnippetDraft(.text("goes on")))
    try await store.close()
  }

  @Test(arguments: ["missing", "exists", "foreign", "empty", "pipe"])
  func `what cannot be salvaged is refused, and nothing is made`(_ what: String) async throws {
    switch what {
    case "exists":
      try await makeStore(at: file).close()
      try Data("mine".utf8).write(to: new)
    case "foreign": try Samples.bytes(100_000).write(to: file)
    case "empty": try Data().write(to: file)
    case "pipe":
      try await makeStore(at: file).close()
      #expect(mkfifo(file.path + "-wal", 0o600) == 0)
    default: break
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await SnippetStore.salvage(from: file, to: new)
    }

    #expect(
      error?.code
        == [
          "missing": .noSuchFile, "exists": .alreadyExists, "foreign": .foreignFile,
          "empty": .noSuchFile, "pipe": .unreadable,
        ][what]
    )
    #expect(
      what == "exists"
        ? try Data(contentsOf: new) == Data("mine".utf8) : !FileStatus.exists(new.path)
    )
  }

  // SQLite would replay it into the new store, or roll that back.
  @Test(arguments: ["-wal", "-journal"])
  func `no store is salvaged beside the log of another`(_ suffix: String) async throws {
    try await makeStore(at: file).close()
    let log = URL(fileURLWithPath: new.path + suffix)
    try Data("precious".utf8).write(to: log)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await SnippetStore.salvage(from: file, to: new)
    }

    #expect(error?.code == .invalidInput)
    #expect(error?.reason.hasSuffix("/new.sqlite\(suffix)") == true, "\(String(describing: error))")
    #expect(try Data(contentsOf: log) == Data("precious".utf8))
    #expect(!FileStatus.exists(new.path))
  }

  @Test(arguments: ["chunk", "preview", "encoding"])
  func `a long text whose beginning is damaged is copied, and named`(_ what: String) async throws {
    let store = try await makeStore(at: file)
    let row = try #require(try store.list().rows(in: 0..<99).first { $0.title == "Long" })
    let expected = try await Content(of: store)
    try await store.close()
    try await edit(
      [
        "chunk":
          "UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = \(row.blobID!) << 20",
        "preview": "UPDATE snippet SET preview = 'X' || preview WHERE id = \(row.id)",
        "encoding": "UPDATE snippet SET text_encoding = 'UTF-16LE' WHERE id = \(row.id)",
      ][what]!
    )

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.lost.isEmpty)
    #expect(report.damaged.compactMap(\.snippetID) == [row.id], "\(report)")
    let found = try await Content(at: new)
    #expect(found.snippets.count == expected.snippets.count)
    let others = found.snippets.filter { $0.key != row.id }
    #expect(others == expected.snippets.filter { $0.key != row.id })
  }

  @Test func `a tag that can be none is named`() async throws {
    let store = try await makeStore(at: file)
    let row = try await store.save(SnippetDraft(.text("Tagged"), tags: ["one", "two"]))
    try await store.close()
    try await edit("UPDATE tag SET name = 'o,e' WHERE name = 'one'")

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.damaged.map(\.snippetID) == [row.id])
    #expect(report.damaged[0].description.contains("o,e"), "\(report)")
    let salvaged = try SnippetStore(at: new)
    #expect(try salvaged.row(row.id)?.tags == ["two"])
    try await salvaged.close()
  }

  // Its log has the name of the unfinished file, and would stay behind.
  @Test func `a new store is not finished while another program reads a part of it`() async throws {
    try await makeStore(at: file).close()
    let folder = new.deletingLastPathComponent()
    let readers = Mutex<[DatabaseQueue]>([])
    defer { readers.withLock { for reader in $0 { try? reader.close() } } }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await SnippetStore.salvage(from: file, to: new) { _ in
        readers.withLock { readers in
          guard readers.isEmpty else { return }
          let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
          for name in names ?? [] where name.contains("partial") && name.hasSuffix("-wal") {
            let unfinished = folder.appendingPathComponent(String(name.dropLast(4)))
            if let reader = try? Self.reader(of: unfinished) { readers.append(reader) }
          }
        }
      }
    }

    #expect(error?.code == .busy)
    #expect(!FileManager.default.fileExists(atPath: new.path))
    _ = try await SnippetStore.salvage(from: file, to: new)
  }

  /// Reads one state of a file until it is closed.
  private static func reader(of file: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: file.path, configuration: configuration)
    try reader.inDatabase { db in
      try db.execute(sql: "BEGIN")
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM snippet")
    }
    return reader
  }

  @Test(arguments: [1 << 30, 1 << 53] as [Int64])
  func `a snippet with a number far ahead is copied`(id: Int64) async throws {
    let store = try SnippetStore(at: file)
    try await store.save(SnippetDraft(.text("first")))
    let last = try await store.save(SnippetDraft(.text("last"))).id
    try await store.close()
    try await edit(
      """
      UPDATE snippet SET id = \(id) WHERE id = \(last);
      UPDATE snippet_text SET snippet_id = \(id) WHERE snippet_id = \(last);
      """
    )

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.snippetCount == 2 && report.lost.isEmpty, "\(report)")
    let salvaged = try SnippetStore(at: new)
    var texts: Set<Data> = []
    for row in try salvaged.list().rows(in: 0..<9) {
      texts.insert(try await salvaged.content(of: row.id))
    }
    #expect(texts == [Data("first".utf8), Data("last".utf8)])
    try await salvaged.close()
  }

  // With its own reach, each takes half a minute.
  @Test(arguments: [1 << 40, 1 << 51] as [Int64], LongTests.isOn ? [nil, 1 << 10] : [1 << 10])
  func `behind a lost last page a wild number is not counted up to`(
    wild: Int64,
    reach: Int64?
  ) async throws {
    let store = try SnippetStore(at: file)
    try await store.save(contentsOf: (1...500).map { SnippetDraft(.text("text \($0)")) })
    try await store.close()
    try await edit("UPDATE change SET snippet_id = \(wild) WHERE snippet_id = 500")
    let page = try await Shell.sqlite3(
      file,
      "SELECT max(pageno) FROM dbstat WHERE name = 'snippet' AND path IN (SELECT max(path) FROM dbstat WHERE name = 'snippet')"
    )
    let number = try #require(Int(page.standardOutput.trimmingCharacters(in: .newlines)))
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange((number - 1) * 8192..<number * 8192, with: Data(count: 8192))
    try bytes.write(to: file)

    let report = try await Threads.run { [file, new] in
      var salvage = Salvage(
        damaged: file,
        destination: new,
        operation: "salvage",
        check: {},
        report: { _ in }
      )
      if let reach { salvage.reach = reach }
      return try salvage.run()
    }

    #expect(report.snippetCount == 500, "\(report)")
    #expect(!report.damaged.isEmpty)
  }

  @Test func `a capture comes with what was known of it, whatever its sizes say`() async throws {
    let copy = TemporaryDirectory.file("copy.sqlite")
    let store = try SnippetStore(at: copy)
    let capture = try await store.startCapture(title: "Talk", tags: ["a", "b"], kind: .voice)
    try await capture.append(Samples.bytes(600_000))
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: copy.path + suffix, toPath: file.path + suffix)
    }
    try await edit("UPDATE staged_blob SET chunk_size = 1")

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.snippetCount == 1 && report.lost.isEmpty, "\(report)")
    let salvaged = try SnippetStore(at: new)
    let row = try #require(try salvaged.list().rows(in: 0..<1).first)
    #expect(row.title == "Talk" && row.kind == .voice)
    #expect(row.tags == ["a", "b"])
    #expect(try await salvaged.content(of: row.id) == Samples.bytes(600_000))
    try await salvaged.close()
    try await store.close()
  }

  @Test func `a blob is not larger than its file, whatever its row says`() async throws {
    let store = try SnippetStore(at: file)
    let bytes = Samples.bytes(600_000)
    let id = try await store.save(Samples.image(bytes, title: "Picture")).id
    try await store.close()
    try await edit("UPDATE blob SET byte_count = 1 << 44, chunk_size = 1 << 24")

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.isComplete, "\(report)")
    let salvaged = try SnippetStore(at: new)
    #expect(try await salvaged.content(of: id) == bytes)
    try await salvaged.close()
  }

  @Test func `a chunk with a wild number does not fill the file with zeros`() async throws {
    let store = try SnippetStore(at: file)
    try await store.save(Samples.image(Samples.bytes(600_000), title: "Picture"))
    try await store.close()
    try await edit(
      """
      UPDATE blob_chunk SET id = id | 1048575 WHERE id & 1048575 = 2;
      UPDATE blob SET byte_count = 1 << 44, chunk_size = 1 << 24;
      """
    )

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.damaged.map(\.title) == ["Picture"])
    let fileByteCount = try Data(contentsOf: file).count
    let salvaged = try SnippetStore(at: new)
    let row = try #require(try salvaged.list().rows(in: 0..<1).first)
    #expect(row.byteCount < 2 * Int64(fileByteCount))
    try await salvaged.close()
  }

  @Test func `the log of a store is found by a link to it`() async throws {
    let copy = TemporaryDirectory.file("copy.sqlite")
    let link = TemporaryDirectory.file("link.sqlite")
    let store = try await makeStore(at: copy, withLog: true)
    let expected = try await Content(of: store)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: copy.path + suffix, toPath: file.path + suffix)
    }
    try await store.close()
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)

    let report = try await SnippetStore.salvage(from: link, to: new)

    #expect(report.isComplete, "\(report)")
    #expect(try await Content(at: new) == expected)
  }

  /// Does what neither a trigger nor a rule allows.
  private func edit(_ sql: String) async throws {
    let output = try await Shell.run(
      "sqlite3",
      [
        "-bail", file.path, ".dbconfig enable_trigger off", "PRAGMA ignore_check_constraints = ON",
        sql,
      ]
    )
    #expect(output.status == 0, "\(output)")
  }

  @Test(arguments: ["first page", "second half", "header", "snippet", "tag", "snippet_tag"])
  func `the schema is known without its pages`(_ lost: String) async throws {
    let store = try await makeStore(at: file)
    let expected = try await Content(of: store)
    try await store.close()
    var bytes = try Data(contentsOf: file)
    switch lost {
    case "first page": bytes.replaceSubrange(0..<8192, with: Data(count: 8192))
    case "snippet", "tag", "snippet_tag":
      let words = try #require(bytes.range(of: Data("CREATE TABLE \(lost) (".utf8)))
      bytes[words.lowerBound] ^= 1
    case "header": bytes.replaceSubrange(0..<100, with: Data(repeating: 0xAA, count: 100))
    default: bytes = bytes.prefix(bytes.count / 2)
    }
    try bytes.write(to: file)

    let report = try await SnippetStore.salvage(from: file, to: new)

    let found = try await Content(at: new)
    if lost == "second half" {
      #expect(!report.isComplete)
      try expected.expect(found, toBeNamedIn: report)
    } else {
      #expect(found.snippets == expected.snippets)
    }
  }

  @Test func `notes are copied, and that of a lost picture becomes a text`() async throws {
    let store = try SnippetStore(at: file)
    let kept = try await store.save(SnippetDraft(.bytes(Samples.png), note: "The beach\nat noon"))
    var lost = Samples.image(Samples.bytes(9000), title: "Lost")
    lost.note = "A lighthouse"
    let gone = try await store.save(lost)
    let blob = try #require(gone.blobID)
    try store.runWithoutTriggers(
      "DELETE FROM blob_chunk WHERE id >> 20 = \(blob); DELETE FROM blob WHERE id = \(blob)"
    )
    try await store.close()

    let report = try await SnippetStore.salvage(from: file, to: new)

    let salvaged = try SnippetStore(at: new)
    #expect(try await salvaged.note(of: kept.id) == "The beach\nat noon")
    #expect(try salvaged.row(kept.id)?.revision == kept.revision)
    #expect(report.damaged.map(\.title) == ["Lost"])
    #expect(try await salvaged.text(of: gone.id) == "A lighthouse")
    #expect(try await salvaged.check().isSound)
    try await salvaged.close()
  }

  @Test(arguments: ["snippet", "snippet_text", "blob_chunk"])
  func `a lost page costs what stood there alone`(_ table: String) async throws {
    let store = try SnippetStore(at: file)
    try await store.save(
      contentsOf: (1...500).map { number in
        number % 5 == 0
          ? Samples.image(Samples.bytes(8000, seed: UInt64(number)), title: "Picture \(number)")
          : SnippetDraft(
            .text(String(repeating: "Text \(number) ", count: 40)),
            tags: ["t\(number)"]
          )
      }
    )
    let expected = try await Content(of: store)
    try await store.close()
    _ = try await LostPage(of: table, in: file)

    let report = try await SnippetStore.salvage(from: file, to: new)

    let found = try await Content(at: new)
    try expected.expect(found, toBeNamedIn: report)
    #expect(found.snippets.count > 490)
    #expect(!report.isComplete)
    // Other rows have come as they were.
    let whole = expected.snippets.filter { found.snippets[$0.key] == $0.value }
    #expect(whole.count > 300, "\(whole.count)")
  }

  @Test func `whatever is damaged, nothing is lost or changed in silence`() async throws {
    let store = try await makeStore(at: file)
    let expected = try await Content(of: store)
    try await store.close()
    let original = try Data(contentsOf: file)
    var random = SeededGenerator()
    var salvagedCount = 0
    let roundCount = LongTests.isOn ? 200 : 25

    for round in 0..<roundCount {
      var bytes = original
      let damage = random.below(3)
      switch damage {
      case 0:
        let page = random.below(bytes.count / 8192)
        bytes.replaceSubrange(page * 8192..<(page + 1) * 8192, with: Data(count: 8192))
      case 1:
        for _ in 0...random.below(8) {
          bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
        }
      default: bytes = bytes.prefix(8192 + random.below(bytes.count - 8192))
      }
      try bytes.write(to: file)
      let new = TemporaryDirectory.file("new \(round).sqlite")
      do {
        let report = try await SnippetStore.salvage(from: file, to: new)
        try expected.expect(try await Content(at: new), toBeNamedIn: report)
        salvagedCount += 1
      } catch {
        let code = (error as? SnippetStoreError)?.code
        #expect(code == .damaged || code == .foreignFile, "\(damage): \(error)")
      }
      #expect(try Data(contentsOf: file) == bytes)
    }

    #expect(salvagedCount > roundCount * 12 / 25)
  }

  // MARK: - Stores

  private static let template = StoreTemplate(fill)

  /// A store with something of each kind, which stays open; all of it can still be in the log.
  private func makeStore(at file: URL, withLog hasLog: Bool = false) async throws -> SnippetStore {
    if !hasLog { try await Self.template.copy(toBeDamagedAt: file) }
    let store = try SnippetStore(at: file)
    if hasLog { try await Self.fill(store) }
    return store
  }

  @Sendable private static func fill(_ store: SnippetStore) async throws {
    for number in 1...20 {
      try await store.save(
        SnippetDraft(.text("\(Samples.texts[number % 10]) \(number)"), tags: ["t\(number % 3)"])
      )
    }
    try await store.save(SnippetDraft(.text(Samples.longText()), title: "Long"))
    try await store.save(SnippetDraft(.text("")))
    for number in 1...6 {
      try await store.save(
        Samples.image(
          Samples.bytes(number * 90_000, seed: UInt64(number)),
          title: "Picture \(number)"
        )
      )
    }
    try await store.save(Samples.voice(Samples.bytes(700), title: "Sound", isPinned: true))
    try store.seam.write(to: "test") { db in
      let origins = OriginStatements(db: db)
      let folder = try origins.makeFolder(at: "/home/me/Notes")
      for number in 1...5 {
        try origins.insert(
          OriginRow(
            folder: folder,
            path: "notes/\(number).md",
            snippet: SnippetID(rawValue: Int64(1 + number / 2)),
            stamp: FileStamp(modifiedNanoseconds: Int64(number), byteCount: 20),
            sha256: Data(repeating: UInt8(number), count: 32),
            contentSHA256: number == 3 ? Data(count: 32) : nil,
            note: number == 3 ? FileNote(title: "Three") : nil,
            taggedFolderCount: number == 4 ? 1 : 0
          )
        )
      }
    }
    let trashed = try await store.save(SnippetDraft(.text("old"), title: "Trashed"))
    _ = try await store.moveToTrash([trashed.id])
    try await store.updateSearchIndex()
  }

  /// What a store holds.
  private struct Content: Equatable {
    var snippets: [SnippetID: ShownSnippet] = [:]
    /// What must not change in silence even where the rest is damaged.
    var essences: [SnippetID: [Data]] = [:]
    var origins: [SnippetID: [Origin]] = [:]

    init(of store: SnippetStore) async throws {
      for filter in [SnippetFilter(), SnippetFilter(isInTrash: true)] {
        for row in try store.list(filter).rows(in: 0..<9999) {
          let bytes = try await store.content(of: row.id)
          snippets[row.id] = ShownSnippet(row, bytes)
          origins[row.id] = try await store.origins(of: row.id)
          essences[row.id] = [bytes, Data(row.title.utf8), Data(row.mediaType.utf8)]
        }
      }
    }

    init(at file: URL) async throws {
      let store = try SnippetStore(at: file)
      try await self.init(of: store)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    /// Expects that whatever is not as before is told.
    func expect(
      _ found: Content,
      toBeNamedIn report: SalvageReport
    ) throws {
      let (lost, damaged) = (
        Set(report.lost.compactMap(\.snippetID)), Set(report.damaged.compactMap(\.snippetID))
      )
      for (id, essence) in essences {
        guard let other = found.essences[id] else {
          let isTold = lost.contains(id) || report.unreadableIDs.contains { $0.contains(id) }
          #expect(isTold, "snippet \(id) is lost in silence: \(report)")
          continue
        }
        #expect(other == essence || damaged.contains(id), "snippet \(id) is changed in silence")
      }
    }
  }
}
