import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SystemPackage

/// Assigns the paths of snippets in a folder.
///
/// A snippet that has files there keeps them, also one that was given by itself and is there still.
/// Otherwise it gets the paths of the folder that it came from; if there are several such folders,
/// or if the folder was imported itself, each is put below its own name. Otherwise its title is the
/// name.
///
/// A class, so that the names are never copied.
final class VaultPaths {
  var home: VaultHome
  private let scope: MarkdownExportOptions.Scope
  /// The only other folder, whose paths need no prefix.
  private var onlySource: Int64?
  /// The prefixes of paths from the other folders, each with a trailing slash.
  private var prefixes: [Int64: String] = [:]
  /// The names used for titles, and those of other files.
  private var taken: Set<String> = []
  /// The paths assigned so far, as bytes: to Swift, some paths are equal that are different to a
  /// file system.
  private var handedOut: Set<[UInt8]> = []
  /// The files of snippets that are not recorded yet: those whose turn has come, and those that
  /// others link to.
  private var assigned: [SnippetID: [File]?] = [:]
  /// The snippets whose turn has come.
  private var present: [SnippetID] = []
  /// The number of times that a title has been used as a name.
  private var counts: [String: Int] = [:]

  /// A file of a snippet.
  typealias File = (path: String, origin: OriginRow?, source: OriginRow?)

  init(home: VaultHome, _ scope: MarkdownExportOptions.Scope, in db: Database) throws {
    (self.home, self.scope) = (home, scope)
    let sources = try OriginStatements(db: db).sources()
      .filter { $0.id != home.id && home.inner[$0.id] == nil }
    guard sources.count > 1 || home.isImported else {
      onlySource = sources.first?.id
      return
    }
    var names: Set<String> = []
    for source in sources {
      // The archive itself may lie where the files are written.
      let name = source.path.fileName
      let last = FileNames.isArchive(source.path) ? name.withoutFileExtension : name
      let base = last == "/" ? "files" : last
      var (folder, count) = (base, 1)
      while !names.insert(folder.lowercased()).inserted {
        count += 1
        folder = "\(base) \(count)"
      }
      prefixes[source.id] = "\(folder)/"
    }
  }

  /// Returns the paths for a snippet's files, each with its origin in the folder, if there is one,
  /// and the origin that the path comes from; `nil` for a snippet that gets no file.
  ///
  /// `isFree` tells whether a path in the folder is free. A text in UTF-8 becomes Markdown. With
  /// `isAhead`, the turn of the snippet has not come, or is over.
  func paths(
    of row: SnippetRow,
    isAhead: Bool,
    isUnicode: Bool,
    isFree: (String) throws -> Bool,
    in db: Database
  ) throws -> [File]? {
    if !isAhead { present.append(row.id) }
    if let known = assigned[row.id] { return known }
    let found = try newPaths(of: row, isUnicode: isUnicode, isFree: isFree, in: db)
    assigned[row.id] = .some(found)
    return found
  }

  /// Forgets the files of the snippets whose turn has come: their origins have them now.
  func forgetRecorded() {
    for id in present { assigned[id] = nil }
    present = []
  }

  private func newPaths(
    of row: SnippetRow,
    isUnicode: Bool,
    isFree: (String) throws -> Bool,
    in db: Database
  ) throws -> [File]? {
    let all = try OriginStatements(db: db).origins(of: row.id).filter { !$0.isSideFile }
    let origins = all.filter { !$0.isSingle }
    let own = origins.compactMap { origin in home.path(of: origin).map { ($0, origin) } }
    if !own.isEmpty { return own.map { ($0, $1, $1) } }
    guard isWanted(origins) else { return nil }
    for single in all where single.isSingle && !single.isItem {
      guard let known = home.origin(ofSingle: single), let path = home.path(of: known),
        isFile(path), try isUnused(path, in: db)
      else { continue }
      handedOut.insert(Array(path.utf8))
      return [(path, known, known)]
    }
    let first = origins.first?.folder
    var paths: [File] = []
    for source in origins where source.folder == first && !source.isItem {
      let path = home.prefix + (prefixes[source.folder] ?? "") + source.path
      // Otherwise another snippet has a file there by now.
      if try isUnused(path, in: db) {
        handedOut.insert(Array(path.utf8))
        paths.append((path, nil, source))
      }
    }
    if !paths.isEmpty { return paths }
    return [(try name(of: row, isUnicode: isUnicode, isFree: isFree, in: db), nil, nil)]
  }

  /// Whether a snippet with some files, none of them in the folder, gets one there.
  private func isWanted(_ origins: [OriginRow]) -> Bool {
    guard home.isImported else { return true }
    return switch scope {
    case .ownFiles: false
    case .ownFilesAndNew: origins.isEmpty
    case .everything: true
    }
  }

  /// Returns a name made from the title that no other file has.
  private func name(
    of row: SnippetRow,
    isUnicode: Bool,
    isFree: (String) throws -> Bool,
    in db: Database
  ) throws -> String {
    // In Markdown alone, tags and a pin have a place.
    let isOfOwn = row.kind == .text && row.tags.isEmpty && !row.isPinned
    let own = isOfOwn ? TextRules.textExtension(of: row.title) : nil
    let plain = isUnicode ? "md" : "txt"
    var suffix =
      row.kind == .text
      ? own ?? plain
      : ContentType(mediaType: row.mediaType)?.fileExtension ?? "bin"
    let shown = row.title.isEmpty ? row.preview : row.title
    let title = ExportedName.fitting(ExportedName.withoutExtension(shown, of: row, suffix))
    var base = String(title.drop { $0 == "." || $0.isWhitespace })
    if base.isEmpty { base = FileNames.untitled }
    if Self.devices.contains(base.uppercased()) { base += "_" }
    // An import would read nothing in the folder but what that names.
    if "\(base).\(suffix)".lowercased() == ExportManifest.fileName {
      (base, suffix) = ("\(base).\(suffix)", plain)
    }
    let key = "\(base).\(suffix)".lowercased()
    while true {
      let count = counts[key, default: 0] + 1
      counts[key] = count
      let name = home.prefix + (count == 1 ? "\(base).\(suffix)" : "\(base) \(count).\(suffix)")
      guard taken.insert(name.lowercased()).inserted,
        try isUnused(name, in: db),
        try onlySource.flatMap({ try OriginStatements(db: db).origin($0, name) }) == nil,
        try isFree(name)
      else { continue }
      handedOut.insert(Array(name.utf8))
      return name
    }
  }

  /// Whether there is a file at a path in the folder, and not a link.
  private func isFile(_ path: String) -> Bool {
    (try? Stat(home.path.withSlash + path, followTargetSymlink: false))?.type == .regular
  }

  /// Whether no file in the folder has a path, recorded or assigned.
  private func isUnused(_ path: String, in db: Database) throws -> Bool {
    try !handedOut.contains(Array(path.utf8))
      && !home.hasOrigin(at: path, in: db)
  }

  /// The names that Windows takes for devices, whatever the extension.
  private static let devices: Set<String> = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8",
    "COM9", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
  ]
}
