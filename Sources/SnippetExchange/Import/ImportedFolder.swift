import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// An imported folder, with the origins of its files.
///
/// A folder inside another imported one counts as a part of that, and a folder around another one
/// takes over its files. So every file has one origin, whichever of the folders is given.
final class ImportedFolder {
  /// The path of the folder of the origins; that of an archive ends with a slash.
  let path: String
  /// The path in which its files are found, with a trailing slash.
  private let place: String
  /// The number of bytes in a file's path before its path in the given folder.
  private let givenCount: Int
  /// The path of the given folder in that of the origins, with a trailing slash; empty if they are
  /// the same.
  private let prefix: String
  /// Whether there were origins before.
  private(set) var isKnown = false
  /// The folder that was moved here, and that the store has followed.
  let moved: MovedFolder?
  /// The missing files, and some of the changed ones, whose names other files may have taken.
  var formerFiles = FormerFiles()
  /// The files with an identity.
  var identities = IdentifiedFiles()
  /// The texts in the store that files of the folder may be.
  var equalTexts = EqualTexts()
  /// The facts of pictures that have moved without the file which tells them, with their new paths, by
  /// the former ones.
  private(set) var movedFacts: [String: (facts: ToldFacts, path: String)] = [:]
  /// For snippets with several files here, one that is not missing, as far as it was looked for;
  /// `nil` if all are missing.
  private var otherFiles: [SnippetID: String?] = [:]
  /// The number of files found.
  var foundCount = 0
  /// Whether another clock than ours may date the files.
  let isOnNetwork: Bool
  /// The names below the folder of the origins.
  private let names: WrittenNames

  /// The most changed files to remember, so that a folder whose dates have all changed takes little
  /// memory.
  static let maximumChangedCount = 1 << 14

  private let access: ImportAccess
  private static let pageCount = 512

  /// Remembers the facts of a picture that has moved.
  func remember(_ facts: ToldFacts, of former: String, movedTo path: String) {
    guard movedFacts.count < Self.maximumChangedCount else { return }
    movedFacts[former] = (facts, path)
  }

  /// Finds the folder of the origins around the given one, and its missing files.
  ///
  /// An archive is a folder for itself, wherever it is: the folder around it does not have its
  /// members.
  init(_ root: ImportRoot, access: ImportAccess, check: () throws -> Void) throws {
    self.access = access
    let given = root.path
    givenCount = given.utf8.count + (given.hasSuffix("/") ? 0 : 1)
    let real = FileSystem.realPath(of: given)
    if let archive = root.archive {
      moved = nil
      path = archive
      prefix = ""
    } else {
      moved = try Self.followMove(to: real, access)
      path = try Self.folder(around: real, access)
      prefix = real.path(below: path)
    }
    place = root.archive == nil ? path.withSlash : real.withSlash
    isOnNetwork = NetworkFileSystem.holds(real)
    names = WrittenNames(below: place)
    let inner = try access.read { db in try OriginStatements(db: db).folders(in: path) }
    if !inner.isEmpty {
      try access.write { db in
        let origins = OriginStatements(db: db)
        let outer = try origins.makeImportedFolder(at: path)
        for folder in inner {
          let below = folder.path.path(below: path).utf8.dropLast()
          try origins.move(folder.id, into: outer, below: String(decoding: below, as: UTF8.self))
        }
      }
    }
    var former: [(key: FormerFiles.Key, path: String, snippet: SnippetID)] = []
    var changedCount = 0
    try forEachOrigin(check) { origin in
      isKnown = true
      if let identity = origin.identity { identities.add(identity, at: origin.path) }
      guard !origin.isUnwritten, !origin.isSideFile else { return }
      var key = FormerFiles.Key(sha256: origin.sha256)
      switch standing(at: origin.path) {
      case .unknown, .file(origin.stamp, _): return
      case .nothing: break
      case .file, .other:
        changedCount += 1
        guard changedCount <= Self.maximumChangedCount else { return }
        key.modifiedNanoseconds = origin.stamp.roughNanoseconds
      }
      former.append((key, origin.path, origin.snippet))
    }
    guard !former.isEmpty else { return }
    let trashed = try access.read { db in
      try OriginStatements(db: db).trashedSnippets(inFolderAt: path)
    }
    // A file that was renamed is that of a snippet in the list, rather than of an equal one in the
    // trash, whose file is gone too.
    let listed = former.filter { !trashed.contains($0.snippet) }
    let ofTrash = former.filter { trashed.contains($0.snippet) }
    formerFiles = FormerFiles((listed + ofTrash).map { ($0.key, $0.path) })
  }

