import SystemPackage

/// Calls of the system that swift-system does not have, on paths.
package enum FileSystem {
  /// Gives a file another name, in the place of whatever has it.
  package static func rename(_ path: String, to name: String) throws(FileError) {
    try FileCalls.tell(.rename(path, to: name))
    try FileError.check(path) { SnippetBase.rename(path, name) }
  }

  /// Gives a file a second name, which nothing may have.
  package static func link(_ path: String, to name: String) throws(FileError) {
    try FileCalls.tell(.link(path, to: name))
    try FileError.check(name) { SnippetBase.link(path, name) }
  }

  /// Removes a file, if there is one.
  package static func remove(_ path: String) {
    guard (try? FileCalls.tell(.delete(path))) != nil else { return }
    unlink(path)
  }
}
