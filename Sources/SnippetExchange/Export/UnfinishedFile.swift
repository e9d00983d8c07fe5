import Foundation
package import SnippetBase
import SystemPackage

/// A file of a vault, or another one that is to be complete under its name, while it is written.
///
/// It is locked while it is written, which distinguishes it from leftovers of a killed process. The
/// number of a process would not, because each container counts its own.
package enum UnfinishedFile {
  private static let prefix = ".snip-"
  private static let suffix = ".partial"

  /// Whether a name is that of an unfinished file.
  static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let mark = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return !mark.isEmpty && mark.allSatisfy("0123456789abcdefABCDEF-".utf8.contains)
  }

  /// Makes an unfinished file in a folder.
  ///
  /// One that will replace another is private until it has the permissions of that.
  static func make(
    in folder: OpenFolder,
    isReplacement: Bool
  ) throws(FileError) -> (file: OpenFile, name: String) {
    var name = ""
    let file = try OpenFile.locked { () throws(FileError) in
      name = newName()
      return try folder.makeFile(name, mode: isReplacement ? 0o600 : 0o666)
    } remove: { _ in
      folder.remove(name)
    }
    return (file, name)
  }

  /// Makes an unfinished file, private to its owner, in the folder of a file, and removes leftovers
  /// of killed processes there.
  package static func make(beside path: String) throws(FileError) -> OpenFile {
    let place = path.folderPath
    // Files can be put into a folder that cannot be read.
    if let folder = try? OpenFolder(place.isEmpty ? "." : place) { removeLeftOver(in: folder) }
    let start = place.isEmpty || place == "/" ? place : place + "/"
    return try OpenFile.locked { () throws(FileError) in
      try OpenFile(
        start + newName(),
        .writeOnly,
        options: [.create, .exclusiveCreate, .noFollow],
        permissions: .ownerReadWrite
      )
    } remove: {
      FileSystem.remove($0.path)
    }
  }

  private static func newName() -> String { prefix + UUID().uuidString.lowercased() + suffix }

  /// Removes leftovers of killed processes in a folder, as far as possible.
  static func removeLeftOver(in folder: OpenFolder) {
    guard let names = try? folder.names() else { return }
    for (name, _) in names where isName(name) {
      guard let file = try? folder.openFile(name), file.lock() else { continue }
      // Locked until it is gone.
      withExtendedLifetime(file) { folder.remove(name) }
    }
  }
}
