import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// A file that an export of a vault writes, until it gets its name.
///
/// It is locked as long as it is written, which tells it from one that was left over by a process
/// that was killed; the number of a process does not, as each container counts its own.
enum UnfinishedFile {
  private static let prefix = ".snip-"
  private static let suffix = ".partial"

  /// Whether a file is called as an unfinished one is.
  static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let mark = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return !mark.isEmpty && mark.allSatisfy("0123456789abcdefABCDEF-".utf8.contains)
  }

  /// Makes one in a folder.
  static func make(in folder: OpenFolder) throws(FileError) -> (file: OpenFile, name: String) {
    let (file, name) = try makeUnlocked(in: folder)
    if file.lock(), try file.status().linkCount > 0 { return (file, name) }
    // Another export has taken it for left over, in the moment before it was locked. Of a second one
    // that export does not know. On a file system without locks it needs none: none is removed.
    folder.remove(name)
    let second = try makeUnlocked(in: folder)
    _ = second.file.lock()
    return second
  }

  private static func makeUnlocked(
    in folder: OpenFolder
  ) throws(FileError) -> (file: OpenFile, name: String) {
    let name = prefix + UUID().uuidString.lowercased() + suffix
    return (try folder.makeFile(name), name)
  }

  /// Removes what exports that were killed have left over in a folder, as far as that can be done.
  static func removeLeftOver(in folder: OpenFolder) {
    guard let names = try? folder.names() else { return }
    for (name, _) in names where isName(name) {
      guard let file = try? folder.openFile(name), file.lock() else { continue }
      // Locked until it is gone.
      withExtendedLifetime(file) { folder.remove(name) }
    }
  }
}
