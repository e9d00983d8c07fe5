package import SystemPackage

/// A system call on a file failed.
package struct FileError: Error {
  /// The file.
  package let path: String
  /// The cause.
  package let code: Errno

  package init(_ path: String, _ code: Errno) {
    self.path = path
    self.code = code
  }

  /// The path and the cause.
  package var reason: String { "\(path): \(code)" }
}

/// The path to read is a folder, a pipe or a device.
package struct NotARegularFile: Error {
  package let path: String

  package init(path: String) {
    self.path = path
  }
}

extension FileError {
  /// Calls the system, and adds the path of the file to its errors.
  static func naming<Result>(
    _ path: String,
    _ call: () throws -> Result
  ) throws(FileError) -> Result {
    do {
      return try call()
    } catch {
      throw FileError(path, error as? Errno ?? .ioError)
    }
  }

  /// Calls a C function that returns a negative number on failure.
  @discardableResult
  package static func check(_ path: String, _ call: () -> Int32) throws(FileError) -> Int32 {
    let result = call()
    guard result >= 0 else { throw FileError(path, Errno(rawValue: errno)) }
    return result
  }
}
