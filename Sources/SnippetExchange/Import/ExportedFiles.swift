import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The files in a folder made by an export, one after the other: those in its manifest, with their
/// entries, then those that the manifest leaves out.
struct ExportedFiles {
  /// A file with its entry in the manifest.
  struct File: Sendable {
    let path: String
    /// The actual size, whatever the manifest says.
    let byteCount: Int64
    let entry: ExportManifest.Entry
  }

  private let manifest: String
  private let includesHidden: Bool
  private var lines: LineReader
  private var lineNumber = 1
  private var isOver = false
  /// Hashes of the paths in the manifest, which may be a million.
  ///
  /// They are as long as a word and differ in each process, so no file is mistaken for another.
  private var namedPaths: Set<Int> = []
  /// The names to look at for files that the manifest leaves out, in reverse order, below the
  /// folder.
  private var pending: [(path: String, reason: LeftOut.Reason?)] = []

  /// Opens the manifest of a folder; `nil` if there is none, or another file has that name, as one of
  /// a store that is open.
  ///
  /// A manifest of a newer version is refused, because it may have another meaning.
  init?(in folder: String, includesHidden: Bool = false) throws {
    self.includesHidden = includesHidden
    manifest = (folder.hasSuffix("/") ? folder : folder + "/") + ExportManifest.fileName
    guard let (file, _) = try OpenFile.ahead(manifest) else { return nil }
    lines = LineReader(file)
    guard let first = try Self.firstLine(&lines),
      let header = ExportManifest.header(first)
    else { return nil }
    guard header.version <= ExportManifest.Header().version else {
      throw SnippetStoreError(
        .unreadable,
        "import \(folder)",
        because: "a newer version of this program has exported it",
        do: "Update this program."
      )
    }
  }

  /// Returns the first line; `nil` if there is none, or it is too long for a manifest.
  private static func firstLine(_ lines: inout LineReader) throws(FileError) -> Data? {
    do {
      return try lines.next()
    } catch {
      guard error.code == .fileTooLarge else { throw error }
      return nil
    }
  }

  /// Returns the next file, or the reason why it cannot be imported.
  mutating func next() -> FileWalk.Entry? {
    if !isOver, let entry = nextNamed() { return entry }
    return nextLeftOut()
  }

  private mutating func nextNamed() -> FileWalk.Entry? {
    do {
      guard let line = try lines.next() else {
        isOver = true
        pending = [("", nil)]
        return nil
      }
      lineNumber += 1
      // A wrong line only concerns one file.
      guard let entry = try? JSONDecoder().decode(ExportManifest.Entry.self, from: line) else {
        return failure("line \(lineNumber) describes no snippet")
      }
      namedPaths.insert(entry.file.hashValue)
      guard let file = file(of: entry) else {
        return failure("line \(lineNumber) names a file that is not in the folder, \(entry.file)")
      }
      return .exported(file)
    } catch {
      isOver = true
      return .failure(path: manifest, error)
    }
  }

  /// Returns the next file that the manifest leaves out.
  private mutating func nextLeftOut() -> FileWalk.Entry? {
    let prefix = String(manifest.dropLast(ExportManifest.fileName.count))
    while let (path, reason) = pending.popLast() {
      let full = prefix + path
      if let reason { return .leftOut(LeftOut(full, reason)) }
      // It was removed since.
      guard let status = Self.status(of: full) else { continue }
      switch status.type {
      case .directory:
        do throws(FileError) {
          try addNames(in: full, below: path)
        } catch {
          return .failure(path: full, error)
        }
      case .regular where path != ExportManifest.fileName:
        // Equal as texts, because a disk may have decomposed the letters of a name.
        if namedPaths.contains(path.hashValue) { continue }
        let isOpen = StoreSeam.isOpen(FileIdentity(status))
        return .leftOut(LeftOut(full, isOpen ? .ofStore : .notInManifest))
      case .regular: continue
      case .symbolicLink: return .leftOut(LeftOut(full, .link))
      default: return .leftOut(LeftOut(full, LeftOut.Reason(ofSpecial: status)))
      }
    }
    return nil
  }

  private mutating func addNames(in folder: String, below path: String) throws(FileError) {
    let found = try OpenFolder(folder).names().map { name, isText in
      (
        path: path.isEmpty ? name : "\(path)/\(name)",
        reason: isText
          ? LeftOut.Reason(
            ofName: name,
            in: folder.withSlash,
            includesHidden: includesHidden
          ) : .notInManifest
      )
    }
    pending += found.sorted { $0.path > $1.path }
  }

  /// Returns the status of a path, without following a link.
  private static func status(of path: String) -> Stat? {
    try? Stat(path, followTargetSymlink: false)
  }

  private func failure(_ reason: String) -> FileWalk.Entry {
    .failure(
      path: manifest,
      SnippetStoreError(
        .unreadable,
        "import from \(manifest)",
        because: reason,
        do: "Export it again."
      )
    )
  }

  /// Finds the file of an entry: a regular file in a folder of the export, reached without links.
  private func file(of entry: ExportManifest.Entry) -> File? {
    // By bytes, as in a file system: to Swift a slash with a combining mark is not a slash.
    let parts = entry.file.utf8.split(
      separator: UInt8(ascii: "/"),
      omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 2, !parts.contains(where: { ["", ".", ".."].contains($0) }),
      !entry.file.utf8.contains(0)
    else { return nil }
    let prefix = manifest.dropLast(ExportManifest.fileName.count)
    guard Self.status(of: "\(prefix)\(parts[0])")?.type == .directory,
      let status = Self.status(of: "\(prefix)\(entry.file)"), status.type == .regular
    else { return nil }
    return File(
      path: "\(prefix)\(entry.file)",
      byteCount: status.size,
      entry: entry
    )
  }
}
