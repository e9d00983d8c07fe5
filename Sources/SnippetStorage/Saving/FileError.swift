import Foundation

/// A system call on a file failed.
struct FileError: Error {
  let path: String
  let code: Int32

  init(_ path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  var reason: String { "\(path): \(String(cString: strerror(code)))" }
}
