import Foundation
import SnipCore
import TerminalKit

/// A file that takes the place of another one only when it is complete.
///
/// A link is followed, and its target is replaced. A pipe or a device cannot be replaced, so it is
/// written to.
final class ReplacementFile {
  private let path: String
  private let handle: FileHandle
  /// The file being written, if it is not the one to be replaced.
  private var partial: String?

  /// Starts an empty file beside the one to be replaced.
  ///
  /// - Parameter path: The file to be made or replaced.
  /// - Throws: ``OutputFileError``
  init(path: String) throws(OutputFileError) {
    guard !path.isEmpty else { throw OutputFileError(path: path, number: ENOENT) }
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    self.path = path
    var status = stat()
    let isThere = stat(path, &status) == 0
    let descriptor: Int32
    switch status.st_mode & S_IFMT {
    case _ where !isThere, S_IFREG:
      var template = Array((path + ".partial-XXXXXX").utf8CString)
      descriptor = mkstemp(&template)
      partial = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    case S_IFDIR:
      throw OutputFileError(path: path, number: EISDIR)
    default:
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw OutputFileError(path: path, number: errno) }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // Temporary files are private to their owner; this one gets the mode of the file that it
    // replaces, or of any new one.
    if partial != nil { fchmod(descriptor, isThere ? status.st_mode & 0o7777 : Self.newFileMode) }
  }

  deinit {
    if let partial { unlink(partial) }
  }

  /// Asked for once: while it is asked, other threads would make files without the mask.
  private static let newFileMode: mode_t = {
    let mask = umask(0)
    umask(mask)
    return 0o666 & ~mask
  }()

  /// Adds bytes at the end.
  ///
  /// - Parameter piece: The bytes.
  /// - Throws: ``OutputFileError``
  func write(_ piece: Data) throws(OutputFileError) {
    let sink = FileDescriptorSink(descriptor: handle.fileDescriptor)
    do {
      try piece.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          rest = rest.dropFirst(try sink.write(UnsafeRawBufferPointer(rebasing: rest)))
        }
      }
    } catch {
      throw OutputFileError(path: path, number: (error as? OutputSinkError)?.number ?? EIO)
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``OutputFileError``
  func publish() throws(OutputFileError) {
    guard let partial else { return }
    guard rename(partial, path) == 0 else { throw OutputFileError(path: path, number: errno) }
    self.partial = nil
  }
}

/// The reason why a file could not be written.
struct OutputFileError: StatusError {
  let path: String
  let number: Int32

  var status: ExitStatus {
    [ENOSPC, EDQUOT, EIO].contains(number) ? .diskFailure : .cannotCreate
  }

  var message: String { "could not write \(path): \(String(cString: strerror(number)))" }
  var hint: String? { nil }
}
