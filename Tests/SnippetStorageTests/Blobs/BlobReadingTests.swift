import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .seeded)
struct BlobReadingTests {
  @Test(arguments: StorePlace.allCases)
  func `any range of a blob is its bytes`(_ place: StorePlace) async throws {
    var random = SeededGenerator()
    let store = try place.open()
    let bytes = Samples.bytes(1_500_000)
    let row = try await store.save(Samples.image(bytes))
    let blob = try #require(row.blobID)
    let borders = stride(from: 0, through: 1_500_000, by: 262_144).map { $0 } + [1_500_000]

    for _ in 0..<200 {
      let near = random.element(of: borders) + random.below(5) - 2
      let start = max(0, random.chance(0.5) ? near : random.below(1_500_100))
      let length = random.element(of: [0, 1, 2, 17, 4096, 262_143, 262_144, 262_145, 700_000])
      let range = Int64(start)..<Int64(start + length)
      let expected = bytes.dropFirst(start).prefix(length)

      #expect(try await store.content(of: row.id, in: range) == expected, "\(range)")
      #expect(try await store.content(of: blob, in: range) == expected, "\(range)")
    }
  }

  @Test(arguments: StorePlace.allCases)
  func `the asynchronous forms read the same`(_ place: StorePlace) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(1_500_000)
    let row = try await store.save(Samples.image(bytes))
    let text = try await store.save(SnippetDraft(.text(Samples.longText())))
    let blob = try #require(row.blobID)

    #expect(try await store.content(of: row.id) == bytes)
    #expect(try await store.content(of: row.id, in: 262_143..<600_000) == bytes[262_143..<600_000])
    #expect(try await store.content(of: blob) == bytes)
    #expect(try await store.content(of: blob, in: 9..<10) == bytes[9..<10])
    #expect(try await store.text(of: text.id) == Samples.longText())
  }

  @Test(arguments: StorePlace.allCases)
  func `what lies outside the content is left out`(_ place: StorePlace) async throws {
    let store = try place.open()
    let image = try await store.save(Samples.image(Samples.bytes(1000)))
    let text = try await store.save(SnippetDraft(.text("0123456789")))

    for (id, bytes) in [(image.id, Samples.bytes(1000)), (text.id, Data("0123456789".utf8))] {
      let count = Int64(bytes.count)
      #expect(try await store.content(of: id) == bytes)
      #expect(try await store.content(of: id, in: 0..<count) == bytes)
      #expect(try await store.content(of: id, in: -5..<3) == bytes.prefix(3))
      #expect(try await store.content(of: id, in: Int64.min..<Int64.max) == bytes)
      #expect(try await store.content(of: id, in: count - 2..<count + 9) == bytes.suffix(2))
      #expect(try await store.content(of: id, in: count..<count + 9).isEmpty)
      #expect(try await store.content(of: id, in: 900_000..<900_001).isEmpty)
      #expect(try await store.content(of: id, in: -9..<0).isEmpty)
      #expect(try await store.content(of: id, in: 3..<3).isEmpty)
    }
  }

  @Test(arguments: StorePlace.allCases, [0, 1, 262_144, 1 << 20, (1 << 20) + 1, 2_800_000])
  func `pieces put together are the whole`(_ place: StorePlace, _ byteCount: Int) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(byteCount)
    let draft = byteCount == 0 ? SnippetDraft(.text("")) : Samples.voice(bytes)
    let row = try await store.save(draft)
    var pieces: [Data] = []
    var asynchronousPieces: [Data] = []

    try store.forEachPiece(of: row.id) { pieces.append($0) }
    for try await piece in store.pieces(of: row.id) { asynchronousPieces.append(piece) }

    #expect(pieces.reduce(Data(), +) == bytes)
    #expect(pieces == asynchronousPieces)
    #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= 1 << 20 })
  }

  @Test(arguments: StorePlace.allCases)
  func `pieces of a range are that range`(_ place: StorePlace) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(2_800_000)
    let row = try await store.save(Samples.voice(bytes))
    let range: Range<Int64> = 123_456..<2_500_001
    var pieces = Data()
    var asynchronousPieces = Data()

    try store.forEachPiece(of: row.id, in: range) { pieces += $0 }
    for try await piece in store.pieces(of: row.id, in: range) { asynchronousPieces += piece }

    #expect(pieces == bytes[123_456..<2_500_001])
    #expect(asynchronousPieces == pieces)
  }

  @Test(arguments: StorePlace.allCases)
  func `what a reader throws ends the reading`(_ place: StorePlace) async throws {
    let store = try place.open()
    let row = try await store.save(Samples.voice(Samples.bytes(2_800_000)))
    var count = 0

    #expect(throws: Enough()) {
      try store.forEachPiece(of: row.id) { _ in
        count += 1
        throw Enough()
      }
    }

    #expect(count == 1)
  }

  @Test(arguments: StorePlace.allCases)
  func `what is not there is not found`(_ place: StorePlace) async throws {
    let store = try place.open()
    let row = try await store.save(Samples.voice(Samples.bytes(1000)))
    let blob = try #require(row.blobID)
    try await store.delete([row.id])

    await #expect(errorCode(of: { _ = try await store.content(of: row.id) }) == .notFound)
    await #expect(
      errorCode(of: { _ = try await store.content(of: row.id, in: 0..<0) }) == .notFound
    )
    await #expect(errorCode(of: { _ = try await store.content(of: blob) }) == .notFound)
    await #expect(errorCode(of: { _ = try await store.text(of: row.id) }) == .notFound)
    #expect(errorCode(of: { try store.forEachPiece(of: row.id) { _ in } }) == .notFound)
  }

  @Test(arguments: StorePlace.allCases)
  func `what is not there is not found by the asynchronous forms`(_ place: StorePlace) async throws
  {
    let store = try place.open()
    let row = try await store.save(Samples.voice(Samples.bytes(1000)))
    let blob = try #require(row.blobID)
    try await store.delete([row.id])

    #expect(await errorCode(of: { _ = try await store.content(of: row.id) }) == .notFound)
    #expect(await errorCode(of: { _ = try await store.content(of: blob) }) == .notFound)
    #expect(await errorCode(of: { _ = try await store.text(of: row.id) }) == .notFound)
    #expect(await errorCode(of: { for try await _ in store.pieces(of: row.id) {} }) == .notFound)
  }

  @Test(arguments: StorePlace.allCases)
  func `only a text has a text`(_ place: StorePlace) async throws {
    let store = try place.open()
    let row = try await store.save(SnippetDraft(.bytes(Samples.png)))

    await #expect(errorCode(of: { _ = try await store.text(of: row.id) }) == .invalidInput)
  }

  @Test func `a cancelled reader of pieces is told so`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(Samples.voice(Samples.bytes(2_800_000)))
    let canceller = Canceller()

    let code = await errorCode {
      try await canceller.run {
        for try await _ in store.pieces(of: row.id) { canceller.cancel() }
      }
    }

    #expect(code == .cancelled)
  }
}

private struct Enough: Error, Equatable {}
