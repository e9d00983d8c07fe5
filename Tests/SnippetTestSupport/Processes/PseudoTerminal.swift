import Foundation
import SnippetTesting

/// A terminal without a screen: its output can be read, byte for byte.
struct PseudoTerminal: Sendable {
  /// The side that a program takes for its terminal.
  let device: FileHandle
  private let master: FileHandle

  /// Makes a terminal.
  ///
  /// - Parameters:
  ///   - columns: Its columns.
  ///   - lines: Its lines.
  ///   - isRaw: Whether nothing is changed on its way, not even a line feed; `true` by default.
  ///     Otherwise the terminal edits lines, as a shell expects.
  /// - Throws: `POSIXError` if there is none available.
  init(columns: Int, lines: Int = 50, isRaw: Bool = true) throws {
    var (own, other): (Int32, Int32) = (-1, -1)
    var size = Self.size(columns: columns, lines: lines)
    try Self.checked(openpty(&own, &other, nil, nil, &size))
    master = FileHandle(fileDescriptor: own, closeOnDealloc: true)
    device = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    // A program started at the same time must not keep the device open.
    for descriptor in [own, other] { try Self.checked(fcntl(descriptor, F_SETFD, FD_CLOEXEC)) }
    guard isRaw else { return }
    var settings = termios()
    try Self.checked(tcgetattr(other, &settings))
    cfmakeraw(&settings)
    try Self.checked(tcsetattr(other, TCSANOW, &settings))
  }

  /// Changes the size of the terminal.
  func resize(columns: Int, lines: Int) throws {
    var size = Self.size(columns: columns, lines: lines)
    try Self.checked(ioctl(master.fileDescriptor, UInt(TIOCSWINSZ), &size))
  }

  /// Whether the terminal edits lines and echoes input.
  func editsLines() throws -> Bool {
    var settings = termios()
    try Self.checked(tcgetattr(master.fileDescriptor, &settings))
    return settings.c_lflag & tcflag_t(ICANON) != 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types bytes.
  func type(_ bytes: Data) throws {
    try master.write(contentsOf: bytes)
  }

  /// Reads the next bytes; `nil` once no process, this one included, has the device open.
  func nextBytes() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(master.fileDescriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // On Linux the end of a terminal is an error.
      return count > 0 ? Data(buffer[..<count]) : nil
    }
  }

  /// Reads until no process, this one included, has the device open.
  func bytesWritten() -> Data {
    var all = Data()
    while let bytes = nextBytes() { all.append(bytes) }
    return all
  }

  private static func size(columns: Int, lines: Int) -> winsize {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(lines)
    // Cells of the usual shape.
    size.ws_xpixel = UInt16(columns * 10)
    size.ws_ypixel = UInt16(lines * 20)
    return size
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
