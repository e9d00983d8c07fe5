/// What a file is, without opening it.
package enum FileStatus {
  /// The size of the file at a path; 0 when there is none.
  package static func byteCount(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Whether something stands at a path.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether what stands at a path is a regular file, or a link to one or to nothing; `nil` when
  /// nothing stands there.
  package static func isRegular(_ path: String) -> Bool? {
    guard exists(path) else { return nil }
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}
