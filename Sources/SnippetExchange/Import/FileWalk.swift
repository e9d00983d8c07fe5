import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The regular files at and below some paths, in the order of their names, found as they are asked
/// for.
///
/// A link is followed when it is given and skipped when it is found, so that no walk runs in a
/// circle or leaves what was given. The files of a store that this process has open are skipped,
/// given or found.
///
/// In a folder that an export has made, the files that its manifest names are found, with what it
/// says of them, and no others. In one that Joplin has made, its notes and resources are.
struct FileWalk: Sequence, IteratorProtocol {
  /// A file, or why something cannot be walked.
  enum Entry {
    case file(File)
    case exported(ExportedFiles.File)
    case joplin(JoplinExport.Item)
    case failure(path: String, any Error)
  }

  /// A file as it is on the disk.
  struct File {
    let path: String
    let stamp: FileStamp
    /// Which of the given paths is the folder that it was found in; `nil` for one that was given.
    var folder: Int?

    var byteCount: Int64 { stamp.byteCount }
  }

  /// A path to be visited.
  private struct Place {
    var path: String
    /// Which of the given paths it is or is below.
    var given: Int
    var isGiven: Bool
    /// Whether the name is a text; one that is none would come back as that of another file.
    var isText = true
  }

  private let includesHidden: Bool
  /// Paths still to be visited, the next one last.
  private var pending: [Place]
  /// The export whose files come next.
  private var exported: ExportedFiles?
  private var joplin: JoplinExport?

  init(_ paths: [String], includesHidden: Bool) {
    self.includesHidden = includesHidden
    pending = paths.enumerated().reversed().map {
      Place(path: $0.element, given: $0.offset, isGiven: true)
    }
  }

  mutating func next() -> Entry? {
    if let entry = exported?.next() { return entry }
    exported = nil
    if let item = joplin?.next() { return .joplin(item) }
    joplin = nil
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
          if exported == nil { try visit(path, place.given) }
          if let item = joplin?.next() { return .joplin(item) }
        } catch {
          return .failure(path: path, error)
        }
      case .regular:
        if StoreSeam.isOpen(FileIdentity(status)) { continue }
        return .file(
          File(path: path, stamp: FileStamp(status), folder: isGiven ? nil : place.given)
        )
      default:
        if isGiven {
          return .file(
            File(path: path, stamp: FileStamp(modifiedNanoseconds: 0, byteCount: 0), folder: nil)
          )
        }
      }
    }
    return nil
  }

  private mutating func visit(_ folder: String, _ given: Int) throws(FileError) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let names = try OpenFolder(folder).names()
    joplin = try JoplinExport(in: folder, names.filter(\.isText).map(\.name))
    guard joplin == nil else { return }
    let found =
      names
      .filter { includesHidden || !$0.name.hasPrefix(".") }
      .filter { !UnfinishedFile.isName($0.name) }
      .map { Place(path: prefix + $0.name, given: given, isGiven: false, isText: $0.isText) }
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
