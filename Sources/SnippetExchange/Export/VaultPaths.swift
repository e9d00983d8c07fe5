import Foundation
import GRDB
import SnippetStorage

/// Where the files of snippets belong in a folder.
///
/// A snippet that has files there keeps them. Else it gets those of the folder that it came from, below
/// a name for that if there are several such folders. Else its title names it.
///
/// A reference, so that the names are never copied.
final class VaultPaths {
  /// The number of the folder among those of origins; 0 until its first file is written down.
  var folder: Int64
  /// The one other folder, whose paths begin with nothing.
  private var onlySource: Int64?
  /// What paths in the other folders begin with, with a slash at its end.
  private var prefixes: [Int64: String] = [:]
  /// The names that titles have got, and those that others have.
  private var taken: Set<String> = []
  /// What has been handed out, by its bytes: to Swift, paths are equal that are two to a file system.
  private var handedOut: Set<[UInt8]> = []
  /// How often a title has been a name.
  private var counts: [String: Int] = [:]

  init(folder: Int64, in db: Database) throws {
    self.folder = folder
    let sources = try OriginStatements(db: db).sources().filter { $0.id != folder }
    guard sources.count > 1 else {
      onlySource = sources.first?.id
      return
    }
    var names: Set<String> = []
    for source in sources {
      let last = (source.path as NSString).lastPathComponent
      let base = last == "/" ? "files" : last
      var (name, count) = (base, 1)
      while !names.insert(name.lowercased()).inserted {
        count += 1
        name = "\(base) \(count)"
      }
      prefixes[source.id] = "\(name)/"
    }
  }

  /// The paths of the files of a snippet, and what is known of each.
  ///
  /// - Parameters:
  ///   - row: The snippet.
  ///   - isUnicode: Whether it is a text in UTF-8.
  ///   - isFree: Whether nothing stands at a path in the folder.
  ///   - db: A transaction.
  /// - Returns: The paths, with the origin in the folder, if any, and the one that the path is of.
  /// - Throws: What SQLite says.
  func paths(
    of row: SnippetRow,
    isUnicode: Bool,
    isFree: (String) throws -> Bool,
    in db: Database
  ) throws -> [(path: String, origin: OriginRow?, source: OriginRow?)] {
    let origins = try OriginStatements(db: db).origins(of: row.id)
    let own = origins.filter { $0.folder == folder }
    if !own.isEmpty { return own.map { ($0.path, $0, $0) } }
    let first = origins.first?.folder
    var paths: [(path: String, origin: OriginRow?, source: OriginRow?)] = []
    for source in origins where source.folder == first {
      let path = (prefixes[source.folder] ?? "") + source.path
      // Else another snippet has come to have a file there.
      if try isUnused(path, in: db) {
        handedOut.insert(Array(path.utf8))
        paths.append((path, nil, source))
      }
    }
    if !paths.isEmpty { return paths }
    return [(try name(of: row, isUnicode: isUnicode, isFree: isFree, in: db), nil, nil)]
  }

  /// A name after the title that no other file has.
  private func name(
    of row: SnippetRow,
    isUnicode: Bool,
    isFree: (String) throws -> Bool,
    in db: Database
  ) throws -> String {
    let title = ExportedName.fitting(row.title.isEmpty ? row.preview : row.title)
    var base = String(title.drop { $0 == "." || $0.isWhitespace })
    if base.isEmpty { base = "Untitled" }
    if Self.devices.contains(base.uppercased()) { base += "_" }
    let suffix =
      row.kind == .text
      ? (isUnicode ? "md" : "txt")
      : ContentType(mediaType: row.mediaType)?.fileExtension ?? "bin"
    let key = "\(base).\(suffix)".lowercased()
    while true {
      let count = counts[key, default: 0] + 1
      counts[key] = count
      let name = count == 1 ? "\(base).\(suffix)" : "\(base) \(count).\(suffix)"
      guard taken.insert(name.lowercased()).inserted,
        try isUnused(name, in: db),
        try onlySource.flatMap({ try OriginStatements(db: db).origin($0, name) }) == nil,
        try isFree(name)
      else { continue }
      handedOut.insert(Array(name.utf8))
      return name
    }
  }

  /// Whether a path is of no file in the folder, written down or handed out.
  private func isUnused(_ path: String, in db: Database) throws -> Bool {
    try !handedOut.contains(Array(path.utf8))
      && OriginStatements(db: db).origin(folder, path) == nil
  }

  /// What Windows takes for a device, whatever the extension.
  private static let devices: Set<String> = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8",
    "COM9", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
  ]
}
