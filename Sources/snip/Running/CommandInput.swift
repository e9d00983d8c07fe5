import Foundation

/// Standard input, or a substitute for it.
struct CommandInput: Sendable {
  private let handle: FileHandle

  /// Creates an input.
  ///
  /// - Parameter handle: The file to read. The default is standard input.
  init(_ handle: FileHandle = .standardInput) {
    self.handle = handle
  }

  /// The descriptor to read.
  var descriptor: Int32 { handle.fileDescriptor }

  /// Whether it comes from a keyboard.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Whether it comes from a pipe, a socket or a file, and not from a device.
  var isPipeOrFile: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFREG].contains(status.st_mode & S_IFMT)
  }

  /// Reads the next bytes, and waits for them.
  ///
  /// - Parameter count: The most bytes.
  /// - Returns: The bytes; `nil` at the end.
  /// - Throws: The error of the system.
  func read(upToCount count: Int) throws -> Data? {
    let piece = try handle.read(upToCount: count)
    return piece?.isEmpty == false ? piece : nil
  }

  /// Reads the rest, and waits for its end.
  ///
  /// - Returns: The bytes.
  /// - Throws: The error of the system.
  func readToEnd() throws -> Data { try handle.readToEnd() ?? Data() }
}
