import Foundation
import SnippetStore

/// A terminal that nobody looks at: what is written to it can be read, byte for byte.
struct PseudoTerminal: Sendable {
  /// The side that a program takes for its terminal.
  let device: FileHandle
  private let master: FileHandle

  init(columns: Int) throws {
    var (own, other): (Int32, Int32) = (-1, -1)
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = 50
    try Self.checked(openpty(&own, &other, nil, nil, &size))
    master = FileHandle(fileDescriptor: own, closeOnDealloc: true)
    device = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    // A program that is started meanwhile must not keep the device open.
    for descriptor in [own, other] { try Self.checked(fcntl(descriptor, F_SETFD, FD_CLOEXEC)) }
    // Raw: nothing is changed on its way, not even a line feed.
    var settings = termios()
    try Self.checked(tcgetattr(other, &settings))
    cfmakeraw(&settings)
    try Self.checked(tcsetattr(other, TCSANOW, &settings))
  }

  /// Reads what is written until nobody holds the device any more, this process included.
  func bytesWritten() -> Data {
    var all = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(master.fileDescriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // On Linux the end of a terminal is an error.
      if count <= 0 { return all }
      all.append(contentsOf: buffer[..<count])
    }
  }

  @discardableResult
  private static func checked(_ result: Int32) throws -> Int32 {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
  }
}

extension SnipTool {
  /// Runs `snip` to its end on a terminal; the output holds whatever was sent to it.
  package func onTerminal(columns: Int = 80, _ arguments: String...) async throws -> SnipOutput {
    try await onTerminal(columns: columns, arguments)
  }

  /// Runs `snip` to its end on a terminal; the output holds whatever was sent to it.
  package func onTerminal(columns: Int = 80, _ arguments: [String]) async throws -> SnipOutput {
    let terminal = try PseudoTerminal(columns: columns)
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = folder
    process.standardInput = terminal.device
    process.standardOutput = terminal.device
    process.standardError = terminal.device
    let ended = Gate()
    process.terminationHandler = { _ in ended.open() }
    try process.runAlone()
    try terminal.device.close()
    let bytes = try await Threads.run { terminal.bytesWritten() }
    await ended.untilOpen()
    return SnipOutput(bytes: bytes, status: process.terminationStatus)
  }
}
