import Foundation
import GRDB
import SnippetBase

/// Holds the bytes of a whole blob, as they pass by, against the hash they were saved with.
struct BlobHashCheck: Sendable {
  /// The hash that the bytes must have.
  let sha256: Data
  private let blob: BlobID
  private var hash = ContentHash()

  /// Begins before the first byte.
  init(of blob: BlobID, sha256: Data) {
    self.blob = blob
    self.sha256 = sha256
  }

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - piece: The bytes.
  ///   - isLast: Whether these are the last, so that it shows whether all were right.
  /// - Throws: That the bytes are damaged.
  mutating func take(_ piece: Data, isLast: Bool) throws {
    piece.withUnsafeBytes { hash.update($0) }
    guard isLast, hash.finish() != sha256 else { return }
    throw DatabaseError.damage("the bytes of blob \(blob) do not match its hash")
  }
}
