import Foundation
import SnippetStorage

/// Files of a folder that are no longer what they were, by what tells a new file that is one of them
/// with another name.
///
/// Each is handed out once, so that a folder with many equal files takes no longer than others. What
/// was handed out in a transaction that came to nothing is put back.
struct FormerFiles {
  /// What tells a file.
  struct Key: Hashable {
    /// The hash of its bytes.
    var sha256: Data
    /// The date of its last change, which a new name does not touch, while most copies have another;
    /// `nil` where nothing stands in the former place, so that the bytes are enough.
    var modifiedNanoseconds: Int64?
  }

  /// The next one of each key is the last.
  private var waiting: [Key: [String]] = [:]
  private var handedOut: [(key: Key, path: String)] = []

  /// Takes in files, of which the first is handed out first.
  init(_ files: [(key: Key, path: String)] = []) {
    for file in files.reversed() { waiting[file.key, default: []].append(file.path) }
  }

  /// Hands out the next file.
  ///
  /// - Parameters:
  ///   - key: What tells it.
  ///   - find: Finds what is known of a path; `nil` where it is not such a file any more, which it
  ///     will not be again.
  /// - Returns: What was found; `nil` when there is no such file.
  /// - Throws: What `find` does.
  /// - Complexity: O(1) amortized in calls of `find`.
  mutating func next<Found>(
    _ key: Key,
    _ find: (String) throws -> Found?
  ) rethrows -> Found? {
    while let path = waiting[key]?.popLast() {
      handedOut.append((key, path))
      if let found = try find(path) { return found }
    }
    return nil
  }

  /// What was handed out is durable.
  mutating func settle() {
    handedOut = []
  }

  /// What was handed out and is not settled came to nothing, or some of it.
  mutating func putBack() {
    for file in handedOut.reversed() { waiting[file.key, default: []].append(file.path) }
    handedOut = []
  }
}
