import GRDB

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
