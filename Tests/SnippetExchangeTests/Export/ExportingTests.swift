import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetExchange

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ExportingTests {
  private let folder = TemporaryDirectory.file("export")

  private func entries() throws -> [ExportManifest.Entry] {
    let manifest = folder.appendingPathComponent("manifest.jsonl")
    let lines = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n")
    let header = try JSONDecoder().decode(
      ExportManifest.Header.self,
      from: Data(try #require(lines.first).utf8)
    )
    #expect(header == ExportManifest.Header())
    return try lines.dropFirst().map {
      try JSONDecoder().decode(ExportManifest.Entry.self, from: Data($0.utf8))
    }
  }

  private func files() throws -> Set<String> {
    let all = try #require(FileManager.default.enumerator(atPath: folder.path))
    return Set(all.compactMap { $0 as? String })
  }

  @Test func `every snippet is a file with its bytes, and a line with all the rest`() async throws {
    let store = try TemporaryStore.open()
    let long = String(repeating: "Ein längerer Text. ", count: 9_000)
    let made = Date(timeIntervalSince1970: 1_600_000_000.125)
    let drafts = [
      SnippetDraft(.text("Milk, eggs"), title: "Shop/ping", tags: ["b", "a"], createdAt: made),
      SnippetDraft(.text(long), isPinned: true),
      Samples.image(Samples.png, title: "Dot"),
      Samples.voice(Samples.bytes(2_500_000), title: "../../up"),
      SnippetDraft(.text(""), title: ""),
    ]
    var rows: [SnippetRow] = []
    for draft in drafts { rows.append(try await store.save(draft)) }

    let report = try await store.export(to: folder)

    let entries = try entries()
    #expect(report[.exported] == 5 && report[.failed] == 0)
    #expect(report.byteCount == rows.reduce(0) { $0 + $1.byteCount })
    #expect(entries.map { UUID(uuidString: $0.uuid) } == rows.map(\.uuid))
    #expect(entries.map(\.title) == rows.map(\.title))
    #expect(entries.map(\.tags) == rows.map(\.tags))
    #expect(entries.map(\.pinned) == rows.map(\.isPinned))
    #expect(entries.map(\.mediaType) == rows.map(\.mediaType))
    #expect(entries.map(\.sampleRate) == rows.map(\.facts.sampleRate))
    #expect(entries.map(\.channelCount) == rows.map(\.facts.channelCount))
    #expect(entries.map(\.encoding) == ["utf-8", "utf-8", nil, nil, "utf-8"])
    #expect(entries[0].createdAt == "2020-09-13T12:26:40.125Z")
    for (entry, row) in zip(entries, rows) {
      let file = folder.appendingPathComponent(entry.file)
      let bytes = try Data(contentsOf: file)
      #expect(bytes == (try await store.content(of: row.id)))
      #expect(entry.sha256 == (try MemoryBytes(data: bytes).contentHash()).hexadecimal)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let date = try #require(attributes[.modificationDate] as? Date)
      #expect(abs(date.timeIntervalSince(row.createdAt)) < 0.002)
    }
    #expect(entries[0].file == "texts/1 Shop ping.txt")
    #expect(entries[3].file.hasPrefix("recordings/4 .. .. up."))
    #expect(
      try files() == Set(entries.map(\.file) + ["texts", "images", "recordings", "manifest.jsonl"])
    )
  }

  @Test func `only what a filter holds is exported`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("soup"), tags: ["recipe"]))
    try await store.save(SnippetDraft(.text("song"), tags: ["music"]))

    let report = try await store.export(to: folder, only: SnippetFilter(tags: ["RECIPE"]))

    #expect(report[.exported] == 1)
    #expect(try entries().map(\.title) == ["soup"])
  }

  @Test func `of chosen snippets those that are there are exported once each`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (1...600).map { SnippetDraft(.text("text \($0)")) })
    let ids = try store.list(order: .oldestFirst).rows(in: 0..<600).map(\.id)
    // More than are read at a time are gone, from the beginning on.
    try await store.delete(Array(ids[..<300]))
    try await store.moveToTrash([ids[400]])

    let report = try await store.export([ids[599]] + ids.dropLast(100) + [ids[400]], to: folder)

    #expect(report[.exported] == 201)
    let titles = (301...500).map { "text \($0)" } + ["text 600"]
    #expect(try entries().map(\.title) == titles)
  }

  @Test func `what is in the trash is exported only when it is asked for`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("kept")))
    let row = try await store.save(SnippetDraft(.text("thrown away")))
    try await store.moveToTrash([row.id])

    #expect(try await store.export(to: folder)[.exported] == 1)
    #expect(try entries().map(\.title) == ["kept"])
    let report = try await store.export(to: TemporaryDirectory.file("trash"), only: .trash)
    #expect(report[.exported] == 1)
    #expect(report.byteCount == row.byteCount)

    // The manifest says nothing of the trash: who asks for the files of what is in it wants to have
    // them again.
    let other = try TemporaryStore.open("other.sqlite")
    try await other.importFiles(at: [TemporaryDirectory.file("trash")])
    #expect(try other.list().rows(in: 0..<9).map(\.uuid) == [row.uuid])
    // Where it is still in the trash, it is brought back from there.
    let again = try await store.importFiles(at: [TemporaryDirectory.file("trash")])
    #expect(again[.broughtBack] == 1)
    #expect(try store.list(.trash).count == 0)
  }

  @Test func `an empty store is an empty manifest`() async throws {
    #expect(try await TemporaryStore.open().export(to: folder)[.exported] == 0)
    #expect(try entries() == [])
    #expect(try files() == ["manifest.jsonl"])
  }

  @Test func `a folder that holds anything is left as it is`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("soup")))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: folder.appendingPathComponent(".hidden"))

    #expect(await errorCode(of: { try await store.export(to: folder) }) == .alreadyExists)
    #expect(try files() == [".hidden"])
  }

  @Test(arguments: ["file.txt", "no/such/place"])
  func `a place where no folder can be made is named`(place: String) async throws {
    let store = try TemporaryStore.open()
    try Data("text".utf8).write(to: TemporaryDirectory.file("file.txt"))

    let url = TemporaryDirectory.file(place)
    #expect(await errorCode(of: { try await store.export(to: url) }) == .cannotCreate)
  }

  // export                          test
  // has read all rows, writes 1 ──▶ changes the text of 2
  // writes 2 ◀───────────────────── goes on
  @Test func `a text that is changed before its turn is exported as it is then`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("first")))
    let second = try await store.save(SnippetDraft(.text(Samples.longText("a"))))
    // Keeps the former blob of the second.
    try await store.save(SnippetDraft(.text(Samples.longText("a"))))
    let (isAtFirst, mayGoOn) = (Gate(), Gate())

    async let exported = store.export(to: folder) { event in
      guard event.outcome == .exported, event.snippetID.rawValue == 1 else { return }
      isAtFirst.open()
      mayGoOn.blockUntilOpen()
    }
    await isAtFirst.untilOpen()
    try await store.apply(SnippetEdit(text: Samples.longText("b")), to: second.id)
    mayGoOn.open()
    let report = try await exported

    #expect(report[.exported] == 3 && report[.failed] == 0)
    let entry = try entries()[1]
    let bytes = try Data(contentsOf: folder.appendingPathComponent(entry.file))
    #expect(bytes == Data(Samples.longText("b").utf8))
    #expect(entry.sha256 == (try MemoryBytes(data: bytes).contentHash()).hexadecimal)
  }

  @Test func `a damaged snippet is reported, and the others are exported`() async throws {
    let store = try SnippetStore(at: TemporaryDirectory.file("store.sqlite"))
    defer { try? store.blockingClose() }
    for seed in 1...3 as ClosedRange<UInt64> {
      try await store.save(Samples.image(Samples.bytes(9_000, seed: seed), title: "\(seed)"))
    }
    try store.seam.write(to: "damage a blob") { db in
      try db.execute(sql: "DROP TRIGGER blob_chunk_on_update")
      try db.execute(sql: "UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = 2 << 20")
    }
    let failed = Lock<[SnippetID]>([])

    let report = try await store.export(to: folder) { event in
      guard event.outcome == .failed else { return }
      #expect(event.error?.code == .damaged)
      failed.withLock { $0.append(event.snippetID) }
    }

    #expect(report[.exported] == 2 && report[.failed] == 1)
    #expect(failed.withLock(\.self) == [SnippetID(rawValue: 2)])
    #expect(try entries().map(\.title) == ["1", "3"])
    #expect(try files().filter { $0.contains("/2 ") } == [])
  }

  @Test func `a cancelled export has no manifest`() async throws {
    let store = try TemporaryStore.open()
    for number in 0..<3 { try await store.save(SnippetDraft(.text("\(number)"))) }
    let canceller = Canceller()
    let folder = folder

    let code = await errorCode {
      try await canceller.run {
        try await store.export(to: folder) { _ in canceller.cancel() }
      }
    }
    #expect(code == .cancelled)
    #expect(try files().contains("manifest.jsonl") == false)
  }
}
