import Foundation
package import SnippetBase
import SystemPackage

/// A copy of a store that has no name of its own yet, beside the file that it is to become.
///
/// An empty file beside it marks it, and is locked as long as the copy is in use: that tells it
/// from one that a killed process has left. The number of a process would not, because each
/// container counts its own, and the copy itself cannot be locked, because SQLite locks it.
package struct UnfinishedCopy: Sendable {
  /// The path of the copy, a file that only its owner can read or write.
  package let path: String
  private let mark: OpenFile

  private static let endOfStem = ".partial-"
  private static let endOfMarkedStem = ".partial-lock-"
  /// The letters and digits at the end of both names, which no other copy has.
  private static let randomByteCount = 6

  /// Makes an empty file beside another one, which need not exist.
  package init(beside path: String) throws(FileError) {
    let stem = path + Self.endOfMarkedStem.dropLast()
    mark = try OpenFile.locked { () throws(FileError) in
      try OpenFile.temporary(stem)
    } remove: {
      FileSystem.remove($0.path)
    }
    self.path = Self.copy(of: mark.path)
    do throws(FileError) {
      let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
      _ = try OpenFile(self.path, .writeOnly, options: options, permissions: .ownerReadWrite)
    } catch {
      FileSystem.remove(mark.path)
      throw error
    }
  }

  /// Opens the copy for writing, to fill it by other means than SQLite.
  package func open() throws(FileError) -> OpenFile {
    try OpenFile(path, .writeOnly)
  }

  /// Removes the copy with its logs, unless it got another name, and the mark.
  package func remove() {
    // Locked until all is gone.
    withExtendedLifetime(mark) { Self.removeAll(of: mark.path) }
  }

  // MARK: - Leftovers

  /// The outcome of a search for the copies of killed processes.
  package struct Leftovers: Sendable {
    /// The paths of the copies that killed processes had left, and that are gone now.
    package fileprivate(set) var removed: [String] = []
    /// The paths of the copies that a running program makes, or that could not be removed.
    package fileprivate(set) var remaining: [String] = []
    /// The folder, if it could not be listed, so that there may be such copies; `nil` otherwise.
    package fileprivate(set) var unlistedFolder: String?
  }

  /// Removes the copies of killed processes in the folder of a file, if it can be listed: each is a
  /// whole store, or half of one.
  ///
  /// The time grows with the number of files in the folder.
  @discardableResult
  package static func removeLeftovers(beside path: String) -> Leftovers {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var found = Leftovers()
    guard let names = try? FileSystem.names(in: folder) else {
      found.unlistedFolder = folder
      return found
    }
    for (name, _) in names where isMark(name) {
      let mark = folder + "/" + name
      let isEmptyFile = FileStatus.isRegular(mark) == true && FileStatus.byteCount(of: mark) == 0
      guard isEmptyFile else { continue }
      let copy = copy(of: mark)
      let isThere = FileStatus.exists(copy)
      let file = try? OpenFile(mark, .readWrite, options: .noFollow)
      let isLeft = file?.lock() == true
      if isLeft { withExtendedLifetime(file) { removeAll(of: mark) } }
      if FileStatus.exists(mark) {
        found.remaining.append(copy)
      } else if isLeft, isThere {
        found.removed.append(copy)
      }
    }
    return found
  }

  // MARK: - Files

  private static func isMark(_ name: String) -> Bool {
    let random = name.utf8.suffix(randomByteCount)
    let stem = name.utf8.dropLast(randomByteCount)
    return stem.count > endOfMarkedStem.utf8.count
      && stem.suffix(endOfMarkedStem.utf8.count).elementsEqual(endOfMarkedStem.utf8)
      && random.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: false
        }
      }
  }

  /// Returns the path of the copy that a mark is for.
  private static func copy(of mark: String) -> String {
    let stem = mark.dropLast(endOfMarkedStem.count + randomByteCount)
    return "\(stem)\(endOfStem)\(mark.suffix(randomByteCount))"
  }

  /// Removes the mark last: without it, the rest would not be found again.
  private static func removeAll(of mark: String) {
    let files = ([""] + OutputPlace.logSuffixes).map { copy(of: mark) + $0 }
    for file in files { FileSystem.remove(file) }
    if !files.contains(where: FileStatus.exists) { FileSystem.remove(mark) }
  }
}

extension Connections {
  /// Removes the unfinished copies of killed processes in the folder of the store.
  @discardableResult
  func removeLeftoverCopies() -> UnfinishedCopy.Leftovers {
    isInMemory ? .init() : UnfinishedCopy.removeLeftovers(beside: path)
  }
}
