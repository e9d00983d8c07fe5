import Foundation

/// Files of a folder that are no longer what they were, by the hash of what they were: a new file
/// with these bytes is one of them with another name.
///
/// Each is handed out once, so that a folder with many equal files takes no longer than others. What
/// was handed out in a transaction that came to nothing is put back.
struct FormerFiles {
  /// The next one of each hash is the last.
  private var waiting: [Data: [String]] = [:]
  private var handedOut: [(sha256: Data, path: String)] = []

  /// Takes in files, of which the first is handed out first.
  init(_ files: [(sha256: Data, path: String)]) {
    for file in files.reversed() { waiting[file.sha256, default: []].append(file.path) }
  }

  /// Hands out the next file.
  ///
  /// - Parameters:
  ///   - sha256: The hash of what it was.
  ///   - find: Finds what is known of a path; `nil` where it is not such a file any more, which it
  ///     will not be again.
  /// - Returns: What was found; `nil` when there is no such file.
  /// - Throws: What `find` does.
  /// - Complexity: O(1) amortized in calls of `find`.
  mutating func next<Found>(
    _ sha256: Data,
    _ find: (String) throws -> Found?
  ) rethrows -> Found? {
    while let path = waiting[sha256]?.popLast() {
      handedOut.append((sha256, path))
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
    for file in handedOut.reversed() { waiting[file.sha256, default: []].append(file.path) }
    handedOut = []
  }
}
