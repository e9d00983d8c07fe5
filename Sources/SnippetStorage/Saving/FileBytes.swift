import Foundation
import SnippetBase

/// The bytes of an open file, as many as it had when it was opened.
final class FileBytes: ByteSource {
  let byteCount: Int64
  let modifiedAt: Date
  private let path: String
  private let descriptor: Int32

  /// Opens a regular file for reading.
  ///
  /// A pipe or a device is refused before it is opened, since that alone could wait for ever.
  init(path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileError(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw NotARegularFile(path: path) }
    guard !OpenStoreFile.contains(FileIdentity(status)) else { throw StoreInUse(path: path) }
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw NotARegularFile(path: path)
    }
    self.path = path
    byteCount = Int64(status.st_size)
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    modifiedAt = Date(
      timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    )
  }

  deinit {
    close(descriptor)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try readFully(descriptor, into: buffer, at: offset, path: path)
  }
}

/// What was to be read is a folder, a pipe or a device.
struct NotARegularFile: Error {
  let path: String
}

/// What was to be read is a file of a store that this process has open.
struct StoreInUse: Error {
  let path: String
}

/// Reads until `buffer` is full or the file ends.
func readFully(
  _ descriptor: Int32,
  into buffer: UnsafeMutableRawBufferPointer,
  at offset: Int64,
  path: String
) throws -> Int {
  var done = 0
  while done < buffer.count {
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
    let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
    if count == 0 { break }
    if count < 0 {
      if errno == EINTR { continue }
      throw FileError(path)
    }
    done += count
  }
  return done
}

/// Writes all of `bytes`.
func writeFully(
  _ descriptor: Int32,
  _ bytes: UnsafeRawBufferPointer,
  at offset: Int64,
  path: String
) throws(FileError) {
  var done = 0
  while done < bytes.count {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
    let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
    if written < 0 {
      if errno == EINTR { continue }
      throw FileError(path)
    }
    done += written
  }
}
