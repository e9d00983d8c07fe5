import Dispatch
import Foundation
import SnippetBase

/// A source of keys.
package protocol ScreenInput: Sendable {
  /// Starts reading, unless it has started.
  func start()

  /// Stops reading.
  ///
  /// After it returns nothing more is read, and unread input is left to the next program.
  func stop()
}

/// Reads the input of the terminal from standard input, on a thread of its own.
package final class TerminalInput: ScreenInput {
  /// The time in milliseconds for which an ESC waits for more: long enough for a slow link, short
  /// enough for users not to notice.
  private static let escapeDelay: Int32 = 50

  private struct Reading {
    /// Wakes the thread so that it ends.
    let wake = Pipe()
    let ended = DispatchSemaphore(value: 0)
  }

  private let events: ScreenEvents
  private let reading = Lock<Reading?>(nil)

  /// Prepares to read.
  ///
  /// - Parameter events: Receives the input.
  package init(events: ScreenEvents) {
    self.events = events
  }

  package func start() {
    reading.withLock { reading in
      guard reading == nil else { return }
      let new = Reading()
      reading = new
      let descriptor = new.wake.fileHandleForReading.fileDescriptor
      // A thread of Foundation that cannot be made is none, and nothing says so.
      OwnThreads.start { [events] in
        Self.read(until: descriptor, events)
        new.ended.signal()
      }
    }
  }

  package func stop() {
    guard let reading = reading.withLock({ $0.take() }) else { return }
    // If the reader has ended, there is nothing to wake.
    try? reading.wake.fileHandleForWriting.close()
    reading.ended.wait()
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

/// The system's function `read`, which the method of that name hides.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  read(descriptor, buffer, count)
}
