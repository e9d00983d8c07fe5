import SnippetBase
import SystemPackage

/// A store file that this process has open.
///
/// SQLite goes on with what it has open when somebody moves or deletes the file or the log beside
/// it, and acknowledges writes that nobody will ever find. So what stands at the path is compared.
///
/// All of them are known, so that nobody opens one by other means than SQLite: closing it again
/// would drop the locks that this process holds
/// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
final class OpenStoreFile: Sendable {
  private static let paths = Lock<[ObjectIdentifier: String]>([:])

  let path: String
  private let identity: FileIdentity?
  /// The log, which stays for as long as somebody has the file open; `nil` where there is none.
  private let log = Lock<FileIdentity?>(nil)

  /// Makes the file known until ``close()`` or the last reference.
  init(path: String) {
    self.path = path
    identity = FileIdentity(path: path)
    Self.paths.withLock { $0[ObjectIdentifier(self)] = path }
  }

  deinit {
    close()
  }

  /// Takes the log beside the file for the one that the connections have open, as they now have.
  func noteLog() {
    log.withLock { $0 = FileIdentity(path: path + "-wal") }
  }

  /// What of the file is not where it was any more; `nil` when all is.
  ///
  /// - Throws: The error of the system when that cannot be told.
  func displaced() throws -> String? {
    if let identity, try Self.identity(at: path) != identity { return "file" }
    if let log = log.withLock(\.self), try Self.identity(at: path + "-wal") != log { return "log" }
    return nil
  }

  private static func identity(at path: String) throws -> FileIdentity? {
    do throws(Errno) {
      return FileIdentity(try Stat(path))
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw FileError(path, error)
    }
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
