package import SystemPackage

/// What this package itself, not SQLite, asks of the file system.
package enum FileCall {
  case open(String, creates: Bool)
  case read(String)
  case write(String, UnsafeRawBufferPointer, offset: Int64)
  case sync(String)
  case rename(String, to: String)
  case link(String, to: String)
  case delete(String)
  case makeFolder(String)

  /// The file, or what it is called so far.
  package var path: String {
    switch self {
    case .open(let path, _), .read(let path), .write(let path, _, _), .sync(let path),
      .rename(let path, _), .link(let path, _), .delete(let path), .makeFolder(let path):
      path
    }
  }
}

/// Where tests stand between this package and the file system, to record what it asks and to have
/// it fail.
package enum FileCalls {
  /// Is told of each call before it is made; the call fails with what it returns.
  // Not locked, so that it costs nothing: only a process of a test's own sets it, first of all.
  nonisolated(unsafe) package static var observer: (@Sendable (FileCall) -> Errno?)?

  /// Tells of a call that is about to be made.
  ///
  /// - Throws: ``FileError`` if it is to fail.
  static func tell(_ call: @autoclosure () -> FileCall) throws(FileError) {
    guard let observer else { return }
    let call = call()
    if let code = observer(call) { throw FileError(call.path, code) }
  }
}
