import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// A file of a vault while an export writes it, before it gets its name.
///
/// It is locked while it is written, which distinguishes it from leftovers of a killed process. The
/// number of a process would not, because each container counts its own.
enum UnfinishedFile {
  private static let prefix = ".snip-"
  private static let suffix = ".partial"

  /// Whether a name is that of an unfinished file.
  static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let mark = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return !mark.isEmpty && mark.allSatisfy("0123456789abcdefABCDEF-".utf8.contains)
  }

  /// Makes an unfinished file in a folder.
  static func make(in folder: OpenFolder) throws(FileError) -> (file: OpenFile, name: String) {
    let (file, name) = try makeUnlocked(in: folder)
    if file.lock(), try file.status().linkCount > 0 { return (file, name) }
    // Another export took it for a leftover, in the moment before it was locked. That export does
    // not know of a second one. A file system without locks needs none, because nothing is removed
    // there.
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

  /// Removes leftovers of killed exports in a folder, as far as possible.
  static func removeLeftOver(in folder: OpenFolder) {
    guard let names = try? folder.names() else { return }
    for (name, _) in names where isName(name) {
      guard let file = try? folder.openFile(name), file.lock() else { continue }
      // Locked until it is gone.
      withExtendedLifetime(file) { folder.remove(name) }
    }
  }
}
