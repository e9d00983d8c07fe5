import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Bytes that can be read at any place, from any thread.
protocol ByteSource: Sendable {
  /// How many bytes there are.
  var byteCount: Int64 { get }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Returns: How many bytes were read: fewer than asked for only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

extension ByteSource {
  /// Up to `count` bytes from `offset` on; fewer at the end.
  func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let count = Int(min(Int64(count), byteCount - offset))
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }

  /// Calls `body` with all the bytes in order, in pieces of `size` and a shorter last one.
  ///
  /// Throws ``SnippetStoreError/Code/contentChanged`` when there are fewer bytes than there were.
  func forEachPiece(
    of size: Int = 1 << 20,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let total = byteCount
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(min(Int64(size), max(total, 1))),
      alignment: 16
    )
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while offset < total {
      let wanted = Int(min(Int64(buffer.count), total - offset))
      let count = try read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]),
        at: offset
      )
      guard count == wanted else { throw ContentChange() }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }
}

/// The bytes were not the same when they were read a second time.
struct ContentChange: Error {}

/// A system call on a file failed.
struct FileError: Error {
  let path: String
  let code: Int32

  init(_ path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  var reason: String { "\(path): \(String(cString: strerror(code)))" }
}

/// Bytes in memory.
struct MemoryBytes: ByteSource {
  let data: Data

  var byteCount: Int64 { Int64(data.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let start = data.startIndex + Int(offset)
    let end = min(data.endIndex, start + buffer.count)
    return data[start..<end].copyBytes(to: buffer)
  }
}

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
