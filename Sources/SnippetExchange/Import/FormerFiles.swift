import Foundation

/// Files of a folder that have disappeared or changed, to recognize new files that are old ones
/// renamed.
///
/// Each is returned once, so many equal files in a folder take no longer than different ones. Files
/// returned in a transaction that fails are put back.
struct FormerFiles {
  /// The identifying properties of a file.
  struct Key: Hashable {
    /// The hash of its bytes.
    var sha256: Data
    /// The date of its last change, which renaming does not alter, while most copies have another.
    ///
    /// `nil` if there is no file in the former place, so that the bytes are enough.
    var modifiedNanoseconds: Int64?
  }

  /// In reverse order: the next file for a key is the last.
  private var waiting: [Key: [String]] = [:]
  private var handedOut: [(key: Key, path: String)] = []

  /// Adds files; the first is returned first.
  init(_ files: [(key: Key, path: String)] = []) {
    for file in files.reversed() { waiting[file.key, default: []].append(file.path) }
  }

  /// Returns the next file that can be found; `nil` if there is none.
  ///
  /// `find` looks up a path; `nil` if it no longer is such a file, which is final.
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

  /// Confirms that the returned files are durable.
  mutating func settle() {
    handedOut = []
  }

  /// Puts back the files returned since the last confirmation, because their transaction failed.
  mutating func putBack() {
    for file in handedOut.reversed() { waiting[file.key, default: []].append(file.path) }
    handedOut = []
  }
}
