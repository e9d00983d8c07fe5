import Foundation
import SnipCore

/// An input to wait for with a time limit, and until an interrupt.
final class WaitingInput: Sendable {
  /// The outcome of waiting.
  enum Event: Sendable {
    case bytes(Data)
    /// Nothing arrived in time.
    case silence
    /// The input has ended, or the program was asked to end.
    case end
  }

  private let descriptor: Int32
  private let wakeUp = Pipe()

  /// The most bytes at once.
  private static let pieceByteCount = 1 << 18

  /// Reads a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read; it is not closed.
  ///   - interrupts: The requests that end the waiting.
  init(_ descriptor: Int32, interrupts: Interrupts) {
    self.descriptor = descriptor
    interrupts.whenRequested { [wakeUp] in
      // The reader notices only the end of this pipe.
      try? wakeUp.fileHandleForWriting.close()
    }
  }

  /// Waits for the next bytes.
  ///
  /// - Parameter patience: The longest time to wait.
  /// - Returns: The outcome.
  /// - Throws: ``InputFailure`` when it cannot be read.
  func next(within patience: Duration) throws -> Event {
    var watched = [
      pollfd(fd: wakeUp.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = poll(&watched, 2, Int32(clamping: Int64(patience / .milliseconds(1))))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw InputFailure(code: errno) }
      if count == 0 { return .silence }
      if watched[0].revents != 0 { return .end }
      var memory = [UInt8](repeating: 0, count: Self.pieceByteCount)
      let found = read(descriptor, &memory, memory.count)
      if found < 0, errno == EINTR || errno == EAGAIN { continue }
      guard found >= 0 else { throw InputFailure(code: errno) }
      return found == 0 ? .end : .bytes(Data(memory[..<found]))
    }
  }
}

/// Standard input cannot be read.
struct InputFailure: StatusError {
  let code: Int32

  var status: ExitStatus { code == EIO ? .diskFailure : .badInput }
  var message: String { "could not read standard input: \(String(cString: strerror(code)))" }
  var hint: String? { nil }
}

extension InputFailure {
  /// Takes the reason from an error of Foundation.
  init(_ error: any Error) { self.init(code: error.systemNumber ?? EIO) }
}
