import Foundation
import SnippetBase
import SystemPackage

/// The bytes of an open file, up to its size when it was opened.
final class FileBytes: ByteSource {
  let byteCount: Int64
  let modifiedAt: Date
  private let file: OpenFile

  /// Opens a regular file for reading.
  ///
  /// A pipe or a device is refused before it is opened: opening alone could wait forever.
  init(path: String) throws {
    let status: Stat
    do throws(Errno) { status = try Stat(path) } catch { throw FileError(path, error) }
    guard status.type == .regular else { throw NotARegularFile(path: path) }
    guard !OpenStoreFile.contains(FileIdentity(status)) else { throw StoreInUse(path: path) }
    file = try OpenFile(path, options: .nonBlocking)
    let opened = try file.status()
    guard opened.type == .regular else { throw NotARegularFile(path: path) }
    byteCount = opened.size
    modifiedAt = opened.modifiedAt
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }
}
