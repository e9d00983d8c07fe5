import GRDB

/// The cut of a blob into chunks: chunk *n* is the row with the id `blob * 2^20 + n`.
enum BlobChunks {
  /// The size of the chunks of new blobs: 256 KiB.
  ///
  /// A blob of at most this size is a single row.
  ///
  /// Measured with pages of 4, 8 and 16 KiB and chunks of 64 KiB to 1 MiB (`Benchmarks --filter
  /// layout`), the size of chunks makes no difference that stands out of the noise, neither in
  /// writing nor in reading all or 4 kB. Smaller ones would make more rows, and larger ones a
  /// longer tail of a recording, which is written again each second.
  static let size = 1 << 18

  /// The most chunks that a blob may have; the schema holds the same limit.
  static let maximumCount: Int64 = 1 << 20

  /// The row of a chunk.
  static func row(_ number: Int64, of blob: BlobID) -> Int64 {
    blob.rawValue << 20 | number
  }
}

/// The size of a blob and of its chunks.
struct BlobLayout: Sendable, Equatable {
  let byteCount: Int64
  let chunkSize: Int64

  /// Refuses what the schema forbids and only a damaged file can hold.
  init?(byteCount: Int64?, chunkSize: Int64?) {
    guard let byteCount, let chunkSize, (1...1 << 24).contains(chunkSize), byteCount > 0,
      byteCount <= chunkSize * BlobChunks.maximumCount
    else { return nil }
    self.byteCount = byteCount
    self.chunkSize = chunkSize
  }

  /// Reads the two sizes from the first columns of a row.
  init(of blob: BlobID, in row: StatementRow) throws {
    guard let layout = Self(byteCount: try row.number(0), chunkSize: try row.number(1)) else {
      throw DatabaseError.damage("blob \(blob) has an impossible size")
    }
    self = layout
  }

  /// The size that a chunk must have.
  func byteCount(ofChunk number: Int64) -> Int64 {
    min(chunkSize, byteCount - number * chunkSize)
  }
}
