package import Foundation
import SystemPackage

/// A small file that only its owner can read, and that belongs to the process that holds this
/// object.
///
/// When that process has ended, another can claim the file.
package final class ClaimedFile: Sendable {
  package let path: String
  private let file: OpenFile

  private init(_ file: OpenFile, at path: String) {
    (self.file, self.path) = (file, path)
  }

  /// Writes a file whose name is a prefix, a dash and a universal identity.
  ///
  /// It has its name once it is whole, and on return it is on the disk. After a kill in between a
  /// file is left whose name begins with the prefix and `-partial`.
  package static func write(_ bytes: Data, prefix: String) throws(FileError) -> ClaimedFile {
    let file = try OpenFile.temporary("\(prefix)-partial")
    let path = "\(prefix)-\(UUID().uuidString)"
    do throws(FileError) {
      // The lock stays with the file when it is renamed.
      _ = file.lock()
      var failure: FileError?
      bytes.withUnsafeBytes { bytes in
        do throws(FileError) { try file.write(bytes, at: 0) } catch { failure = error }
      }
      if let failure { throw failure }
      try file.synchronize()
      // Some file systems say only at the end of a descriptor that they could not take the bytes.
      try file.flush()
      try FileSystem.rename(file.path, to: path)
    } catch {
      FileSystem.remove(file.path)
      throw error
    }
    // A folder that cannot be synchronized is read back all the same, unless the power fails.
    try? FileSystem.synchronize(folder: path.folderPath)
    return ClaimedFile(file, at: path)
  }

  /// Claims a file; `nil` if another object or process holds it, or it is no regular file.
  package init?(claiming path: String) {
    guard let identity = FileIdentity(path: path), FileStatus.isRegular(path) == true,
      let file = try? OpenFile(path, .readWrite, options: [.noFollow, .nonBlocking]),
      // It may have been replaced, or removed by another process that had it.
      file.lock(), let status = try? file.status(), FileIdentity(status) == identity,
      FileIdentity(path: path) == identity
    else { return nil }
    (self.file, self.path) = (file, path)
  }

  /// Reads all bytes.
  package func content() throws(FileError) -> Data {
    Data(try file.bytes(at: 0, count: Int(try file.status().size)))
  }

  /// Removes the file.
  package func remove() {
    FileSystem.remove(path)
  }
}
