import Foundation
import GRDB
import SnippetBase
import SnippetExchange
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Blobs of more bytes than 32 bits can count.
///
/// With `SNIP_LONG_TESTS` set, one of 3 GB also goes in and out, for which 15 GB of room are
/// needed.
@Suite(.temporaryDirectory, .timeLimit(.minutes(60)))
struct LargeBlobTests {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  /// Where something could go wrong: the beginning, around 2^31 and 2^32, and the end.
  private static func ranges(ofBlobWith byteCount: Int64) -> [Range<Int64>] {
    [
      0..<1000, (1 << 31) - 500..<(1 << 31) + 500, 1 << 31..<(1 << 31) + 300_000,
      (1 << 32) - 500..<(1 << 32) + 500, byteCount - 300_000..<byteCount, byteCount - 1..<byteCount,
    ]
  }

  // Only those chunks are there that are read. The sizes are more than 2^32, and no multiple of
  // anything, and the largest that there is; so is the last identity.
  @Test(arguments: [5_000_000_011, 1 << 38] as [Int64], [nil, (1 << 43) - 1] as [Int64?])
  func `every byte can be reached, however many come before it`(
    byteCount: Int64,
    identity: Int64?
  ) async throws {
    let file = TemporaryDirectory.file("\(byteCount)-\(identity ?? 1).sqlite")
    let store = try SnippetStore(at: file)
    let (snippet, blob) = try saveParts(ofBlobWith: byteCount, identity, in: store)

    #expect(identity == nil || blob.rawValue == identity)
    #expect(try store.row(snippet)?.byteCount == byteCount)
    let cursor = try ContentCursor(.blob(blob), blobReaders: store.blobReaders)
    #expect(cursor.byteCount == byteCount)
    for range in Self.ranges(ofBlobWith: byteCount) {
      let expected = Self.bytes(range)
      #expect(try await store.content(of: blob, in: range) == expected, "\(range)")
      #expect(try await store.content(of: snippet, in: range) == expected, "\(range)")
      var pieces = Data()
      try store.forEachPiece(of: snippet, in: range) { pieces += $0 }
      #expect(pieces == expected, "\(range)")
      var memory = [UInt8](repeating: 0, count: expected.count)
      let count = try memory.withUnsafeMutableBytes {
        try store.readBlob(blob, at: range.lowerBound, into: $0)
      }
      #expect(count == expected.count && Data(memory) == expected, "\(range)")
    }
    let end = try await store.content(of: blob, in: byteCount - 5..<Int64.max)
    #expect(end == Self.bytes(byteCount - 5..<byteCount))
    for offset in [byteCount, .max] {
      var byte: UInt8 = 0
      #expect(
        try withUnsafeMutableBytes(of: &byte) {
          try store.readBlob(blob, at: offset, into: $0)
        } == 0
      )
    }
    try await store.close()
  }

  @Test(.enabled(if: isLong && PeakMemory.isMeaningful))
  func `three gigabytes go in and out in constant memory`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let folder = URL(fileURLWithPath: folder)
      let file = folder.appendingPathComponent("large")
      try LargeFile.make(at: file)
      let place = folder.appendingPathComponent("store.sqlite")
      let store = try SnippetStore(at: place)
      // Whatever is loaded once is loaded by then.
      try await store.save(Samples.voice(Samples.bytes(3_000_000)))
      let before = PeakMemory.byteCount ?? 0

      var draft = Samples.voice(Data(), title: "large")
      draft.content = .file(at: file)
      let row = try await store.save(draft)
      try LargeFile.expect(row.id, in: store)
      #expect(try await store.check().isSound)
      let backup = folder.appendingPathComponent("backup.sqlite")
      #expect(try await store.backUp(to: backup).isSound)
      try FileManager.default.removeItem(at: backup)
      let exported = folder.appendingPathComponent("exported")
      #expect(try await store.export(to: exported)[.exported] == 2)
      try await store.moveToTrash([row.id])
      #expect(try await store.purge().isComplete)
      #expect(try await store.information().fileByteCount < 8_000_000)
      let report = try await store.importFiles(at: [exported])
      #expect(report[.imported] == 1 && report[.duplicate] == 1)
      let again = try #require(try store.list().rows(in: 0..<2).first { $0.title == "large" })
      try LargeFile.expect(again.id, in: store)

      print("3 GB in and out: \(((PeakMemory.byteCount ?? 0) - before) >> 20) MiB more than before")
      #expect(try #require(PeakMemory.byteCount) - before < 64 << 20)
      try await store.close()
    }
  }

  /// Saves a large blob of which only the chunks are there that hold ``ranges``.
  private func saveParts(
    ofBlobWith byteCount: Int64,
    _ identity: Int64?,
    in store: SnippetStore
  ) throws -> (SnippetID, BlobID) {
    let size = Int64(BlobChunks.size)
    let numbers = Set(
      Self.ranges(ofBlobWith: byteCount).flatMap {
        $0.lowerBound / size...($0.upperBound - 1) / size
      }
    )
    return try store.connections.write(to: "save parts") { db in
      if let identity {
        try db.execute(
          sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('blob', ?)",
          arguments: [identity - 1]
        )
      }
      try db.execute(
        sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (randomblob(32), ?, ?)",
        arguments: [byteCount, size]
      )
      let blob = BlobID(rawValue: db.lastInsertedRowID)
      for number in numbers.sorted() {
        let chunk = Self.bytes(number * size..<min((number + 1) * size, byteCount))
        try chunk.withUnsafeBytes {
          try BlobWriter(db: db).insert($0, asChunk: number, of: blob)
        }
      }
      try db.execute(
        sql: """
          INSERT INTO snippet (kind, media_type, byte_count, blob_id)
          VALUES (3, 'audio/x-sample', ?, ?)
          """,
        arguments: [byteCount, blob.rawValue]
      )
      return (SnippetID(rawValue: db.lastInsertedRowID), blob)
    }
  }

  /// What stands in a range: each byte tells where.
  private static func bytes(_ range: Range<Int64>) -> Data {
    Data(range.map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 9 ^ $0 >> 21) })
  }
}

/// A file of 3 GB that takes no room: nothing but marks in a hole.
private enum LargeFile {
  static let byteCount: Int64 = 3_221_225_489
  static let marks: [Int64] = [0, (1 << 31) - 4, 1 << 31, byteCount - 8]

  static func make(at file: URL) throws {
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(byteCount))
    for mark in marks {
      try handle.seek(toOffset: UInt64(mark))
      try handle.write(contentsOf: bytes(mark))
    }
    try handle.close()
  }

  static func expect(_ id: SnippetID, in store: SnippetStore) throws {
    var sum: Int64 = 0
    var markCount = 0
    try store.forEachPiece(of: id) { piece in
      for mark in marks where sum..<sum + Int64(piece.count) ~= mark {
        let start = Int(mark - sum)
        if piece.dropFirst(start).prefix(4) == bytes(mark).prefix(4) { markCount += 1 }
      }
      sum += Int64(piece.count)
    }
    #expect(sum == byteCount)
    #expect(markCount == marks.count)
  }

  private static func bytes(_ mark: Int64) -> Data {
    withUnsafeBytes(of: (mark ^ 0x5A5A).littleEndian) { Data($0.prefix(4)) }
  }
}
