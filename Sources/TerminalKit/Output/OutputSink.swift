import SnippetBase

/// The destination of a console stream.
package protocol OutputSink: Sendable {
  /// Writes the first of some bytes, and waits if the other side is slow.
  ///
  /// - Parameter bytes: The bytes, at least one.
  /// - Returns: The number of bytes written, at least one.
  /// - Throws: ``OutputSinkError``, if none of these bytes was written.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputSinkError) -> Int

  /// Finds out, after the last byte, whether the other side could not take some of them.
  ///
  /// - Throws: ``OutputSinkError``
  func finish() throws(OutputSinkError)
}

extension OutputSink {
  package func finish() throws(OutputSinkError) {}
}

/// A failure of a sink, with the system's error number.
package struct OutputSinkError: Error, Equatable {
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }
}

/// An open file, pipe or terminal of this process.
package struct FileDescriptorSink: OutputSink {
  package let descriptor: Int32

  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputSinkError) -> Int {
    while true {
      let count = systemWrite(descriptor, bytes.baseAddress, bytes.count)
      if count > 0 { return count }
      let number = count == 0 ? EIO : errno
      if number == EINTR { continue }
      // Another program may have made a shared pipe or terminal non-blocking.
      guard number == EAGAIN || number == EWOULDBLOCK else { throw OutputSinkError(number: number) }
      try waitUntilWritable()
    }
  }

  /// Asks the disk of a file, which may write only at the end of a descriptor, also of a second.
  package func finish() throws(OutputSinkError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard second >= 0 else { return }
    guard close(second) == 0 else { throw OutputSinkError(number: errno) }
  }

  private func waitUntilWritable() throws(OutputSinkError) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&request, 1, -1) < 0 {
      if errno != EINTR { throw OutputSinkError(number: errno) }
    }
  }
}

/// The system's function `write`, which the method of that name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
