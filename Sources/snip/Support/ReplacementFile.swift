import Foundation

/// A file that takes the place of another one only when it is complete.
final class ReplacementFile {
  private let url: URL
  private let partial: URL
  private let handle: FileHandle
  private var isPublished = false

  /// Starts an empty file beside the one to be replaced.
  ///
  /// - Parameter path: The file to be made or replaced.
  /// - Throws: ``OutputFileError``
  init(path: String) throws(OutputFileError) {
    url = URL(fileURLWithPath: path)
    var template = Array((path + ".partial-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw OutputFileError(path: path, number: errno) }
    let name = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    partial = URL(fileURLWithPath: name)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // Temporary files are made for their owner alone; this one gets the mode of any new file.
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, 0o666 & ~mask)
  }

  deinit {
    if !isPublished { unlink(partial.path) }
  }

  /// Adds bytes at the end.
  ///
  /// - Parameter piece: The bytes.
  /// - Throws: What the system says.
  func write(_ piece: Data) throws {
    do {
      try handle.write(contentsOf: piece)
    } catch {
      throw OutputFileError(path: url.path, number: errno)
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``OutputFileError``
  func publish() throws(OutputFileError) {
    guard rename(partial.path, url.path) == 0 else {
      throw OutputFileError(path: url.path, number: errno)
    }
    isPublished = true
  }
}

/// Why a file could not be written.
struct OutputFileError: StatusError {
  let path: String
  let number: Int32

  var status: ExitStatus { number == ENOSPC || number == EIO ? .diskFailure : .cannotCreate }
  var message: String { "could not write \(path): \(String(cString: strerror(number)))" }
  var hint: String? { nil }
}
