import Foundation
import SnippetBase
import SystemPackage

/// The regular files at and below some paths, in the order of their names, found as they are asked
/// for.
///
/// A link is followed when it is given and skipped when it is found, so that no walk runs in a
/// circle or leaves what was given. The files of a store that this process has open are skipped,
/// given or found.
///
/// In a folder that an export has made, the files that its manifest names are found, with what it
/// says of them, and no others.
struct FileWalk: Sequence, IteratorProtocol {
  /// A file, or why something cannot be walked.
  enum Entry {
    case file(path: String, byteCount: Int64)
    case exported(ExportedFiles.File)
    case failure(path: String, any Error)
  }

  /// A path to be visited.
  private struct Place {
    var path: String
    var isGiven: Bool
    /// Whether the name is a text; one that is none would come back as that of another file.
    var isText = true
  }

  private let includesHidden: Bool
  /// Paths still to be visited, the next one last.
  private var pending: [Place]
  /// The export whose files come next.
  private var exported: ExportedFiles?

  init(_ paths: [String], includesHidden: Bool) {
    self.includesHidden = includesHidden
    pending = paths.reversed().map { Place(path: $0, isGiven: true) }
  }

  mutating func next() -> Entry? {
    if let entry = exported?.next() { return entry }
    exported = nil
    while let place = pending.popLast() {
      let (path, isGiven) = (place.path, place.isGiven)
      guard place.isText else { return .failure(path: path, Self.nameless(path)) }
      let status: Stat
      do throws(Errno) {
        status = try Stat(path, followTargetSymlink: isGiven)
      } catch {
        // Decoded from what is no UTF-8, the name is no longer that of the file.
        if isGiven, error == .noSuchFileOrDirectory, path.contains("\u{FFFD}") {
          return .failure(path: path, Self.nameless(path))
        }
        return .failure(path: path, FileError(path, error))
      }
      switch status.type {
      case .directory:
        do {
          exported = try ExportedFiles(in: path)
          if let entry = exported?.next() { return entry }
          if exported == nil { try visit(path) }
        } catch {
          return .failure(path: path, error)
        }
      case .regular:
        if OpenStoreFile.contains(FileIdentity(status)) { continue }
        return .file(path: path, byteCount: status.size)
      default:
        if isGiven { return .file(path: path, byteCount: 0) }
      }
    }
    return nil
  }

  private mutating func visit(_ folder: String) throws(FileError) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let found = try OpenFolder(folder).names()
      .filter { includesHidden || !$0.name.hasPrefix(".") }
      .map { Place(path: prefix + $0.name, isGiven: false, isText: $0.isText) }
    pending += found.sorted { $0.path > $1.path }
  }

  private static func nameless(_ path: String) -> SnippetStoreError {
    SnippetStoreError(
      .unreadable,
      "import a file",
      because: "\(path): the name is not UTF-8",
      do: "Rename it, as with: convmv -f latin1 -t utf8 -r --notest FOLDER"
    )
  }
}