  /// Finds the folder of the origins for a single file.
  init(ofSingleFile file: String, access: ImportAccess) throws {
    self.access = access
    // By bytes: Foundation folds slashes, and the rest would then not be the name.
    let name = file.utf8.lastIndex(of: UInt8(ascii: "/")).map(file.utf8.index(after:))
    let parent = file.utf8[..<(name ?? file.utf8.startIndex)]
    givenCount = parent.count
    let folder = parent.isEmpty ? "." : String(decoding: parent, as: UTF8.self)
    let real = FileSystem.realPath(of: folder)
    moved = nil
    path = try Self.folder(around: real, access)
    place = path.withSlash
    prefix = real.path(below: path)
    isOnNetwork = NetworkFileSystem.holds(real)
    names = WrittenNames(below: place)
  }

  /// Finds the folder that was moved to a place, and records where it is.
  private static func followMove(to place: String, _ access: ImportAccess) throws -> MovedFolder? {
    let found = try access.read { db in try MovedFolder(at: place, in: db) }
    guard let found else { return nil }
    // Another import may have been first.
    let isFollowed = try access.write { db in try found.follow(to: place, in: db) }
    return isFollowed ? found : nil
  }

  /// Returns the folder with origins that a path is or is in, or else the path itself.
  private static func folder(around path: String, _ access: ImportAccess) throws -> String {
    try access.read { db in try OriginStatements(db: db).folder(around: path) } ?? path
  }

  /// Returns the path of a file in the folder of the origins.
  func path(of file: FileWalk.File) -> String {
    prefix + String(decoding: file.path.utf8.dropFirst(givenCount), as: UTF8.self)
  }

  /// Returns the URL of an origin's file.
  func url(of path: String) -> URL {
    URL(fileURLWithPath: self.path.withSlash + path, isDirectory: false)
  }

  /// The thing at the place of a file; nothing if its name there differs in case.
  private enum Standing {
    case nothing
    case file(FileStamp, FileIdentity)
    case other
    /// It could not be determined.
    case unknown
  }

  private func standing(at path: String) -> Standing {
    do throws(Errno) {
      let status = try Stat(place + path, followTargetSymlink: false)
      guard names.has(path) else { return .nothing }
      guard status.type == .regular else { return .other }
      return .file(FileStamp(status), FileIdentity(status))
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory ? .nothing : .unknown
    }
  }

  /// Whether there is nothing at the place of a file; `false` if that cannot be determined.
  func isMissing(_ path: String) -> Bool {
    if case .nothing = standing(at: path) { true } else { false }
  }

  /// Whether a file has changed or is missing; `false` if that cannot be determined.
  ///
  /// A file with the same size and another date is read.
  func isGone(_ origin: OriginRow, _ check: () throws -> Void) throws -> Bool {
    switch standing(at: origin.path) {
    case .nothing, .other: return true
    case .unknown, .file(origin.stamp, _): return false
    case .file(let stamp, let identity):
      if stamp.byteCount != origin.stamp.byteCount { return true }
      guard !StoreSeam.isOpen(identity) else { return true }
      do {
        let file = try OpenFile(place + origin.path, options: [.noFollow, .nonBlocking])
        return try file.contentHash(check) != origin.sha256
      } catch is FileError {
        return false
      }
    }
  }

  /// Reads the note within a picture or a recording, as an import takes it; `nil` if there is none,
  /// or the file cannot be read.
  func embeddedNote(at path: String) -> String? {
    guard let (file, _) = try? OpenFile.ahead(place + path), let bytes = try? FileBytes(file),
      let content = try? ContentRecognizer.recognizeMedia(bytes)
    else { return nil }
    return content.note.map(TextRules.note(of:))
  }

  /// Whether a snippet has another file here that is not missing, besides one that is.
  ///
  /// `paths` returns some of its files after one, in the order of their paths. Takes O(1) amortized
  /// in the number of files of the snippet.
  func hasFile(
    _ id: SnippetID,
    besides path: String,
    _ paths: (_ after: String) throws -> [String]
  ) throws -> Bool {
    if let known = otherFiles[id] {
      guard let known else { return false }
      if !known.hasBytes(of: path), !isMissing(known) { return true }
    }
    var isOnly = true
    var page = try paths("")
    while let last = page.last {
      for other in page where !other.hasBytes(of: path) {
        isOnly = false
        if isMissing(other) { continue }
        otherFiles[id] = .some(other)
        return true
      }
      page = try paths(last)
    }
    if !isOnly { otherFiles[id] = .some(nil) }
    return false
  }

  /// Calls `body` with the origins of the given folder, page by page and outside of any
  /// transaction.
  func forEachOrigin(_ check: () throws -> Void, _ body: (OriginRow) throws -> Void) throws {
    var last = prefix
    while true {
      try check()
      let page = try access.read { db in
        let origins = OriginStatements(db: db)
        guard let folder = try origins.folder(at: path) else { return [OriginRow]() }
        return try origins.origins(in: folder, after: last, limit: Self.pageCount)
      }
      for origin in page {
        guard origin.path.utf8.starts(with: prefix.utf8) else { return }
        try body(origin)
      }
      guard let end = page.last?.path else { return }
      last = end
    }
  }
}
