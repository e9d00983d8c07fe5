import SnippetBase
import SnippetStorage
import SystemPackage

/// Unpacks an archive, and the archives in it if it holds nothing else, as exports in parts do.
///
/// Each of them becomes a folder in its own place. All together stay within the limits of the outer
/// one.
struct NestedUnpacking: Unpacking {
  private var outer: ArchiveUnpacking
  private let root: OpenFolder
  private let check: () throws -> Void

  private(set) var missing: [ArchiveUnpacking.Missing] = []
  private(set) var isComplete = false

  /// The most folders to look for archives in; they stay open.
  private static let maximumFolderCount = 64

  init(_ outer: ArchiveUnpacking, into root: OpenFolder, check: @escaping () throws -> Void) {
    self.outer = outer
    self.root = root
    self.check = check
  }

  mutating func run() throws {
    try outer.run()
    (missing, isComplete) = (outer.missing, outer.isComplete)
    var limits = outer.remainder
    for archive in try archives() {
      let file = try archive.folder.openFile(archive.name)
      try archive.folder.delete(archive.name)
      let folder = try archive.folder.makeFolder(archive.name)
      do {
        var inner = try ArchiveUnpacking(
          file,
          archive.format,
          into: folder,
          limits: limits,
          check: check
        )
        try inner.run()
        missing += inner.missing
        if !inner.isComplete { isComplete = false }
        limits = inner.remainder
      } catch let failure as ArchiveReader.Failure {
        isComplete = false
        let error = SnippetStoreError(ofMember: folder.path, because: failure.reason)
        missing.append(.failure(path: folder.path, error))
      }
    }
  }

  /// An archive in the folder.
  private struct Archive {
    let folder: OpenFolder
    let name: String
    let format: ArchiveFormat
  }

  /// Finds the archives in the folder; none if it holds anything else.
  private func archives() throws -> [Archive] {
    var found: [Archive] = []
    var folders = [root]
    var folderCount = 1
    while let folder = folders.popLast() {
      try check()
      for (name, isText) in try folder.names() {
        // The Finder of macOS adds such things.
        if name.hasPrefix(".") || name == "__MACOSX" { continue }
        guard isText, let status = try folder.status(of: name) else { return [] }
        if status.type == .directory {
          folderCount += 1
          guard folderCount <= Self.maximumFolderCount else { return [] }
          folders.append(try folder.openFolder(name))
        } else {
          let file = try folder.openFile(name)
          guard let format = try ArchiveFormat(of: file) else { return [] }
          found.append(Archive(folder: folder, name: name, format: format))
        }
      }
    }
    return found
  }
}
