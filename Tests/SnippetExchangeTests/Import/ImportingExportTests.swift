import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// What was exported, imported again.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct ImportingExportTests {
  private let folder = TemporaryDirectory.file("export")

  private func drafts() -> [SnippetDraft] {
    var random = SeededGenerator()
    var drafts = Samples.texts.enumerated().map { number, text in
      SnippetDraft(
        .text(text),
        title: random.chance(0.5) ? nil : "Title \(number)",
        tags: random.chance(0.5) ? ["Tag", "tag \(number % 3)"] : [],
        isPinned: random.chance(0.3),
        createdAt: Date(timeIntervalSince1970: Double(random.below(2_000_000_000)) + 0.001)
      )
    }
    drafts += [
      // Bytes that alone nobody would take for a text.
      SnippetDraft(.text("\u{0}\u{1}\u{2}\u{7}")), SnippetDraft(.text("")),
      SnippetDraft(.text("\u{FEFF}mark")), SnippetDraft(.text(Samples.longText("ß"))),
      SnippetDraft(.text("# Title"), mediaType: "text/markdown"),
      SnippetDraft(.bytes("Grüße aus Köln".data(using: .utf16) ?? Data()), kind: .text),
      Samples.image(Samples.png), Samples.image(Samples.png, title: "The same bytes"),
      Samples.voice(Samples.bytes(700_000)),
      SnippetDraft(.bytes(Samples.wav()), title: "Memo", note: "The note\nof a memo"),
      SnippetDraft(.bytes(Data([1, 2, 3])), kind: .voice, mediaType: "audio/x-own", title: ""),
      SnippetDraft(.bytes(Data("text?".utf8)), kind: .image, mediaType: "image/x-own"),
    ]
    return drafts
  }

  /// All that is the same in a store made of an export.
  private struct Copy: Hashable {
    var uuid: UUID
    var kind: SnippetKind
    var title: String
    var preview: String
    var tags: [String]
    var isPinned: Bool
    var createdAt: Date
    var modifiedAt: Date
    var mediaType: String
    var facts: MediaFacts
    var isBlob: Bool
    var bytes: Data
    var text: String?
    var note: String
  }

  private func copies(in store: SnippetStore) async throws -> [Copy] {
    try await store.list(order: .oldestFirst).rows(in: 0..<1_000).asyncMap { row in
      Copy(
        uuid: row.uuid,
        kind: row.kind,
        title: row.title,
        preview: row.preview,
        tags: row.tags,
        isPinned: row.isPinned,
        createdAt: row.createdAt,
        modifiedAt: row.modifiedAt,
        mediaType: row.mediaType,
        facts: row.facts,
        isBlob: row.blobID != nil,
        bytes: try await store.content(of: row.id),
        text: row.kind == .text ? try await store.text(of: row.id) : nil,
        note: try await store.note(of: row.id)
      )
    }
    .sorted { $0.uuid.uuidString < $1.uuid.uuidString }
  }

  private func exportAll(from store: SnippetStore) async throws {
    for draft in drafts() { try await store.save(draft) }
    let wave = try await store.save(SnippetDraft(.bytes(Samples.wav()), title: "Silence"))
    #expect(wave.facts.sampleRate == 8000 && wave.facts.channelCount == 1)
    // Facts that the bytes do not tell, as the shell or an app may know them.
    _ = try await Shell.sqlite3(
      TemporaryDirectory.file("store.sqlite"),
      """
      UPDATE snippet SET duration_ms = 61500, sample_rate = 96000, channel_count = 6
        WHERE media_type = 'audio/x-own';
      UPDATE snippet SET pixel_width = 640, pixel_height = 480 WHERE media_type = 'image/x-own'
      """
    )
    let row = try #require(try store.list(order: .byTitle).row(at: 0))
    try await store.apply(SnippetEdit(title: "changed later"), to: row.id)
    try await store.export(to: folder)
  }

  @Test func `a store made of an export is equal to the one exported`() async throws {
    let store = try TemporaryStore.open()
    try await exportAll(from: store)
    let other = try TemporaryStore.open("other.sqlite")

    let report = try await other.importFiles(at: [folder])

    let expected = try await copies(in: store)
    #expect(report[.imported] == expected.count && report[.failed] == 0, "\(report)")
    let found = try await copies(in: other)
    for (copy, original) in zip(found, expected) { #expect(copy == original) }
    #expect(found.count == expected.count)
    #expect(await other.sizeOfImport(of: [folder]).fileCount == expected.count)
  }

  @Test(arguments: [
    ("", MediaFacts(duration: .seconds(1), sampleRate: 8000, channelCount: 1)),
    (
      #","sampleRate":96000,"channelCount":6,"durationMilliseconds":5"#,
      MediaFacts(duration: .milliseconds(5), sampleRate: 96_000, channelCount: 6)
    ),
    (
      #","sampleRate":0,"channelCount":-1,"durationMilliseconds":-1,"pixelWidth":0"#,
      MediaFacts(duration: .seconds(1), sampleRate: 8000, channelCount: 1)
    ),
    (
      """
      ,"sampleRate":10000001,"channelCount":1025,"durationMilliseconds":9223372036854775807,      "pixelHeight":2147483648
      """,
      MediaFacts(duration: .seconds(1), sampleRate: 8000, channelCount: 1)
    ),
  ])
  func `what a manifest says of a recording goes before its bytes, unless it cannot be`(
    claims: String,
    facts: MediaFacts
  ) async throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("voices"),
      withIntermediateDirectories: true
    )
    try Samples.wav().write(to: folder.appendingPathComponent("voices/1.wav"))
    let hash = try MemoryBytes(data: Samples.wav()).contentHash().hexadecimal
    let line = """
      {"file":"voices/1.wav","uuid":"\(UUID())","kind":"voice","title":"t","tags":[],\
      "pinned":false,"createdAt":"2025-11-21T09:01:02.345Z",\
      "modifiedAt":"2025-11-21T09:01:02.345Z","mediaType":"audio/wav","byteCount":8044,\
      "sha256":"\(hash)"\(claims)}
      """
    try Data("{\"format\":\"snippets\",\"version\":1}\n\(line)\n".utf8)
      .write(to: folder.appendingPathComponent("manifest.jsonl"))
    let store = try TemporaryStore.open()

    let report = try await store.importFiles(at: [folder])

    #expect(report[.imported] == 1, "\(report)")
    #expect(try store.list().row(at: 0)?.facts == facts)
  }

  @Test func `an export that is imported again imports nothing twice`() async throws {
    let store = try TemporaryStore.open()
    try await exportAll(from: store)
    let count = try store.list().count

    let report = try await store.importFiles(at: [folder])

    #expect(report[.duplicate] == count)
    #expect(report[.imported] == 0 && report[.failed] == 0)
    #expect(try store.list().count == count)
  }

  @Test func `tags go to the snippets of an export that are there, also to those in the trash`()
    async throws
  {
    let store = try TemporaryStore.open()
    let rows = try await [
      store.save(SnippetDraft(.text("kept"))), store.save(SnippetDraft(.text("thrown away"))),
    ]
    try await store.export(to: folder)
    try await store.moveToTrash([rows[1].id])

    let report = try await store.importFiles(at: [folder], options: .init(tags: ["again"]))

    #expect(report[.updated] == 1 && report[.broughtBack] == 1, "\(report)")
    #expect(try store.list().rows(in: 0..<9).map(\.tags) == [["again"], ["again"]])
    #expect(try await store.check().isSound)
  }

  @Test func `an export brings back what has been moved to the trash since`() async throws {
    let store = try TemporaryStore.open()
    let rows = try await [
      store.save(SnippetDraft(.text("kept"))), store.save(SnippetDraft(.text("thrown away"))),
    ]
    try await store.export(to: folder)
    try await store.moveToTrash([rows[1].id])
    let told = Lock<[ImportEvent.Outcome]>([])

    let report = try await store.importFiles(at: [folder]) { event in
      told.withLock { $0.append(ImportOutcome(event).outcome) }
    }

    #expect(report[.broughtBack] == 1 && report[.duplicate] == 1)
    #expect(told.withLock { $0 } == [.duplicate, .broughtBack])
    #expect(try store.list(order: .oldestFirst).rows(in: 0..<9).map(\.id) == rows.map(\.id))
    #expect(try store.list(.trash).count == 0)
    #expect(try store.row(rows[1].id)?.createdAt == rows[1].createdAt)
  }

  @Test func `a file that is not what was exported fails by itself`() async throws {
    let store = try TemporaryStore.open()
    for text in ["one", "two", "three"] { try await store.save(SnippetDraft(.text(text))) }
    try await store.export(to: folder)
    try Data("TWO".utf8).write(to: folder.appendingPathComponent("texts/2 two.txt"))
    try FileManager.default.removeItem(at: folder.appendingPathComponent("texts/3 three.txt"))
    try Data("not listed".utf8).write(to: folder.appendingPathComponent("texts/4.txt"))
    let other = try TemporaryStore.open("other.sqlite")
    let errors = Lock<[SnippetStoreError]>([])

    let report = try await other.importFiles(at: [folder]) { event in
      guard event.outcome == .failed, let error = event.error else { return }
      errors.withLock { $0.append(error) }
    }

    #expect(report[.imported] == 1 && report[.failed] == 2)
    let found = errors.withLock { $0 }
    #expect(Set(found.map(\.code)) == [.contentChanged, .unreadable])
    #expect(found.allSatisfy { $0.description.contains(folder.path) }, "\(found)")
    #expect(found.contains { $0.description.contains("texts/2 two.txt") }, "\(found)")
    #expect(try other.list().row(at: 0)?.preview == "one")
  }
}
