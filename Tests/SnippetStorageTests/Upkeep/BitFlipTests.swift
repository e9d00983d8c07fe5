import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Bits that a medium turns over, while the store is closed.
///
/// With `SNIP_LONG_TESTS` set: 400 of each sort.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct BitFlipTests {
  let file = TemporaryDirectory.file("damaged.sqlite")
  private let samples = Sample.all
  /// How many of a sort are turned over.
  private static let count = LongTests.isOn ? 400 : 20

  /// What everything is called before the damage.
  private let contents: [SnippetID: Data]
  private let original: Data

  init() async throws {
    let store = try SnippetStore(at: file)
    var contents: [SnippetID: Data] = [:]
    for sample in samples {
      contents[try await store.save(sample.draft).id] = sample.bytes
    }
    try await store.close()
    self.contents = contents
    original = try Data(contentsOf: file)
  }

  @Test func `a bit of a page with blobs is found or does no harm`() async throws {
    var random = SeededGenerator()
    let output = try await Shell.sqlite3(
      file,
      "SELECT pageno FROM dbstat WHERE name = 'blob_chunk' ORDER BY pageno"
    )
    let pages = output.standardOutput.split(separator: "\n").compactMap { Int($0) }
    try #require(pages.count > 20)
    var foundCount = 0

    for _ in 0..<40 {
      let page = random.element(of: pages)
      let bit = (page - 1) * 8192 * 8 + random.below(8192 * 8)
      if try await isFound(bit: bit) { foundCount += 1 }
    }

    // Not all bytes of a page are used, but most are.
    #expect(foundCount > 25)
  }

  @Test func `a bit anywhere never gives other bytes for a blob without being found`() async throws
  {
    var random = SeededGenerator()

    for _ in 0..<Self.count { _ = try await isFound(bit: random.below(original.count * 8)) }
  }

  // The pages that hold the schema, the rows and the indexes, where every bit means something.
  @Test func `a bit of a row never traps`() async throws {
    var random = SeededGenerator()
    let output = try await Shell.sqlite3(
      file,
      """
      SELECT pageno FROM dbstat WHERE name IN ('blob', 'snippet', 'snippet_text', 'snippet_tag', 'tag')
      """
    )
    let pages = output.standardOutput.split(separator: "\n").compactMap { Int($0) }
    try #require(pages.count >= 5)

    for _ in 0..<Self.count {
      let page = random.element(of: pages)
      // Rows lie at the end of their page, and the header of the page at its start.
      let byte = random.chance(0.2) ? random.below(16) : 8191 - random.below(500)
      _ = try await isFound(bit: ((page - 1) * 8192 + byte) * 8 + random.below(8))
    }
  }

  @Test func `an impossible size is damage`() async throws {
    for (column, size) in [
      ("byte_count", "1 << 37"), ("byte_count", "-1"), ("byte_count", "0"), ("chunk_size", "0"),
      ("chunk_size", "-1"), ("chunk_size", "1 << 60"), ("byte_count", "9223372036854775807"),
    ] {
      try original.write(to: file)
      let output = try await Shell.sqlite3(
        file,
        """
        PRAGMA ignore_check_constraints = ON; DROP TRIGGER blob_on_update;
        UPDATE blob SET \(column) = \(size)
        """
      )
      #expect(output == Shell.Output(standardOutput: ""))
      let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))

      for (id, bytes) in contents where bytes.count > 70 {
        let error = await #expect(throws: SnippetStoreError.self) {
          try await store.content(of: id)
        }
        let message: Comment = "\(column) \(size): \(String(describing: error))"
        #expect(error?.code == .damaged, message)
      }
      #expect(try await !store.check().isSound)
      try await store.close()
    }
  }

  /// Turns one bit over, and tells whether anything noticed; if nothing did, no blob is another.
  private func isFound(bit: Int) async throws -> Bool {
    var damaged = original
    damaged[bit / 8] ^= 1 << UInt8(bit % 8)
    try damaged.write(to: file)
    let place: Comment = "bit \(bit % 8) of byte \(bit / 8 % 8192) of page \(bit / 8 / 8192 + 1)"
    do {
      let store = try SnippetStore(at: file)
      let report = try await store.check()
      var isOther = false
      for (id, bytes) in contents {
        do {
          let found = try await store.content(of: id)
          // A short text has no hash, so only blobs are held to what they were.
          if found != bytes, bytes.count > 70 { isOther = true }
        } catch {
          #expect(Self.expectedCodes.contains(error.code), "\(place): \(error)")
          isOther = true
        }
      }
      #expect(!isOther || !report.isSound, place)
      try await useEverything(in: store)
      try await store.close()
      return !report.isSound
    } catch let error as SnippetStoreError {
      #expect(Self.expectedCodes.contains(error.code), "\(place): \(error)")
      return true
    }
  }

  /// Whatever happens, it is an error of ours.
  private func useEverything(in store: SnippetStore) async throws {
    let list = store.list(.init(kinds: [.text, .image, .voice]), order: .byTitle)
    let uses: [() async throws -> Void] = [
      { _ = try store.list().rows(in: 0..<99) },
      { _ = try store.list(order: .recentlyModifiedFirst).rows(in: 3..<9) },
      { _ = try list.rows(in: 0..<99) },
      { for id in contents.keys { _ = try list.position(of: id) } },
      { for id in contents.keys { _ = try store.row(id) } },
      { for id in contents.keys { try store.forEachPiece(of: id, in: 5..<900_000) { _ in } } },
      { _ = try await store.information() },
      { _ = try store.rows(of: "SELECT * FROM snippets") },
      { _ = try await store.save(SnippetDraft(.text("written in spite of it"), tags: ["a"])) },
      {
        try await store.save(
          contentsOf: samples.map(\.draft),
          skipsDuplicates: true
        )
      },
      {
        for id in contents.keys {
          try await store.apply(SnippetEdit(title: "changed"), to: id)
        }
      },
      { try await store.delete(Array(contents.keys)) },
    ]
    for use in uses {
      do { try await use() } catch { #expect(error is SnippetStoreError, "\(error)") }
    }
  }

  private static let expectedCodes: Set<SnippetStoreError.Code> = [
    .alteredSchema, .damaged, .foreignFile, .newerStore, .notFound, .inputOutput, .failed,
    .refusedBySchema,
  ]
}

/// Something of each kind that is stored in a way of its own.
private struct Sample: Sendable {
  var draft: SnippetDraft
  var bytes: Data

  static let all = [
    Sample(draft: SnippetDraft(.text("short"), tags: ["a", "b"]), bytes: Data("short".utf8)),
    Sample(draft: SnippetDraft(.text("")), bytes: Data()),
    Sample(
      draft: SnippetDraft(.text(Samples.longText()), tags: ["b"]),
      bytes: Data(Samples.longText().utf8)
    ),
    image(80),
    image(5000),
    image(90_000),
    image(262_144),
    image(270_000),
    Sample(draft: SnippetDraft(.bytes(Samples.wav())), bytes: Samples.wav()),
  ]

  private static func image(_ byteCount: Int) -> Sample {
    let bytes = Samples.bytes(byteCount, seed: UInt64(byteCount))
    return Sample(draft: Samples.image(bytes, title: "\(byteCount)"), bytes: bytes)
  }
}
