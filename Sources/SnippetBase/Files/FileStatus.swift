import SystemPackage

/// What stands at a path, without opening it.
package enum FileStatus {
  /// The size of the file at a path; 0 when there is none.
  package static func byteCount(of path: String) -> Int64 {
    (try? Stat(path))?.size ?? 0
  }

  /// Whether something stands at a path.
  package static func exists(_ path: String) -> Bool {
    (try? Stat(path, followTargetSymlink: false)) != nil
  }

  /// What a link leads to; any other path as it is, and a link that leads nowhere.
  package static func target(of path: String) -> String {
    guard (try? Stat(path, followTargetSymlink: false))?.type == .symbolicLink,
      let resolved = realpath(path, nil)
    else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether this process may write to a file.
  package static func isWritable(_ path: String) -> Bool {
    access(path, W_OK) == 0
  }

  /// Whether what stands at a path is a regular file, or a link to one or to nothing; `nil` when
  /// nothing stands there.
  package static func isRegular(_ path: String) -> Bool? {
    guard exists(path) else { return nil }
    return (try? Stat(path)).map { $0.type == .regular } ?? true
  }
}
