public import Foundation
package import SnippetBase
internal import SystemPackage

/// A folder as the place where devices meet.
///
/// It may be on a disk, on a server, or one that another program keeps the same on several devices,
/// as Syncthing does. An object is a file. It has its name once it is whole and on the disk; one that
/// ``writeUnsettled(_:as:)`` writes, once it is whole.
///
/// Files of other programs are left alone: whatever has a name that no object has, is no regular
/// file, or is a link. A folder with the name of an object is an error where that is read or
/// written.
///
/// The folder must exist. An object is never looked for, and never written, outside of it.
///
/// Every call throws ``SyncError/Code/unreachable`` if the folder is not there or its disk does not
/// answer, and only then a retry can help; ``SyncError/Code/accessDenied`` without the right to read
/// or write there; ``SyncError/Code/failed`` if the disk is full; ``SyncError/Code/cancelled`` if the
/// task was cancelled.
public struct FolderCarrier: SyncCarrier {
  private let folder: ObjectFolder

  /// Four: while one object is written, others are sealed.
  public var transferLimit: Int { 4 }

  /// Uses a folder, which is not touched yet.
  ///
  /// - Parameter folder: The folder; a link to one will do.
  public init(_ folder: URL) {
    self.folder = ObjectFolder(path: folder.path)
  }

  /// Lists the objects whose names begin with a prefix, in any order.
  ///
  /// Only the folder of the prefix is walked, and what is below it. Files that a killed process left
  /// behind there, or in the folder itself, are removed after a day.
  ///
  /// - Parameter prefix: The beginning of the names, which is empty or ends with `/`.
  /// - Returns: The objects; none if there is nothing with that prefix.
  /// - Throws: The errors that all calls throw.
  public func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    let operation = prefix.isEmpty ? "list the objects" : "list \(prefix)"
    try ObjectRules.check(prefix: prefix, to: operation)
    return try await run(operation) { [folder] flag in try folder.list(prefix, flag) }
  }

  /// Reads an object; `nil` if there is none.
  ///
  /// Another program may have brought only the beginning of the bytes yet.
  ///
  /// - Parameter name: The name.
  /// - Returns: The bytes.
  /// - Throws: The errors that all calls throw; ``SyncError/Code/damaged`` if there are more bytes
  ///   than an object can have.
  public func read(_ name: String) async throws(SyncError) -> Data? {
    let operation = "read \(name)"
    try ObjectRules.check(name, to: operation)
    return try await run(operation) { [folder] _ in try folder.read(name) }
  }

  /// Writes an object.
  ///
  /// On return it is on the disk. Others see all of it or nothing.
  ///
  /// - Parameters:
  ///   - data: The bytes, at most 9 MiB.
  ///   - name: The name.
  ///   - isNew: Whether other bytes of this name must not be replaced.
  /// - Throws: The errors that all calls throw; ``SyncError/Code/alreadyExists`` if the object should
  ///   be new and the name has other bytes. A retry with the same bytes does no harm.
  public func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    let operation = "write \(name)"
    try ObjectRules.check(name, to: operation)
    try ObjectRules.check(byteCount: data.count, to: operation)
    let isWritten = try await run(operation, about: .object) { [folder] flag in
      try folder.write(data, as: name, isNew: isNew, flag)
    }
    if !isWritten { throw .alreadyExists(operation) }
  }

  /// Writes an object that ``settle()`` brings to the disk, together with others.
  ///
  /// So a thousand objects wait for the disk once. On a file system of another machine, behind a program or
  /// of an Apple system the object is on the disk on return: only a call for each file tells there what
  /// could not be written.
  ///
  /// - Parameters:
  ///   - data: The bytes, at most 9 MiB.
  ///   - name: The name, under which an object with other bytes is replaced as a whole.
  /// - Returns: Whether it is on the disk already.
  /// - Throws: The errors that all calls throw. A retry with the same bytes does no harm.
  public func writeUnsettled(_ data: Data, as name: String) async throws(SyncError) -> Bool {
    let operation = "write \(name)"
    try ObjectRules.check(name, to: operation)
    try ObjectRules.check(byteCount: data.count, to: operation)
    return try await run(operation, about: .object) { [folder] flag in
      try folder.writeUnsettled(data, as: name, flag)
    }
  }

  /// Brings all objects to the disk that ``writeUnsettled(_:as:)`` has written before the call.
  ///
  /// - Throws: The errors that all calls throw. Then all of them must be written again.
  public func settle() async throws(SyncError) {
    try await run("bring the objects to the disk") { [folder] _ in try folder.settle() }
  }

  /// Removes an object, if there is one.
  ///
  /// - Parameter name: The name.
  /// - Throws: The errors that all calls throw. A retry does no harm.
  public func remove(_ name: String) async throws(SyncError) {
    let operation = "remove \(name)"
    try ObjectRules.check(name, to: operation)
    try await run(operation) { [folder] _ in try folder.remove(name) }
  }

  private func run<Result: Sendable>(
    _ operation: String,
    about subject: SyncError.Subject? = nil,
    _ body: @escaping @Sendable (CancellationFlag) throws -> Result
  ) async throws(SyncError) -> Result {
    do {
      return try await OwnThreads.run { flag in
        try flag.check()
        return try body(flag)
      }
    } catch let error as FileError {
      throw SyncError(error, operation, in: folder.path).about(subject)
    } catch is ObjectFolder.TooLarge {
      throw .tooLarge(operation)
    } catch is CancellationError {
      throw .cancelled(operation)
    } catch {
      throw SyncError(.failed, operation, because: "\(error)")
    }
  }
}

extension SyncError {
  /// Tells of a failed call in a folder of objects.
  package init(_ error: FileError, _ operation: String, in folder: String) {
    let (code, reason, advice): (Code, String, String?) =
      switch error.code {
      case .noSuchFileOrDirectory where error.path == folder:
        (
          .unreachable, "the folder \(folder) is not there",
          "Mount its disk, or make the folder."
        )
      case .permissionDenied, .notPermitted:
        (
          .accessDenied, "you may not do that with \(error.path)",
          "Give yourself the right to read and write there."
        )
      case .readOnlyFileSystem:
        (
          .accessDenied, "the file system of \(folder) is mounted to be read only",
          "Mount it to be written."
        )
      case .noSpace, .diskQuotaExceeded:
        (.failed, "the disk of \(folder) is full", "Make room there, and try again.")
      case .notDirectory, .tooManySymbolicLinkLevels:
        (.failed, "\(error.path) is no folder", "Move it away.")
      case .isDirectory: (.failed, "a folder is at \(error.path)", "Move it away.")
      case .ioError, .staleNFSFileHandle, .timedOut, .socketNotConnected, .hostIsDown,
        .noSuchAddressOrDevice, .operationNotSupportedByDevice:
        (
          .unreachable, "the disk of \(folder) does not answer: \(error.code)",
          "Look whether it is connected."
        )
      default: (.failed, error.reason, nil)
      }
    self.init(code, operation, because: reason, do: advice, underlying: error)
  }

  /// Whether the file of one object cannot be read, while those of others may be.
  var isOfOneFile: Bool {
    guard let error = underlyingError as? FileError else { return false }
    switch error.code {
    case .permissionDenied, .notPermitted, .ioError, .notDirectory, .isDirectory: return true
    default: return false
    }
  }

  /// Whether one object is damaged or cannot be read, while others may be whole.
  var isOfOneObject: Bool { [.damaged, .wrongKey].contains(code) || isOfOneFile }
}
