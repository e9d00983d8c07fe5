import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import SystemPackage
import TerminalKit

/// A file that takes the place of another one only when it is complete and on the disk.
///
/// A link is followed, and its target is replaced or made, as the shell does. A pipe or a device cannot be replaced, so it is
/// written to, and a path that names a descriptor of this process, such as `/dev/stdout`, is written through that.
/// A store, and what belongs to one, is refused.
final class ReplacementFile {
  private let path: String
  private let file: OpenFile
  /// Whether the file being written is not the one to be replaced.
  private var isPartial = false
  private var byteCount: Int64 = 0

  /// Starts an empty file beside the one to be replaced.
  ///
  /// - Parameter path: The file to be made or replaced.
  /// - Throws: ``OutputFileError``; `SnippetStoreError` if a store would be lost, or if the unfinished
  ///   file would stay.
  init(path: String) throws {
    guard !path.isEmpty else { throw OutputFileError(path: path, number: ENOENT) }
    try StoreSeam.requireNoStore(at: path, during: "write \(path)")
    if let number = FileSystem.ownDescriptor(at: path) {
      // The shell's file has more than these bytes, and stays open.
      let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw OutputFileError(path: path, number: errno) }
      self.path = path
      file = OpenFile(FileDescriptor(rawValue: copy), path: path)
      return
    }
    do {
      self.path = try FileSystem.place(of: path)
    } catch {
      throw OutputFileError(path, error)
    }
    let path = self.path
    let status = try? Stat(path)
    if status == nil || status?.type == .regular {
      try StoreSeam.requireRemovals(beside: path, during: "write \(path)")
    }
    do {
      switch status?.type {
      case nil, .regular?:
        file = try UnfinishedFile.make(beside: path)
        isPartial = true
      case .directory?: throw FileError(path, .isDirectory)
      default: file = try OpenFile(path, .writeOnly)
      }
    } catch {
      throw OutputFileError(path, error)
    }
    // Unfinished files are private to their owner; this one gets the mode of the file that it
    // replaces, or of any new one.
    let mode = status.map { $0.permissions.rawValue & 0o7777 } ?? Self.newFileMode
    guard isPartial else { return }
    let partial = file.path
    _ = Self.unfinished.withLock { $0.insert(partial) }
    if status != nil, let former = try? OpenFile(path, options: .nonBlocking) {
      file.takeOwner(of: former)
    }
    fchmod(file.descriptor.rawValue, mode)
  }

  deinit {
    guard isPartial else { return }
    FileSystem.remove(file.path)
    forget()
  }

  /// The paths of the files that have no name of their own yet.
  private static let unfinished = Lock<Set<String>>([])

  private func forget() {
    let partial = file.path
    _ = Self.unfinished.withLock { $0.remove(partial) }
  }

  /// Removes the unfinished files of this process, which is about to end at once.
  static func removeUnfinished() {
    for path in unfinished.withLock({ $0 }) { FileSystem.remove(path) }
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
    do {
      if isPartial {
        try piece.withUnsafeBytes { try file.write($0, at: byteCount) }
        byteCount += Int64(piece.count)
      } else {
        try writeToDevice(piece)
      }
    } catch {
      throw OutputFileError(path, error)
    }
  }

  private func writeToDevice(_ piece: Data) throws {
    let sink = FileDescriptorSink(descriptor: file.descriptor.rawValue)
    try piece.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        rest = rest.dropFirst(try sink.write(UnsafeRawBufferPointer(rebasing: rest)))
      }
    }
  }

  /// Gives the file its name.
  ///
  /// Some file systems write only when they are asked to, or when the file is closed: by then the
  /// file in its place is still there.
  ///
  /// - Throws: ``OutputFileError``
  func publish() throws(OutputFileError) {
    do {
      guard isPartial else { return try file.close() }
      try file.synchronize()
      // Without its lock it would be taken for a leftover.
      try file.flush()
      try FileSystem.rename(file.path, to: path)
      isPartial = false
      forget()
      try synchronizeFolder()
    } catch {
      throw OutputFileError(path, error)
    }
  }

  private func synchronizeFolder() throws(FileError) {
    do {
      try FileSystem.synchronize(folder: path.folderPath)
    } catch  where error.code == .permissionDenied {
      // Files can be put into a folder that cannot be read.
    }
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
  var hint: String? {
    switch number {
    case ENOENT, ENOTDIR, ELOOP: "Check the path."
    case EISDIR: "Add the name of a file to it."
    case ENAMETOOLONG: "Give it a shorter name."
    case EACCES, EPERM: "Check the permissions of its folder."
    case ENOSPC, EDQUOT: "Free some space, and try again."
    // Its reader has ended.
    case EPIPE: nil
    default: "Choose another place."
    }
  }
}

extension OutputFileError {
  /// Takes the reason from an error of a file or of a sink.
  fileprivate init(_ path: String, _ error: any Error) {
    let number =
      switch error {
      case let error as FileError: error.code.rawValue
      case let error as OutputSinkError: error.number
      default: EIO
      }
    self.init(path: path, number: number)
  }
}
