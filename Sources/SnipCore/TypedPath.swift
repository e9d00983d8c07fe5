package import Foundation
import SnippetBase

/// Paths that a user has typed.
package enum TypedPath {
  /// Takes `..` out of a path as the system follows it: behind a link, it is the folder around the
  /// target of the link.
  ///
  /// Foundation goes by the letters and takes `link/..` away, so that `link/../notes.txt` would be
  /// another file than in the shell.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - folder: Where a relative path starts; `nil` is the current folder.
  /// - Returns: The path; unchanged if it has no `..`. One that leads through a folder that is not
  ///   there keeps it, for the system to refuse.
  package static func followed(_ path: String, from folder: URL?) -> String {
    guard let end = path.pathNames.last(where: { $0 == ".." })?.endIndex else { return path }
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let start = isAbsolute ? "" : (folder?.path ?? FileManager.default.currentDirectoryPath) + "/"
    let outer = FileSystem.realPath(of: start + path[..<end])
    let rest = path[end...]
    return outer == "/" && !rest.isEmpty ? String(rest) : outer + rest
  }
}
