package import Foundation
import GRDB
import SnippetBase
package import SnippetStorage
import SystemPackage

/// A file that was given by itself, and that a snippet was made of.
///
/// Its path is kept, so that queries find the snippet by it. A file in a folder that was imported
/// has an origin there instead, by which it is followed.
struct SingleFile: Sendable {
  /// The most characters of a path in an origin; the schema has the same limit.
  private static let maximumPathLength = 4096

  /// The path without links in its folders, and without the slash in front.
  let path: String
  let stamp: FileStamp

  /// Describes a file; `nil` if its path cannot be kept.
  init?(_ file: String, _ stamp: FileStamp) {
    // By bytes, as in a walk: to Foundation some names are equal that are different files.
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let name = file.utf8[file.utf8.index(after: slash)...]
    let parent = String(decoding: file.utf8[...slash], as: UTF8.self)
    let folder = FileNames.withoutSlash(FileSystem.realPath(of: parent))
    self.stamp = stamp
    let whole = Array(folder.utf8) + "/".utf8 + name
    path = String(decoding: whole.dropFirst(), as: UTF8.self)
    guard !name.isEmpty, path.unicodeScalars.count <= Self.maximumPathLength else { return nil }
  }

  /// Looks at a file; `nil` if it is none that has bytes of its own.
  init?(at url: URL) {
    guard let status = try? Stat(url.path, followTargetSymlink: true), status.type == .regular
    else { return nil }
    self.init(url.path, FileStamp(status))
  }

  /// Returns the origin of a snippet that was made of it, to be recorded.
  func origin(of id: SnippetID, _ sha256: Data, in db: Database) throws -> OriginRow {
    OriginRow(
      folder: try OriginStatements(db: db).makeFolder(at: FileNames.singleFiles),
      path: path,
      snippet: id,
      stamp: stamp,
      sha256: sha256,
      note: .ofSingle
    )
  }

  /// Returns the recorded origin; `nil` if there is none.
  func known(in db: Database) throws -> OriginRow? {
    let origins = OriginStatements(db: db)
    guard let folder = try origins.folder(at: FileNames.singleFiles) else { return nil }
    return try origins.origin(folder, path)
  }

  /// Records that a snippet was made of it.
  func record(_ id: SnippetID, _ sha256: Data, in db: Database) throws {
    try OriginStatements(db: db).put(origin(of: id, sha256, in: db))
  }
}

extension SnippetStore {
  /// Records the files that snippets were made of, which queries ask for by `file:`, `path:`,
  /// `from:` and `type:`.
  ///
  /// What is no file with bytes of its own, as a pipe, is passed over, and so is a snippet that is
  /// gone.
  ///
  /// - Parameter files: The snippets, each with its file.
  /// - Throws: `SnippetStoreError`.
  package func recordFiles(
    _ files: [(id: SnippetID, url: URL)]
  ) async throws(SnippetStoreError) {
    let seam = seam
    try await OwnThreads.run(to: "record the files of snippets") { check in
      let found = try files.compactMap { id, url in
        try check()
        return SingleFile(at: url).map { (id, $0) }
      }
      guard !found.isEmpty else { return }
      try seam.write(to: "record the files of snippets") { db in
        for (id, file) in found {
          guard let row = try db.snippetRow(id), let sha256 = try db.contentHash(of: row) else {
            continue
          }
          try file.record(id, sha256, in: db)
        }
      }
    }
  }
}
