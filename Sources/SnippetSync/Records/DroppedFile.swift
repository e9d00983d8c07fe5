import Foundation
import SnippetBase

/// The hash of a sealed log file that a purge dropped before the head named it.
///
/// The outbox keeps it in place of the file. Its number may be in the repository, so it is not given to
/// another file: the place would refuse that, as if a clone had written it.
struct DroppedFile: Sendable {
  /// The number of bytes in the outbox: fewer than any sealed file has.
  static let byteCount = 32

  private let hash: Data

  /// Reads what the outbox keeps; `nil` for a whole file.
  init?(_ kept: Data) {
    guard kept.count == Self.byteCount else { return nil }
    hash = kept
  }

  /// Returns what the outbox keeps of a file.
  static func mark(of file: Data) -> Data { ContentHash.of(file) }

  /// Whether an object of the repository is the file that was dropped.
  func isHash(of object: Data) -> Bool { ContentHash.of(object) == hash }
}
