import SnippetBase

/// A store file that this process has open.
///
/// All of them are known, so that nobody opens one by other means than SQLite: closing it again
/// would drop the locks that this process holds
/// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
final class OpenStoreFile: Sendable {
  private static let paths = Lock<[ObjectIdentifier: String]>([:])

  /// Makes the file known until ``close()`` or the last reference.
  init(path: String) {
    Self.paths.withLock { $0[ObjectIdentifier(self)] = path }
  }

  deinit {
    close()
  }

  /// Makes the file one like any other.
  func close() {
    Self.paths.withLock { $0[ObjectIdentifier(self)] = nil }
  }

  /// Whether a file is one of a store that is open: the database, its log or the index of that.
  static func contains(_ identity: FileIdentity) -> Bool {
    let paths = paths.withLock { Array($0.values) }
    return paths.contains { path in
      ["", "-wal", "-shm"].contains { FileIdentity(path: path + $0) == identity }
    }
  }
}
