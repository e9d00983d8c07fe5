import Foundation
import GRDB
import SnippetBase

/// The place of an export among the folders with origins.
///
/// A folder inside an imported one is a part of that if files were imported from it, and a folder
/// around imported ones has their files.
struct VaultHome {
  /// The path of the folder in which files are reached, without links.
  let path: String
  /// The number of this folder among those of origins; 0 until its first file is recorded.
  var id: Int64
  /// The path of the given folder in it, with a trailing slash; empty if they are the same.
  let prefix: String
  /// The paths of imported folders inside it, with a trailing slash, by their numbers.
  let inner: [Int64: String]
  /// Whether snippets came from the folder.
  let isImported: Bool

  /// Finds the place of a folder, which need not exist.
  init(of folder: String, in db: Database) throws {
    let given = Self.realPath(of: folder)
    let origins = OriginStatements(db: db)
    let known = try origins.folders().filter { FileNames.isFolder($0.path) }
    let exact = known.first { $0.path.hasBytes(of: given) }
    if exact == nil,
      let outer = known.first(where: { $0.isImported && given.isInside($0.path) }),
      try origins.hasOrigins(in: outer.id, below: given.path(below: outer.path))
    {
      (path, id, inner, isImported) = (outer.path, outer.id, [:], true)
      prefix = given.path(below: outer.path)
      return
    }
    (path, id, prefix) = (given, exact?.id ?? 0, "")
    inner = Dictionary(
      known.filter { $0.isImported && $0.id != exact?.id && $0.path.isInside(given) }
        .map { ($0.id, $0.path.path(below: given)) },
      uniquingKeysWith: { first, _ in first }
    )
    isImported = exact?.isImported == true || !inner.isEmpty
  }

  /// Returns the path of a file in the folder; `nil` if it is outside of the given one, or no file
  /// that an export writes.
  func path(of origin: OriginRow) -> String? {
    origin.isItem ? nil : anyPath(of: origin)
  }

  /// Returns the path of a file that an export may take away: also that of a note of Google Keep,
  /// while an item of Joplin is a part of a whole.
  func removablePath(of origin: OriginRow) -> String? {
    if origin.isItem, origin.path.fileExtension.lowercased() != "json" { return nil }
    return anyPath(of: origin)
  }

  private func anyPath(of origin: OriginRow) -> String? {
    if let inner = inner[origin.folder] { return inner + origin.path }
    guard origin.folder == id, origin.path.utf8.starts(with: prefix.utf8) else { return nil }
    return origin.path
  }

  /// Returns the origin that a file which was given by itself has here, in the state in which the
  /// snippet was made of it; `nil` if the file is outside of the given folder.
  func origin(ofSingle single: OriginRow) -> OriginRow? {
    let (file, root) = ("/" + single.path, path.withSlash)
    guard file.utf8.starts(with: (root + prefix).utf8) else { return nil }
    var origin = single
    // What another file tells of it stays true.
    origin.note = .note(nil, described: single.note?.described)
    // No file has it, so the bytes are compared.
    origin.stamp = FileStamp(modifiedNanoseconds: 0, byteCount: -1)
    origin.folder = id
    var start = root
    for (folder, below) in inner where file.utf8.starts(with: (root + below).utf8) {
      (origin.folder, start) = (folder, root + below)
    }
    origin.path = String(decoding: file.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    return origin
  }

  /// Whether a file with a path in the folder is recorded.
  func hasOrigin(at path: String, in db: Database) throws -> Bool {
    let origins = OriginStatements(db: db)
    if try origins.origin(id, path) != nil { return true }
    return try inner.contains { folder, prefix in
      guard path.utf8.starts(with: prefix.utf8) else { return false }
      let rest = String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      return try origins.origin(folder, rest) != nil
    }
  }

  /// Resolves the links in a path, whose last parts need not exist.
  static func realPath(of path: String) -> String {
    if FileStatus.exists(path) { return FileSystem.realPath(of: path) }
    let url = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
    let parent = realPath(of: url.deletingLastPathComponent().path)
    return (parent == "/" ? "" : parent) + "/" + url.path.fileName
  }
}
