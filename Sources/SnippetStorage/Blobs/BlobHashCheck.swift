import Foundation
import GRDB
import SnippetBase

/// Compares the bytes of a whole blob, piece by piece, with the hash they were saved with.
struct BlobHashCheck: Sendable {
  /// The expected hash.
  let sha256: Data
  private let blob: BlobID
  private var hash = ContentHash()

  /// Begins before the first byte.
  init(of blob: BlobID, sha256: Data) {
    self.blob = blob
    self.sha256 = sha256
  }

  /// Adds the next bytes.
  ///
  /// - Parameters:
  ///   - piece: The bytes.
  ///   - isLast: Whether these are the last, which completes the comparison.
  /// - Throws: An error that reports damage.
  mutating func take(_ piece: Data, isLast: Bool) throws {
    piece.withUnsafeBytes { hash.update($0) }
    guard isLast, hash.finish() != sha256 else { return }
    throw DatabaseError.damage("the bytes of blob \(blob) do not match its hash")
  }
}
