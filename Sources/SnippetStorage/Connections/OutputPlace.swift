import Foundation
import Migrations
import SnippetBase
import SystemPackage

/// A place that is about to be written to, held against every store.
///
/// A file in the place of a database, or where SQLite looks for the files beside it, destroys a
/// store: SQLite takes it for the database, replays it or deletes it. Files are compared by their
/// identity, so links, spellings and other mounts make no difference. Where nothing stands yet, the
/// folder and the name count, without case: some file systems know none.
struct OutputPlace {
  /// The content to be written.
  enum Content {
    /// It must not replace any store.
    case file
    /// A whole store, which may replace one that is not open.
    case store
    /// The content of the very store at this place, open or not.
    case sameStore
  }

  private enum Relation {
    case same, beside
  }

  /// The endings of the files beside a database that SQLite opens.
  static let logSuffixes = ["-wal", "-shm", "-journal"]
  /// The endings of those from which SQLite replays changes.
  static let replayedSuffixes = logSuffixes.filter { $0 != "-shm" }
  /// The endings of all files beside a database that belong to it.
  static let suffixes = logSuffixes + ["-reserve"]

  /// The path as given, without slashes at its end.
  private let given: String
  /// The path behind its links, even if nothing is there yet; as given if they lead nowhere.
  let target: String

  init(_ path: String) {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path.unicodeScalars.removeLast()
    }
    given = path
    target = (try? FileSystem.place(of: path)) ?? path
  }

  private var paths: [String] {
    given.utf8.elementsEqual(target.utf8) ? [given] : [given, target]
  }

  /// The folder of the file, behind its links.
  var folder: String { Self.parts(of: target).folder }

  /// Throws if a store would be lost.
  ///
  /// Stores that are open in this process count, those that are named, and any other that is
  /// recognized by its header.
  func requireNoStore(
    besides named: [String] = [],
    writing content: Content = .file,
    during operation: String
  ) throws(SnippetStoreError) {
    let reason: String?
    do {
      reason = try danger(besides: named, writing: content)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    guard let reason else { return }
    throw SnippetStoreError(
      .invalidInput,
      operation,
      because: reason,
      keeping: "Nothing was changed.",
      do: "Choose another name."
    )
  }

  private func danger(
    besides named: [String],
    writing content: Content
  ) throws(FileError) -> String? {
    for store in OpenStoreFile.openPaths + named {
      switch relation(to: OutputPlace(store)) {
      case nil: continue
      case .same where content == .sameStore: continue
      case .same: return "it would replace the store \(store)"
      case .beside: return "it would replace a file that belongs to the store \(store)"
      }
    }
    if content == .file, let reason = try Self.worth(of: given) { return reason }
    for owner in paths.compactMap(Self.owner(of:)) where try Self.worth(of: owner) != nil {
      return "by its name it belongs to the store \(owner)"
    }
    return nil
  }

  /// The file beside the place that SQLite would take for the log of a new database, and replay or
  /// delete; `nil` if there is none.
  ///
  /// An empty one holds nothing, and readers leave such logs.
  var foreignLog: String? {
    Self.replayedSuffixes.map { target + $0 }.first { path in
      guard let status = try? Stat(path, followTargetSymlink: false) else { return false }
      return status.type != .regular || status.size > 0
    }
  }

  /// Refuses a place beside the log of another database.
  func requireNoLog(during operation: String) throws(SnippetStoreError) {
    guard let log = foreignLog else { return }
    throw SnippetStoreError(
      .invalidInput,
      operation,
      because: "the log of a database is beside it, \(log)",
      keeping: "Nothing was changed.",
      do: "Choose another name, or move the log to its database."
    )
  }

  /// Refuses a folder in which files can be made, and neither renamed nor removed: what a new store
  /// or a copy needs beside it would stay.
  func requireRemovals(during operation: String) throws(SnippetStoreError) {
    guard FileStatus.protection(of: folder) == .appendOnly else { return }
    throw SnippetStoreError(
      .cannotCreate,
      operation,
      because: "in the folder of \(given), nothing can be renamed or removed",
      do: "Choose another folder, or clear its attribute “append only”."
    )
  }

  // MARK: - Known stores

  /// Returns whether the place is a store's own or that of a file beside it; `nil` for neither.
  private func relation(to store: OutputPlace) -> Relation? {
    let database = FileIdentity(path: store.given)
    if let file = FileIdentity(path: given) {
      if file == database { return .same }
      let beside = Self.suffixes.lazy.compactMap { FileIdentity(path: store.target + $0) }
      if beside.contains(file) { return .beside }
    }
    let (folder, name) = Self.parts(of: store.target)
    for path in paths {
      let (ownFolder, ownName) = Self.parts(of: path)
      if let place = FileIdentity(path: ownFolder), place == FileIdentity(path: folder) {
        if ownName == name { return .same }
        let (own, other) = (Self.folded(ownName), Self.folded(name))
        if Self.suffixes.contains(where: { own == other + $0 }) { return .beside }
      }
      // The log of another name of the same file.
      let owner = Self.owner(of: path).flatMap(FileIdentity.init(path:))
      if owner != nil, owner == database { return .beside }
    }
    return nil
  }

  // MARK: - Other stores

  /// Returns why a file must not be replaced: it is a store, or a database with changes beside it
  /// that belong to it alone.
  ///
  /// The caller has made sure that it is not open: closing it would drop the locks of this process.
  private static func worth(of path: String) throws(FileError) -> String? {
    guard FileStatus.isRegular(path) == true else { return nil }
    if let identity = FileIdentity(path: path), OpenStoreFile.contains(identity) {
      return "it is a store that is open"
    }
    let header: [UInt8]
    do throws(FileError) {
      header = try OpenFile(path, options: .nonBlocking).bytes(at: 0, count: 72)
    } catch {
      switch error.code {
      // One who may not read it, but may replace it, has other reasons to know.
      case .permissionDenied, .noSuchFileOrDirectory: return nil
      default: throw error
      }
    }
    let isDatabase = header.count == 72 && header.starts(with: "SQLite format 3\0".utf8)
    if isDatabase {
      let mark: UInt32 = header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
      if mark == UInt32(bitPattern: Migrations.applicationID) {
        return "it is a store of snippets, which would be lost"
      }
    }
    guard isDatabase || header.isEmpty else { return nil }
    // All of a new store may still be in there.
    let logs = replayedSuffixes.map { path + $0 }
    guard let log = logs.first(where: { FileStatus.byteCount(of: $0) > 0 }) else { return nil }
    return "it is a database, and its log is beside it, \(log)"
  }

  // MARK: - Names

  private static func parts(of path: String) -> (folder: String, name: String) {
    let folder = path.folderPath
    return (folder.isEmpty ? "." : folder, path.fileName)
  }

  /// Whether SQLite would look for a name beside some database.
  static func isBesideDatabase(_ name: String) -> Bool { owner(of: name) != nil }

  /// Returns the database beside which SQLite would look for a path; `nil` if there is none.
  private static func owner(of path: String) -> String? {
    let path = withoutEnd(path)
    let lowercased = path.lowercased()
    guard let suffix = suffixes.first(where: lowercased.hasSuffix) else { return nil }
    return String(path.dropLast(suffix.count))
  }

  /// The form in which the names of a file system without case are equal.
  private static func folded(_ name: String) -> String {
    withoutEnd(name.precomposedStringWithCanonicalMapping.uppercased().lowercased())
  }

  /// Leaves out what FAT leaves out of a name.
  private static func withoutEnd(_ name: String) -> String {
    var name = name[...]
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    return String(name)
  }
}
