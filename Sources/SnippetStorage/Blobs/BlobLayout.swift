import GRDB

/// The cut of a blob into chunks: chunk *n* is the row with the id `blob * 2^20 + n`.
enum BlobChunks {
  /// The size of the chunks of new blobs: 256 KiB.
  ///
  /// A blob of at most this size is a single row.
  ///
  /// Measured with pages of 4, 8 and 16 KiB and chunks of 64 KiB to 1 MiB (`Benchmarks --filter
  /// layout`): within the noise, the size of chunks makes no difference to writing or to reading
  /// all or 4 kB. Smaller chunks would make more rows. Larger ones would make a longer tail of a
  /// recording, which is rewritten every second.
  static let size = 1 << 18

  /// The most chunks in a blob; the schema has the same limit.
  static let maximumCount: Int64 = 1 << 20

  /// Returns the row of a chunk.
  static func row(_ number: Int64, of blob: BlobID) -> Int64 {
    blob.rawValue << 20 | number
  }
}

/// The size of a blob and of its chunks.
package struct BlobLayout: Sendable, Equatable {
  package let byteCount: Int64
  package let chunkSize: Int64

  /// Refuses sizes that the schema forbids, which occur only in a damaged file.
  package init?(byteCount: Int64?, chunkSize: Int64?) {
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

  /// Returns the size that a chunk must have.
  func byteCount(ofChunk number: Int64) -> Int64 {
    min(chunkSize, byteCount - number * chunkSize)
  }
}
