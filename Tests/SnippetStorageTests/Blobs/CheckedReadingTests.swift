import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Whole contents, which are held against their hash.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct CheckedReadingTests {
  @Test(
    arguments: StorePlace.allCases,
    [1, 1000, 262_144, 262_145, 1 << 20, (1 << 20) + 1, 2_800_000, 9_000_000]
  )
  func `a wrong byte is noticed however the whole is read`(
    _ place: StorePlace,
    _ byteCount: Int
  ) async throws {
    var random = SeededGenerator()
    let store = try place.openToBeDamaged()
    defer { try? store.blockingClose() }
    let bytes = Samples.bytes(byteCount)
    let row = try await store.save(Samples.voice(bytes))
    let blob = try #require(row.blobID)
    let offset = random.element(of: [0, byteCount - 1, random.below(byteCount)])
    try store.runWithoutTriggers(FlippedByte.sql(at: offset, ofBlob: blob.rawValue))
    var (count, asynchronousCount) = (0, 0)

    let whole = await #expect(throws: SnippetStoreError.self) {
      try await store.content(of: row.id)
    }
    let pieces = #expect(throws: SnippetStoreError.self) {
      try store.forEachPiece(of: row.id) { count += $0.count }
    }
    let asynchronousPieces = await #expect(throws: SnippetStoreError.self) {
      for try await piece in store.pieces(of: row.id) { asynchronousCount += piece.count }
    }

    for error in [whole, pieces, asynchronousPieces] {
      #expect(error?.code == .damaged, "byte \(offset)")
      #expect(error?.reason.contains("the bytes of blob \(blob) do not match its hash") == true)
      #expect(error?.recoverySuggestion?.contains("restore a backup") == true)
    }
    // The last piece is kept back.
    #expect(count == (byteCount - 1) / (1 << 20) * (1 << 20))
    #expect(asynchronousCount == count)
    // Parts and blobs are read as they are.
    let range = 0..<Int64(byteCount)
    #expect(try await store.content(of: row.id, in: range) != bytes)
    #expect(try await store.content(of: blob) != bytes)
  }

  @Test(arguments: StorePlace.allCases, [String.Encoding.utf8, .utf16LittleEndian])
  func `a wrong byte of a text is noticed`(
    _ place: StorePlace,
    _ encoding: String.Encoding
  ) async throws {
    let store = try place.openToBeDamaged()
    defer { try? store.blockingClose() }
    let bytes = try #require("\u{FEFF}\(Samples.longText("é"))".data(using: encoding))
    let row = try await store.save(SnippetDraft(.bytes(bytes)))
    let blob = try #require(row.blobID)
    try #require(row.kind == .text)
    try store.runWithoutTriggers(FlippedByte.sql(at: bytes.count - 1, ofBlob: blob.rawValue))

    #expect(await errorCode { try await store.text(of: row.id) } == .damaged)
    #expect(errorCode { try store.forEachTextPiece(of: row.id) { _ in } } == .damaged)
  }

  @Test func `who stops early is told nothing`() async throws {
    struct Enough: Error {}
    let store = try StorePlace.mappedFile.openToBeDamaged()
    defer { try? store.blockingClose() }
    let row = try await store.save(Samples.voice(Samples.bytes(2_800_000)))
    try store.runWithoutTriggers(FlippedByte.sql(at: 5, ofBlob: 1))
    var count = 0

    for try await piece in store.pieces(of: row.id) {
      count += piece.count
      break
    }
    #expect(throws: Enough.self) {
      try store.forEachPiece(of: row.id) { _ in throw Enough() }
    }

    #expect(count == 1 << 20)
  }

  @Test(arguments: StorePlace.allCases)
  func `what was saved in steps or captured comes whole`(_ place: StorePlace) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(9_000_001)
    let file = TemporaryDirectory.file("recording.wav")
    try bytes.write(to: file)
    let saved = try await store.save(
      SnippetDraft(.file(at: file), kind: .voice, mediaType: "audio/x-sample")
    )
    let capture = try await store.startCapture(kind: .voice, mediaType: "audio/x-sample")
    for start in [0, 3, 300_000] {
      try await capture.append(bytes[start..<(start == 0 ? 3 : start == 3 ? 300_000 : 2_000_000)])
    }
    let captured = try await capture.finish()

    for (row, expected) in [(saved, bytes), (captured, bytes.prefix(2_000_000))] {
      var pieces = Data()
      for try await piece in store.pieces(of: row.id) { pieces += piece }
      #expect(try await store.content(of: row.id) == expected)
      #expect(pieces == expected)
    }
  }
}

extension StorePlace {
  /// Opens a store that need not be sound at the end of the test.
  fileprivate func openToBeDamaged() throws -> SnippetStore {
    var configuration = SnippetStore.Configuration()
    configuration.mapsBlobs = self == .mappedFile
    if self == .memory { return try SnippetStore(inMemoryWith: configuration) }
    return try SnippetStore(
      at: TemporaryDirectory.file("damaged.sqlite"),
      configuration: configuration
    )
  }
}
