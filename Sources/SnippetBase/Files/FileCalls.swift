package import SystemPackage

/// A call to the file system made by this package itself, not by SQLite.
package enum FileCall {
  case open(String, creates: Bool)
  case read(String)
  case write(String, UnsafeRawBufferPointer, offset: Int64)
  case sync(String)
  case close(String)
  case rename(String, to: String)
  /// Renames a file unless the new name is taken.
  case renameToNew(String, to: String)
  /// Exchanges the names of two files.
  case exchange(String, with: String)
  case link(String, to: String)
  case delete(String)
  case makeFolder(String)
  case map(String)

  /// The path of the file, before any renaming.
  package var path: String {
    switch self {
    case .open(let path, _), .read(let path), .write(let path, _, _), .sync(let path),
      .close(let path), .rename(let path, _), .renameToNew(let path, _), .exchange(let path, _),
      .link(let path, _), .delete(let path), .makeFolder(let path), .map(let path):
      path
    }
  }
}

/// The place where tests record calls to the file system and make them fail.
package enum FileCalls {
  /// Called before each call; an error code that it returns makes the call fail.
  // Not locked, so that it costs nothing: only test processes set it, before anything else.
  nonisolated(unsafe) package static var observer: (@Sendable (FileCall) -> Errno?)?

  /// Reports a call that is about to be made, and throws if it must fail.
  package static func tell(_ call: @autoclosure () -> FileCall) throws(FileError) {
    guard let observer else { return }
    let call = call()
    if let code = observer(call) { throw FileError(call.path, code) }
  }
}
