import CStorage
package import Foundation
package import SystemPackage

/// An open file, closed when it is released.
///
/// Its errors include its path. A file that was written must be closed with ``close()``, or sent
/// with ``flush()``: a release keeps the last error of the disk to itself.
package final class OpenFile: Sendable {
  package let path: String
  package let descriptor: FileDescriptor
  private let isClosed = Lock(false)

  /// Takes over an open descriptor.
  package init(_ descriptor: FileDescriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens a file; child processes do not inherit it.
  package convenience init(
    _ path: String,
    _ mode: FileDescriptor.AccessMode = .readOnly,
    options: FileDescriptor.OpenOptions = [],
    permissions: FilePermissions? = nil
  ) throws(FileError) {
    try FileCalls.tell(.open(path, creates: options.contains(.create)))
    let descriptor = try FileError.naming(path) {
      try FileDescriptor.open(
        FilePath(path),
        mode,
        options: options.union(.closeOnExec),
        permissions: permissions
      )
    }
    self.init(descriptor, path: path)
  }

  /// Makes an empty file that only its owner can read or write, and opens it for both; child
  /// processes do not inherit it.
  ///
  /// Its name is the prefix, a dash and six letters.
  package static func temporary(_ prefix: String) throws(FileError) -> OpenFile {
    var template = Array("\(prefix)-XXXXXX".utf8CString)
    try FileCalls.tell(.open(prefix, creates: true))
    let descriptor = try FileError.check(prefix) { mkstemp(&template) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    return OpenFile(FileDescriptor(rawValue: descriptor), path: path)
  }

  deinit {
    if !isClosed.withLock(\.self) { try? descriptor.close() }
  }

  /// Closes the file, which must not be used any more, and throws what the disk could not take.
  ///
  /// File systems over a network, in user space and with quotas may write only now. After an error
  /// the file is closed too, and trying again would not help.
  package func close() throws(FileError) {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    guard !wasClosed else { return }
    var failure: FileError?
    do throws(FileError) { try FileCalls.tell(.close(path)) } catch { failure = error }
    do throws(FileError) {
      try FileError.naming(path) { try descriptor.close() }
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
  }

  /// Sends the content as ``close()`` does, and throws what the disk could not take, while the file
  /// stays open and locked.
  ///
  /// A file system is asked at the end of each descriptor, also of a second one.
  package func flush() throws(FileError) {
    try FileCalls.tell(.close(path))
    let second = try FileError.check(path) { fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0) }
    try FileError.naming(path) { try FileDescriptor(rawValue: second).close() }
  }

  /// Returns the status of the file.
  package func status() throws(FileError) -> Stat {
    try FileError.naming(path) { try descriptor.stat() }
  }

  /// Reads until `buffer` is full or the file ends, and returns the number of bytes.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(FileError) -> Int {
    try FileCalls.tell(.read(path))
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let place = offset + Int64(done)
      let count = try FileError.naming(path) {
        try descriptor.read(fromAbsoluteOffset: place, into: rest)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Returns up to `count` bytes from `offset` on; fewer at the end.
  package func bytes(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      do throws(FileError) {
        initializedCount = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all of `bytes`.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    try FileCalls.tell(.write(path, bytes, offset: offset))
    _ = try FileError.naming(path) { try descriptor.writeAll(toAbsoluteOffset: offset, bytes) }
  }

  /// Waits until all content is on the disk.
  package func synchronize() throws(FileError) {
    try FileCalls.tell(.sync(path))
    try FileError.check(path) { fsync(descriptor.rawValue) }
  }

  /// Cuts the file off after a number of bytes.
  package func truncate(to byteCount: Int64) throws(FileError) {
    try FileCalls.tell(
      .write(path, UnsafeRawBufferPointer(start: nil, count: 0), offset: byteCount)
    )
    try FileError.naming(path) { try descriptor.resize(to: byteCount) }
  }

  /// Takes over the owner, the group, the extended attributes and the access list of the file whose
  /// place this one is to take, as far as the system allows that.
  ///
  /// Otherwise a note that root exports could not be read by its owner any more. The permissions may
  /// change, and are to be set after that.
  package func takeOwner(of former: OpenFile) {
    snippet_take_owner(descriptor.rawValue, former.descriptor.rawValue)
  }

  /// Makes a file and locks it, where others remove such files that are not locked.
  package static func locked(
    _ make: () throws(FileError) -> OpenFile,
    remove: (OpenFile) -> Void
  ) throws(FileError) -> OpenFile {
    let file = try make()
    if file.lock(), try file.status().linkCount > 0 { return file }
    // Another process took it for a leftover, in the moment before it was locked. That process does
    // not know of a second one. A file system without locks needs none, because nothing is removed
    // there.
    remove(file)
    let second = try make()
    _ = second.lock()
    return second
  }

  /// Locks the file until it is released, against all others who lock it, even in this process.
  ///
  /// Returns `false` if it is locked already.
  package func lock() -> Bool {
    flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0
  }
}

extension Stat {
  /// The date of the last change.
  package var modifiedAt: Date {
    Date(timeIntervalSince1970: Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1_000_000_000)
  }
}
