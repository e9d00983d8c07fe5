import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

/// Blobs into memory that the caller has.
@Suite(.temporaryDirectory, .seeded)
struct BlobMemoryTests {
  @Test(arguments: StorePlace.allCases)
  func `the bytes from any place on fill the memory, and nothing beyond`(
    _ place: StorePlace
  ) async throws {
    var random = SeededGenerator()
    let store = try place.open()
    let bytes = Samples.bytes(6_000_000)
    let blob = try #require(try await store.save(Samples.image(bytes)).blobID)

    for _ in 0..<60 {
      let offset = random.element(of: [
        0, 1, 262_144, 4_194_304, 5_999_999, random.below(6_100_000),
      ])
      let room = random.element(of: [0, 1, 4096, 262_145, 4_194_305, 6_100_000])
      var memory = [UInt8](repeating: 0xEE, count: room + 3)
      let count = try memory.withUnsafeMutableBytes { buffer in
        try store.readBlob(
          blob,
          at: Int64(offset),
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
        )
      }

      let expected = bytes.dropFirst(offset).prefix(room)
      #expect(count == expected.count, "\(room) from \(offset)")
      // As data, whose bytes are compared in one go.
      #expect(Data(memory.prefix(count)) == expected)
      let untouched = Data(repeating: 0xEE, count: memory.count - count)
      #expect(Data(memory.dropFirst(count)) == untouched)
    }
  }

