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

  /// The path of what stands at a path, without links; the path itself where nothing does.
  package static func realPath(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Removes a file, if there is one.
  package static func remove(_ path: String) {
    guard (try? FileCalls.tell(.delete(path))) != nil else { return }
    unlink(path)
  }
}

/// The room of the file system that holds a path.
package struct DiskRoom: Sendable {
  /// What programs without special rights can still write.
  package let availableByteCount: Int64
  /// What it could hold in all.
  package let totalByteCount: Int64

  /// Asks the system; `nil` where it does not tell.
  package init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let size = UInt64(status.f_frsize)
    availableByteCount = Self.product(status.f_bavail, size)
    totalByteCount = Self.product(status.f_blocks, size)
  }

  private static func product(_ count: some BinaryInteger, _ size: UInt64) -> Int64 {
    let (product, overflow) = UInt64(clamping: count).multipliedReportingOverflow(by: size)
    return overflow ? .max : Int64(clamping: product)
  }
}
