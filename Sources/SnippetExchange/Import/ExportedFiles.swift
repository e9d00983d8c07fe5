import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The files of a folder that an export has made, one after the other, with what its manifest says
/// of each.
struct ExportedFiles {
  /// A file, and what it was exported from.
  struct File: Sendable {
    let path: String
    /// The size that it has, whatever the manifest says.
    let byteCount: Int64
    let entry: ExportManifest.Entry
  }

  private let manifest: String
  private var lines: LineReader
  private var lineNumber = 1
  private var isOver = false

  /// Opens the manifest of a folder; `nil` when there is none, or another file of that name.
  ///
  /// A manifest that a newer version made is refused: it may mean something else.
  init?(in folder: String) throws {
    manifest = (folder.hasSuffix("/") ? folder : folder + "/") + ExportManifest.fileName
    guard Self.status(of: manifest)?.type == .regular else { return nil }
    lines = try LineReader(path: manifest)
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

  /// The first line; `nil` when there is none, or one that is longer than any of a manifest.
  private static func firstLine(_ lines: inout LineReader) throws(FileError) -> Data? {
    do {
      return try lines.next()
    } catch {
      guard error.code == .fileTooLarge else { throw error }
      return nil
    }
  }

  /// The next file, or why it cannot be imported.
  mutating func next() -> FileWalk.Entry? {
    guard !isOver else { return nil }
    do {
      guard let line = try lines.next() else {
        isOver = true
        return nil
      }
      lineNumber += 1
      // Whatever is wrong with a line, it concerns that one alone.
      guard let entry = try? JSONDecoder().decode(ExportManifest.Entry.self, from: line) else {
        return failure("line \(lineNumber) describes no snippet")
      }
      guard let file = file(of: entry) else {
        return failure("line \(lineNumber) names a file that is not in the folder, \(entry.file)")
      }
      return .exported(file)
    } catch {
      isOver = true
      return .failure(path: manifest, error)
    }
  }

  /// What stands at a path; a link is one.
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
        do: "Export it once more."
      )
    )
  }

  /// Where the bytes of an entry are: a regular file in a folder of the export, reached by no link.
  private func file(of entry: ExportManifest.Entry) -> File? {
    // By bytes, as a file system: to Swift a slash with a mark behind it is no slash.
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
