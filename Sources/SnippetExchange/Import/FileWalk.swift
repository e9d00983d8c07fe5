import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The regular files at and below some paths, in the order of their names, found on demand.
///
/// A link is followed if it is one of the given paths, and skipped if it is found below them, so a
/// walk never runs in a circle or leaves the given paths. The files of a store that this process
/// has open are always skipped.
///
/// In a folder made by an export, the files in its manifest are found with their entries, and all
/// others are left out. In one made by Joplin, its notes and resources are found, then the other
/// files.
struct FileWalk: Sequence, IteratorProtocol {
  /// A file, or the reason why a path cannot be walked.
  enum Entry {
    case file(File)
    case exported(ExportedFiles.File)
    case joplin(JoplinExport.Item)
    /// A file that a folder of another kind has no place for.
    case leftOut(path: String, because: String)
    case failure(path: String, any Error)
  }

  /// A file on the disk.
  struct File {
    let path: String
    let stamp: FileStamp
    /// The index of the given folder in which it was found; `nil` if the file itself was given.
    var folder: Int?

    var byteCount: Int64 { stamp.byteCount }
  }

  /// A path to visit.
  private struct Place {
    var path: String
    /// The index of the given path that contains it.
    var given: Int
    var isGiven: Bool
    /// Whether the name is valid UTF-8.
    ///
    /// A name that is not would read back as that of another file.
    var isText = true
  }

  private let includesHidden: Bool
  /// The paths still to visit, in reverse order.
  private var pending: [Place]
  /// The export whose files come next.
  private var exported: ExportedFiles?
  private var joplin: JoplinExport?
  /// The paths of files that Joplin's items have brought, by their bytes.
  private var resourcePaths: Set<[UInt8]> = []

  init(_ paths: [String], includesHidden: Bool) {
    self.includesHidden = includesHidden
    pending = paths.enumerated().reversed().map {
      Place(path: $0.element, given: $0.offset, isGiven: true)
    }
  }

  mutating func next() -> Entry? {
    if let entry = exported?.next() { return entry }
    exported = nil
    if let entry = nextOfJoplin() { return entry }
    joplin = nil
    while let place = pending.popLast() {
      let (path, isGiven) = (place.path, place.isGiven)
      guard place.isText else { return .failure(path: path, Self.nameless(path)) }
      let status: Stat
      do throws(Errno) {
        status = try Stat(path, followTargetSymlink: isGiven)
      } catch {
        // The name was decoded from invalid UTF-8, so it is no longer that of the file.
        if isGiven, error == .noSuchFileOrDirectory, path.contains("\u{FFFD}") {
          return .failure(path: path, Self.nameless(path))
        }
        return .failure(path: path, FileError(path, error))
      }
      switch status.type {
      case .directory:
        do {
          exported = try ExportedFiles(in: path, includesHidden: includesHidden)
          if let entry = exported?.next() { return entry }
          if exported == nil { try visit(path, place.given) }
          if let entry = nextOfJoplin() { return entry }
        } catch {
          return .failure(path: path, error)
        }
      case .regular:
        if StoreSeam.isOpen(FileIdentity(status)) { continue }
        if !resourcePaths.isEmpty, resourcePaths.remove(Array(path.utf8)) != nil { continue }
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

  private mutating func nextOfJoplin() -> Entry? {
    if let item = joplin?.next() { return .joplin(item) }
    return joplin?.nextOther().map {
      .leftOut(path: $0, because: "it is an item of Joplin that is no note and no resource")
    }
  }

  private mutating func visit(_ folder: String, _ given: Int) throws(FileError) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let names = try OpenFolder(folder).names()
    joplin = JoplinExport(in: folder, names.filter(\.isText).map(\.name))
    let itemNames = joplin?.itemNames ?? []
    resourcePaths.formUnion(joplin?.resourcePaths ?? [])
    let found =
      names
      .filter { !itemNames.contains($0.name) }
      .filter { includesHidden || !$0.name.hasPrefix(".") }
      .filter { !UnfinishedFile.isName($0.name) && !FileBesideStore.isName($0.name, in: prefix) }
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
