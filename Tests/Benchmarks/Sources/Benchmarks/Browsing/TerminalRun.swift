import CoreBenchmarks
import Foundation

/// A program on a terminal of its own, of which it knows nothing but what any other tells it.
final class TerminalRun {
  static let columns = 120
  static let lines = 40

  /// How many bytes the program has sent.
  private(set) var byteCount = 0
  /// What it has sent since the last time was taken.
  private(set) var received = Data()

  private let process = Process()
  private let master: Int32

  /// Starts a program.
  init(_ program: URL, _ arguments: [String], environment: [String: String]) throws {
    var (own, device): (Int32, Int32) = (-1, -1)
    var size = winsize()
    size.ws_col = UInt16(Self.columns)
    size.ws_row = UInt16(Self.lines)
    guard openpty(&own, &device, nil, nil, &size) == 0 else {
      throw RawError(message: "no terminal")
    }
    master = own
    // What is started must not keep the terminal open.
    _ = fcntl(own, F_SETFD, FD_CLOEXEC)
    let handle = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  /// Types.
  func send(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    guard write(master, bytes, bytes.count) == bytes.count else {
      throw RawError(message: "the terminal takes no keys")
    }
  }

  /// Types, and takes the time until a text has come.
  func time(_ keys: String, until text: String) throws -> Duration {
    let clock = ContinuousClock()
    let mark = Data(text.utf8)
    received.removeAll(keepingCapacity: true)
    let start = clock.now
    try send(keys)
    while received.range(of: mark) == nil {
      guard read(for: .seconds(5)) else { throw RawError(message: "a key without an answer") }
    }
    return start.duration(to: clock.now)
  }

  /// Reads what has come, if anything does in time.
  @discardableResult
  func read(for time: Duration) -> Bool {
    var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, Int32(max(1, time / .milliseconds(1)))) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    received.append(contentsOf: buffer[..<count])
    byteCount += count
    return true
  }

  /// Reads until nothing has come for half a second.
  func rest() {
    while read(for: .milliseconds(500)) {}
  }

  /// Ends a program that knows no key for it.
  func stop() {
    process.terminate()
    process.waitUntilExit()
    _ = close(master)
  }

  /// Waits for the end of the program, after it has been told to end.
  func waitForEnd() throws {
    while read(for: .seconds(1)) {}
    process.waitUntilExit()
    _ = close(master)
    guard process.terminationStatus == 0 else { throw RawError(message: "a program failed") }
  }
}