  @Test(arguments: [1_000_000, 20_000_000])
  func `however much is read through mapped memory, little of it stays`(
    byteCount: Int
  ) async {
    // Everything that the process maps is counted.
    await #expect(processExitsWith: .success) {
      [byteCount = byteCount as Int, file = TemporaryDirectory.file("mapped.sqlite") as URL] in
      let store = try SnippetStore(at: file)
      let blobs = try await (0..<120_000_000 / byteCount).asyncMap { number in
        let bytes = Samples.bytes(byteCount, seed: UInt64(number))
        return try #require(try await store.save(Samples.image(bytes)).blobID)
      }
      // So that the bytes are in the file, which is mapped, and not in its log.
      try await store.close()
      let again = try SnippetStore(at: file)
      let before = PeakMemory.mappedByteCount ?? 0

      var most: Int64 = 0
      for blob in blobs {
        #expect(try await again.content(of: blob).count == byteCount)
        most = max(most, (PeakMemory.mappedByteCount ?? 0) - before)
      }

      #expect(most < 48 << 20)
      #expect(most > 0 || PeakMemory.mappedByteCount == nil)
      try await again.close()
    }
  }

  @Test(arguments: StorePlace.allCases)
  func `a blob that is gone fills nothing`(_ place: StorePlace) async throws {
    let store = try place.open()
    let row = try await store.save(Samples.image(Samples.bytes(1000)))
    let blob = try #require(row.blobID)
    try await store.delete([row.id])
    var memory = [UInt8](repeating: 0xEE, count: 10)

    let code = errorCode {
      _ = try memory.withUnsafeMutableBytes { try store.readBlob(blob, into: $0) }
    }

    #expect(code == .notFound)
    #expect(memory == Array(repeating: 0xEE, count: 10))
  }

  @Test(arguments: StorePlace.allCases, [0, 996, 1000])
  func `parts of a blob are gone with it, whatever was read of it before`(
    _ place: StorePlace,
    offset: Int64
  ) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(1000)
    let row = try await store.save(Samples.image(bytes))
    let blob = try #require(row.blobID)
    func readPart() throws -> Data {
      var memory = Data(count: 4)
      let count = try memory.withUnsafeMutableBytes {
        try store.readBlob(blob, at: offset, into: $0)
      }
      return memory.prefix(count)
    }
    for _ in 0..<2 {
      #expect(try readPart() == bytes.dropFirst(Int(offset)).prefix(4))
    }

    try await store.delete([row.id])

    #expect(errorCode { try readPart() } == .notFound)
  }

  @Test(arguments: StorePlace.allCases)
  func `several blobs come in one go, those that are there`(_ place: StorePlace) async throws {
    let store = try place.open()
    let contents = [10, 4_194_304, 262_145, 100_000, 4_194_305, 1, 3_000_000, 3_000_000]
      .enumerated().map { Samples.bytes($1, seed: UInt64($0)) }
    var rows: [SnippetRow] = []
    for bytes in contents { rows.append(try await store.save(Samples.image(bytes))) }
    let blobs = rows.compactMap(\.blobID)
    try #require(Set(blobs).count == contents.count)
    try await store.delete([rows[3].id])
    var expected = Dictionary(uniqueKeysWithValues: zip(blobs, contents))
    expected[blobs[3]] = nil

    let wanted = blobs + blobs.reversed() + [BlobID(rawValue: 999)]
    let found = try await store.content(of: wanted)
    let none = try await store.content(of: [])

    #expect(found == expected)
    #expect(none.isEmpty)
  }

  @Test func `a blob that is damaged is named, and the others are read`() async throws {
    let file = TemporaryDirectory.file("damaged.sqlite")
    let blobs = try await Self.makeBlobs((0..<3).map { Samples.bytes(300_000, seed: $0) }, in: file)
    let output = try await Shell.sqlite3(
      file,
      Damage.edit("DELETE FROM blob_chunk WHERE id = (2 << 20) + 1")
    )
    #expect(output == Shell.Output(standardOutput: ""))
    let store = try SnippetStore(at: file)

    let error = await #expect(throws: SnippetStoreError.self) { try await store.content(of: blobs) }
    let others = try await store.content(of: [blobs[0], blobs[2]])

    #expect(error?.code == .damaged)
    #expect(error?.reason.contains("chunk 1 of blob 2 is missing") == true)
    #expect(others.count == 2)
    try await store.close()
  }

  @Test(arguments: ["cut short", "too long", "of another kind"])
  func `a chunk of another size than it must have is damage, however it is read`(
    damage: String
  ) async throws {
    let file = TemporaryDirectory.file("damaged.sqlite")
    let blob = try await Self.makeBlobs([Samples.bytes(1000)], in: file)[0]
    let data =
      switch damage {
      case "cut short": "x'00'"
      case "too long": "CAST(data || x'00' AS BLOB)"
      default: "zeroblob(0)"
      }
    let output = try await Shell.sqlite3(file, Damage.edit("UPDATE blob_chunk SET data = \(data)"))
    #expect(output == Shell.Output(standardOutput: ""))
    let store = try SnippetStore(at: file)
    var memory = [UInt8](repeating: 0, count: 1)

    #expect(await errorCode { try await store.content(of: blob) } == .damaged)
    #expect(await errorCode { try await store.content(of: blob, in: 0..<1) } == .damaged)
    #expect(await errorCode { try await store.content(of: SnippetID(rawValue: 1)) } == .damaged)
    #expect(await errorCode { try await store.content(of: [blob]) } == .damaged)
    #expect(await errorCode { for try await _ in store.pieces(of: blob) {} } == .damaged)
    let code = errorCode {
      try memory.withUnsafeMutableBytes { try store.readBlob(blob, into: $0) }
    }
    #expect(code == .damaged)
    try await store.close()
  }

  /// Makes a store of images, and gives their blobs.
  private static func makeBlobs(_ contents: [Data], in file: URL) async throws -> [BlobID] {
    let store = try SnippetStore(at: file)
    let rows = try await contents.asyncMap { try await store.save(Samples.image($0)) }
    try await store.close()
    return rows.compactMap(\.blobID)
  }
}

extension PeakMemory {
  /// The resident size of mapped files in bytes; `nil` if the system does not tell.
  fileprivate static var mappedByteCount: Int64? {
    guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
    return byteCount(of: "RssFile", inStatus: String(decoding: status, as: UTF8.self))
  }
}
