import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// A folder of notes and pictures that an export updates and never leaves.
///
/// Every file is reached by names in an open folder, and links are not followed. A file appears at
/// once or not at all.
final class VaultFolder {
  /// The thing at the path of a file.
  enum Place {
    case nothing
    case file(OpenFile, FileStamp)
    /// A folder, a link, or anything else that is not a file.
    case other
  }

  /// The path of the folder, without links.
  let path: String
  /// `nil` if there is no such folder, and none is to be made.
  private let root: OpenFolder?
  /// Whether another clock than ours may date the files.
  let isOnNetwork: Bool
  /// Whether only an `fsync` of each file tells what could not be written.
  private let tellsFailuresByFile: Bool
  /// The subfolders opened last, by the bytes of their paths.
  ///
  /// To Swift, some names are equal that are different to a file system.
  private var folders: [[UInt8]: OpenFolder] = [:]
  /// The subfolders without leftovers of killed exports, by the bytes of their paths.
  private var clearedFolders: Set<[UInt8]> = []
  /// The subfolders that are held against every store, by the bytes of their paths.
  private var outputs: [[UInt8]: OutputFolder] = [:]

  private static let maximumOpenCount = 64

  /// Makes the folder, or opens an existing one; a test says whether an `fsync` of each file is needed.
  init(path: String, tellsFailuresByFile: Bool? = nil) throws(FileError) {
    let root = try OpenFolder(making: path)
    self.root = root
    self.tellsFailuresByFile = tellsFailuresByFile ?? root.tellsFailuresByFile
    isOnNetwork = NetworkFileSystem.holds(path)
    self.path = FileSystem.realPath(of: path)
  }

  /// Opens a folder to look at it; one that does not exist counts as empty.
  init(lookingAt path: String) throws(FileError) {
    root = FileStatus.exists(path) ? try OpenFolder(path) : nil
    tellsFailuresByFile = root?.tellsFailuresByFile ?? false
    isOnNetwork = NetworkFileSystem.holds(path)
    self.path = path
  }

  /// Whether the folder holds an export with a manifest, beside which an import reads nothing else.
  func hasManifest() throws(FileError) -> Bool {
    guard case .file(let file, _) = try place(at: ExportManifest.fileName) else { return false }
    let beginning = try file.bytes(at: 0, count: 1 << 12)
    return ExportManifest.header(Data(beginning.prefix { $0 != UInt8(ascii: "\n") })) != nil
  }

  /// Whether the folder holds items that Joplin exported, among which no note is a file.
  func hasItems() throws(FileError) -> Bool {
    guard let names = try root?.names() else { return false }
    return JoplinExport(in: path, names.filter(\.isText).map(\.name)) != nil
  }

  /// Returns the thing at a path; a store that is open is not opened again.
  func place(at path: String) throws(FileError) -> Place {
    if let file = FileIdentity(path: "\(self.path)/\(path)"), StoreSeam.isOpen(file) {
      return .other
    }
    do {
      let (folder, name) = try folder(of: path, making: false)
      let file = try folder.openFile(name)
      let status = try file.status()
      return status.type == .regular ? .file(file, FileStamp(status)) : .other
    } catch {
      switch error.code {
      case .noSuchFileOrDirectory: return .nothing
      case .tooManySymbolicLinkLevels, .notDirectory, .isDirectory, .noSuchAddressOrDevice:
        return .other
      default: throw error
      }
    }
  }

  /// Whether a path leads through a link, or to one.
  func isThroughLink(_ path: String) -> Bool {
    var place = self.path
    return path.pathNames.contains { name in
      place += "/\(name)"
      return (try? Stat(FilePath(place), followTargetSymlink: false))?.type == .symbolicLink
    }
  }

  /// Writes a file with a date in nanoseconds since 1970, in the place of another or of none.
  ///
  /// Returns its stamp; `nil`, with nothing written, if another file has appeared there. Throws
  /// `SnippetStoreError`, with nothing written, if a store would be lost.
  func write(
    _ path: String,
    inPlaceOf former: FormerFile? = nil,
    date: Int64,
    _ next: () throws -> Data?
  ) throws -> FileStamp? {
    let (folder, name) = try folder(of: path, making: true)
    try requireNoStore(at: path, name, in: folder, isNew: former == nil)
    if clearedFolders.insert(Array(path.utf8.dropLast(name.utf8.count))).inserted {
      UnfinishedFile.removeLeftOver(in: folder)
    }
    let (file, unfinished) = try UnfinishedFile.make(in: folder, isReplacement: former != nil)
    do {
      var offset: Int64 = 0
      while let piece = try next() {
        try piece.withUnsafeBytes { try file.write($0, at: offset) }
        offset += Int64(piece.count)
      }
      file.setModificationDate(nanoseconds: date)
      if let former {
        file.takeOwner(of: former.file)
        file.setPermissions(likeThoseOf: try former.file.status())
      }
      // By then, a file that it replaces is gone.
      if former != nil || tellsFailuresByFile { try file.synchronize() }
      try file.flush()
      if let former {
        guard case .file(_, former.stamp) = try place(at: path) else {
          folder.remove(unfinished)
          return nil
        }
        guard try folder.replace(former, name, by: (file, unfinished)) else { return nil }
      } else {
        try folder.rename(unfinished, toNew: name)
      }
    } catch let error as FileError where error.code == .fileExists {
      folder.remove(unfinished)
      return nil
    } catch {
      folder.remove(unfinished)
      throw error
    }
    return FileStamp(try file.status())
  }

  private func requireNoStore(
    at path: String,
    _ name: String,
    in folder: OpenFolder,
    isNew: Bool
  ) throws(SnippetStoreError) {
    let operation = "write \(path)"
    guard isNew else {
      return try StoreSeam.requireNoStore(at: "\(self.path)/\(path)", during: operation)
    }
    let key = Array(path.utf8.dropLast(name.utf8.count))
    var output = outputs[key] ?? OutputFolder(folder.path)
    defer { outputs[key] = output }
    try output.requireNoStore(atNew: name, during: operation)
  }

  /// Waits until everything is on the disk.
  func synchronize() throws(FileError) {
    try root?.synchronize()
  }

  /// Returns the open folder of a file, and its name there.
  private func folder(
    of path: String,
    making isMade: Bool
  ) throws(FileError) -> (OpenFolder, name: String) {
    // By bytes, as in a file system: to Swift a slash with a combining mark is not a slash.
    var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard !parts.contains(where: { ["", ".", ".."].contains($0) || $0.utf8.contains(0) }),
      let name = parts.popLast()
    else { throw FileError(path, .invalidArgument) }
    guard let root else { throw FileError(self.path, .noSuchFileOrDirectory) }
    let above = Array(parts.joined(separator: "/").utf8)
    if parts.isEmpty { return (root, name) }
    if let known = folders[above] { return (known, name) }
    var folder = root
    for part in parts {
      folder =
        isMade
        ? try folder.openFolder(making: part, mode: 0o777) : try folder.openFolder(part)
    }
    if folders.count >= Self.maximumOpenCount { folders = [:] }
    folders[above] = folder
    return (folder, name)
  }
}
