import SnippetBase
import SystemPackage

extension IrregularCompanion {
  /// The endings of the names that SQLite opens.
  private static let suffixes = ["-journal", "-wal", "-shm"]

  /// Throws if there is one beside a database, or beside the target if the path is a link.
  ///
  /// A link is one too, because SQLite opens the files beside a database without following links.
  /// What cannot be examined is left to SQLite.
  static func requireNone(beside path: String) throws(IrregularCompanion) {
    let database = FileStatus.target(of: path)
    for suffix in suffixes {
      let path = database + suffix
      guard let status = try? Stat(path, followTargetSymlink: false) else { continue }
      guard status.type == .regular else { throw IrregularCompanion(path: path) }
    }
  }
}
