import Foundation

/// Reads what the terminal sends to standard input, on a thread of its own.
package final class TerminalInput: Sendable {
  /// How long an ESC waits for what follows, in milliseconds: a link may be slow, a user must not
  /// notice.
  private static let escapeDelay: Int32 = 50

  /// Wakes the thread so that it ends.
  private let wake = Pipe()

  /// Starts reading.
  ///
  /// - Parameter events: Where what it sends goes.
  package init(events: ScreenEvents) {
    let wakeDescriptor = wake.fileHandleForReading.fileDescriptor
    let thread = Thread { Self.read(until: wakeDescriptor, events) }
    thread.name = "snip.keys"
    thread.start()
  }

  /// Ends the reading; what has not been read is left to the next program.
  package func stop() {
    // Without a reader there is nobody to wake.
    try? wake.fileHandleForWriting.close()
  }

  private static func read(until wake: Int32, _ events: ScreenEvents) {
    var decoder = KeyDecoder()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var requests = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&requests, 2, decoder.isWaiting ? escapeDelay : -1)
      if count < 0, errno == EINTR { continue }
      if count < 0 || requests[1].revents != 0 { return }
      if count == 0 {
        for event in decoder.decodeRest() { events.post(.terminal(event)) }
        continue
      }
      let byteCount = systemRead(STDIN_FILENO, &buffer, buffer.count)
      if byteCount < 0, errno == EINTR || errno == EAGAIN { continue }
      guard byteCount > 0 else { return events.post(.inputEnded) }
      for event in decoder.decode(buffer[..<byteCount]) { events.post(.terminal(event)) }
    }
  }
}

/// The function `read` of the system, which the method of that name hides.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  read(descriptor, buffer, count)
}
