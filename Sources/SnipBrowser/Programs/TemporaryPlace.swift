import Foundation
import SnippetBase
import TerminalKit

/// The system's folder for temporary files.
enum TemporaryPlace {
  /// Its path, without links.
  ///
  /// - Parameter named: The folder. The default is that of the system, or of TMPDIR.
  /// - Returns: The path.
  /// - Throws: ``OtherProgramError`` where another user could put a folder of their own in the
  ///   place of one of ours, and so have a program open or remove something else.
  static func path(
    of named: String = FileManager.default.temporaryDirectory.path
  ) throws(OtherProgramError) -> String {
    let path = FileSystem.realPath(of: named)
    guard FileStatus.exists(path) else {
      throw OtherProgramError(
        message: "there is no folder \(TerminalText(named))",
        hint: "Make it, or set TMPDIR to another one."
      )
    }
    var part = path
    while true {
      guard isSafe(part) else {
        throw OtherProgramError(
          message: "set TMPDIR to a folder of your own: other users can replace what is in "
            + "\(TerminalText(named))"
        )
      }
      guard part != "/" else { return path }
      part = part.folderPath
    }
  }

  /// Whether only the owner of a file in a folder, or of the system, can rename it.
  private static func isSafe(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    let isOfOthers = status.st_uid != 0 && status.st_uid != geteuid()
    return !isOfOthers && (status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0)
  }
}
