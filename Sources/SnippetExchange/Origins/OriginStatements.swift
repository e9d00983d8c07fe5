import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SystemPackage

/// A file that a snippet came from or was written to, in their last common state.
struct OriginRow: Equatable, Sendable {
  /// The number of the folder.
  var folder: Int64
  /// The path of the file in the folder.
  var path: String
  var snippet: SnippetID
  var stamp: FileStamp
  /// The hash of the file.
  var sha256: Data
  /// The hash of the snippet's content, if the file contains more; `nil` if they are equal.
  var contentSHA256: Data?
  /// The properties in the file that the content does not have.
  var note: FileNote?
  /// The number of innermost folders around the file that are tags of the snippet.
  ///
  /// A folder above them may be imported later.
  var taggedFolderCount = 0

  /// Whether the file is the place of a version that a conflict has left, and still to be written.
  var isUnwritten: Bool { note?.unwritten == true }

  /// Whether the file went with its snippet to a trash, and is to come back with it.
  var isGone: Bool { note?.gone == true }

  /// Whether the file has the note of a picture or a recording, whose own file it is beside.
  var isSideFile: Bool { note?.sideFile == true }

  /// Whether the file was given by itself, outside of an imported folder: nothing but its path is
  /// looked at again.
  var isSingle: Bool { note?.single == true }

  /// Whether the file is an item of Joplin.
  var isItem: Bool { note?.item == true }

  /// The identity of the file, if another program has given it one.
  var identity: String? { note?.givenIdentity }

  /// The moment of the last edit in the other program, in milliseconds since 1970; `nil` if neither
  /// an item nor the file that describes this one tells it.
  var edited: Int64? { note?.edited ?? note?.described?.modified }

  /// Whether it was edited before a state of the same file or item, so that it is an older version.
  func isOlder(than state: OriginRow) -> Bool {
    guard isSame(as: state), let edited, let last = state.edited else { return false }
    return edited < last
  }

  /// Whether two states of a snippet are those of one file or item by their identities, or else by
  /// their names: equal resources share a snippet.
  func isSame(as other: OriginRow) -> Bool {
    identity == other.identity
      && (identity != nil || path.fileName.hasBytes(of: other.path.fileName))
  }
}

/// The place of an origin.
struct OriginPlace {
  /// The number of the folder.
  let folder: Int64
  /// The path of the file in the folder.
  let path: String
}

/// The properties that show whether a file has changed, without reading it.
struct FileStamp: Equatable, Sendable {
  /// The date of the last change, in nanoseconds since 1970.
  var modifiedNanoseconds: Int64
  var byteCount: Int64
}

extension FileStamp {
  init(_ status: Stat) {
    let (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
    // A date far away wraps around, but is only compared.
    modifiedNanoseconds = seconds &* 1_000_000_000 &+ nanoseconds
    byteCount = status.size
  }

  var modifiedAt: Date {
    Date(timeIntervalSince1970: Double(modifiedNanoseconds) / 1_000_000_000)
  }

  /// The grain of the coarsest clock of a disk, that of FAT.
  static let coarsestGrain: TimeInterval = 2

  /// The distance of two dates that a store, which counts milliseconds, may take for one.
  static let finestGrain: TimeInterval = 0.002

  /// The grain of exFAT in nanoseconds; those of FAT, HFS+ and ext3 are multiples of it.
  private static let finestCoarseGrain: Int64 = 10_000_000

  /// Whether the clock of the disk may be a coarse one.
  var isCoarse: Bool { modifiedNanoseconds % Self.finestCoarseGrain == 0 }

  /// The most by which the clock of a server is taken to be behind ours, or its time zone to differ.
  private static let greatestLag: TimeInterval = 86_400

  /// Returns the stamp to record for a file whose bytes were read or written after a moment.
  ///
  /// An edit after that moment may get the same date if the date is as young as the grain of the
  /// clock of the disk, or lies ahead because the clocks differ. On a network the clock may also be
  /// behind, so that a young date looks old; that matters where its grain is coarse.
  func recorded(asOf moment: Date, onNetwork: Bool) -> FileStamp {
    let age = Self.coarsestGrain + 1 + (onNetwork && isCoarse ? Self.greatestLag : 0)
    return modifiedAt > moment.addingTimeInterval(-age) ? unreliable : self
  }

  /// The stamp with a date that is off by a nanosecond: it is not the file's, so the next look
  /// reads the bytes.
  var unreliable: FileStamp {
    var stamp = self
    stamp.modifiedNanoseconds ^= 1
    return stamp
  }

  /// The date as a reliable and an unreliable stamp of a file have it in common.
  var roughNanoseconds: Int64 { modifiedNanoseconds & ~1 }
}

/// Reads and writes origins inside a transaction.
struct OriginStatements {
  let db: Database

  // MARK: - Folders

  /// Returns the number of a folder; `nil` if it has no origins.
  func folder(at path: String) throws -> Int64? {
    try db.number("SELECT id FROM origin_folder WHERE path = ?", [path.databaseValue])
  }

  /// Returns the path of a folder; `nil` if it has no origins.
  func path(ofFolder id: Int64) throws -> String? {
    try db.value("SELECT path FROM origin_folder WHERE id = ?", [id.databaseValue]) {
      try $0.text(0)
    }
  }

  /// Returns the number of a folder, and assigns one if it has none.
  func makeFolder(at path: String) throws -> Int64 {
    if let id = try folder(at: path) { return id }
    try db.execute(sql: "INSERT INTO origin_folder (path) VALUES (?)", arguments: [path])
    return db.lastInsertedRowID
  }

  /// Returns the number of an imported folder, and assigns one if it has none.
  func makeImportedFolder(at path: String) throws -> Int64 {
    // Called for each file of an import.
    let known = try db.number(
      "SELECT id FROM origin_folder WHERE path = ? AND imported = 1",
      [path.databaseValue]
    )
    if let known { return known }
    let id = try makeFolder(at: path)
    try db.cachedStatement(
      sql: "UPDATE origin_folder SET imported = 1 WHERE id = ?"
    )
    .execute(arguments: [id])
    return id
  }

  /// Removes a folder without an origin, as it was made for a file that is left out.
  func removeFolderIfEmpty(at path: String) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM origin_folder
        WHERE path = ? AND NOT EXISTS (SELECT 1 FROM origin WHERE folder_id = origin_folder.id)
        """
    )
    .execute(arguments: [path])
  }

  /// Returns the imported folders that are the first origin of some snippet.
  func sources() throws -> [(id: Int64, path: String)] {
    try db.values(
      """
      SELECT id, path FROM origin_folder
      WHERE imported = 1
        AND id IN (SELECT min(folder_id) FROM origin INDEXED BY origin_by_snippet GROUP BY snippet_id)
      ORDER BY id
      """
    ) { (try $0.number(0), try $0.text(1)) }
  }

  /// Returns every folder with origins.
  func folders() throws -> [(id: Int64, path: String, isImported: Bool)] {
    try db.values("SELECT id, path, imported FROM origin_folder ORDER BY id") {
      (try $0.number(0), try $0.text(1), try $0.number(2) == 1)
    }
  }

  /// Returns the path of the folder that a path is or is in; the first that had origins of several,
  /// and `nil` if there is none.
  ///
  /// A store may have thousands of folders, and ask this for thousands of files.
  func folder(around path: String) throws -> String? {
    var first: (id: Int64, path: String)?
    var place = path
    while true {
      if let id = try folder(at: place), id < first?.id ?? .max { first = (id, place) }
      if place.isEmpty || place == "/" { return first?.path }
      place = place.folderPath
    }
  }

  /// Returns the folders within another one.
  func folders(in path: String) throws -> [(id: Int64, path: String)] {
    let start = path.withSlash
    let found: [(id: Int64, path: String)] = try db.values(
      "SELECT id, path FROM origin_folder WHERE path > ? AND path < ? ORDER BY id",
      // A zero comes after a slash.
      [start.databaseValue, "\(start.dropLast())0".databaseValue]
    ) { (try $0.number(0), try $0.text(1)) }
    return found.filter { FileNames.isFolder($0.path) }
  }

  /// Moves the origins of a folder to one around it, below its path there without a trailing slash.
  func move(_ inner: Int64, into outer: Int64, below prefix: String) throws {
    try db.execute(
      sql: """
        DELETE FROM origin WHERE folder_id = ?1 AND EXISTS (
          SELECT 1 FROM origin AS other WHERE folder_id = ?2 AND other.path = ?3 || '/' || origin.path
        )
        """,
      arguments: [inner, outer, prefix]
    )
    try db.execute(
      sql: "UPDATE origin SET folder_id = ?2, path = ?3 || '/' || path WHERE folder_id = ?1",
      arguments: [inner, outer, prefix]
    )
  }

  // MARK: - Files

  private static let columns =
    "folder_id, path, snippet_id, modified_ns, byte_count, sha256, content_sha256, note, tagged_folders"

  private static func origin(_ row: StatementRow) throws -> OriginRow {
    OriginRow(
      folder: try row.number(0),
      path: try row.text(1),
      snippet: SnippetID(rawValue: try row.number(2)),
      stamp: FileStamp(modifiedNanoseconds: try row.number(3), byteCount: try row.number(4)),
      sha256: try row.bytes(5),
      contentSHA256: row.isNull(6) ? nil : try row.bytes(6),
      note: try row.optionalText(7).flatMap(FileNote.init(json:)),
      taggedFolderCount: Int(try row.number(8))
    )
  }

  /// Returns the origin of a file.
  func origin(_ folder: Int64, _ path: String) throws -> OriginRow? {
    try db.value(
      "SELECT \(Self.columns) FROM origin WHERE folder_id = ? AND path = ?",
      [folder.databaseValue, path.databaseValue],
      Self.origin
    )
  }

  /// Returns the origins of a snippet, those of the folder known first at the beginning.
  func origins(of snippet: SnippetID) throws -> [OriginRow] {
    try db.values(
      "SELECT \(Self.columns) FROM origin WHERE snippet_id = ? ORDER BY folder_id, path",
      [snippet.rawValue.databaseValue],
      Self.origin
    )
  }

  /// Returns the places of files with identities in the archives besides one, by the identities.
  func placesInArchives(besides folder: Int64) throws -> [String: [OriginPlace]] {
    let found: [(identity: String, place: OriginPlace)] = try db.values(
      """
      SELECT json_extract(note, '$.described.identity'), folder_id, origin.path
      FROM origin JOIN origin_folder ON folder_id = origin_folder.id
      WHERE folder_id <> ? AND origin_folder.path LIKE '_%/' AND origin_folder.path <> ?
        AND json_extract(note, '$.described.identity') IS NOT NULL
      ORDER BY folder_id, origin.path
      """,
      [folder.databaseValue, FileNames.singleFiles.databaseValue]
    ) { row in
      (try row.text(0), OriginPlace(folder: try row.number(1), path: try row.text(2)))
    }
    return Dictionary(grouping: found, by: \.identity).mapValues { $0.map(\.place) }
  }

  /// Returns some files with the content of a snippet in a folder, in the order of their paths.
  func paths(
    of snippet: SnippetID,
    in folder: Int64,
    after path: String,
    limit: Int
  ) throws -> [String] {
    try db.values(
      """
      SELECT path FROM origin WHERE snippet_id = ? AND folder_id = ? AND path > ?
        AND \(Self.isNoSideFile)
      ORDER BY path LIMIT ?
      """,
      [
        snippet.rawValue.databaseValue, folder.databaseValue, path.databaseValue,
        limit.databaseValue,
      ]
    ) { try $0.text(0) }
  }

  private static let isNoSideFile = "json_extract(note, '$.sideFile') IS NULL"

  /// Whether a snippet has another file with its content in a folder.
  func hasOrigin(of snippet: SnippetID, in folder: Int64, besides path: String) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (
        SELECT 1 FROM origin
        WHERE snippet_id = ? AND folder_id = ? AND path <> ? AND \(Self.isNoSideFile)
      )
      """,
      [snippet.rawValue.databaseValue, folder.databaseValue, path.databaseValue]
    ) == 1
  }

  /// Returns some origins of a folder, in the order of their paths.
  func origins(in folder: Int64, after path: String, limit: Int) throws -> [OriginRow] {
    try db.values(
      """
      SELECT \(Self.columns) FROM origin WHERE folder_id = ? AND path > ? ORDER BY path LIMIT ?
      """,
      [folder.databaseValue, path.databaseValue, limit.databaseValue],
      Self.origin
    )
  }

  /// Returns some origins of a folder whose snippets are in the trash, or not, in the order of their
  /// paths.
  func origins(
    in folder: Int64,
    ofTrash isInTrash: Bool,
    after path: String,
    limit: Int
  ) throws -> [OriginRow] {
    try db.values(
      """
      SELECT \(Self.columns) FROM origin
      WHERE folder_id = ? AND path > ?
        AND EXISTS (
          SELECT 1 FROM snippet WHERE id = snippet_id AND (deleted_at IS NOT NULL) = ?
        )
      ORDER BY path LIMIT ?
      """,
      [
        folder.databaseValue, path.databaseValue, (isInTrash ? 1 : 0).databaseValue,
        limit.databaseValue,
      ],
      Self.origin
    )
  }

  /// Returns the snippets in the trash that have a file in a folder.
  func trashedSnippets(inFolderAt path: String) throws -> Set<SnippetID> {
    guard let folder = try folder(at: path) else { return [] }
    let ids = try db.numbers(
      """
      SELECT DISTINCT snippet_id FROM origin JOIN snippet ON snippet.id = snippet_id
      WHERE folder_id = ? AND deleted_at IS NOT NULL
      """,
      [folder.databaseValue]
    )
    return Set(ids.map(SnippetID.init(rawValue:)))
  }

  /// Whether a snippet has a file that is there in another folder that was imported.
  func hasFile(of snippet: SnippetID, outside folder: Int64) throws -> Bool {
    var isFound = false
    try forEachFileThere(
      """
      \(Self.isImported) AND snippet_id = ? AND folder_id <> ? AND \(Self.isNoSideFile)
        AND \(Self.isNotSingle)
      """,
      [snippet.rawValue.databaseValue, folder.databaseValue]
    ) { _, _ in
      isFound = true
      return false
    }
    return isFound
  }

  private static let isNotSingle = "json_extract(note, '$.single') IS NULL"

  /// The condition that a folder was imported, and not only exported to.
  static let isImported = "imported = 1"

  /// Calls `body` with the paths of files that are there, in their order, and whether their folder
  /// was imported, until it returns `false`; a condition in SQL chooses the origins.
  func forEachFileThere(
    _ condition: String,
    _ values: [DatabaseValue],
    _ body: (String, Bool) -> Bool
  ) throws {
    try db.forEachRow(
      """
      SELECT origin_folder.path, origin.path, imported
      FROM origin JOIN origin_folder ON folder_id = origin_folder.id
      WHERE json_extract(note, '$.unwritten') IS NULL AND \(condition)
      ORDER BY origin_folder.path, origin.path
      """,
      values
    ) { row in
      let folder = try row.text(0)
      let path = folder.withSlash + (try row.text(1))
      guard FileNames.isFolder(folder), FileStatus.exists(path) else { return true }
      return body(path, try row.number(2) == 1)
    }
  }

  /// Whether a folder has an origin below a path in it, which ends with a slash.
  func hasOrigins(in folder: Int64, below prefix: String) throws -> Bool {
    // A zero comes after a slash.
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM origin WHERE folder_id = ? AND path > ? AND path < ?)",
      [
        folder.databaseValue, prefix.databaseValue,
        "\(prefix.dropLast())0".databaseValue,
      ]
    ) == 1
  }

  /// Records that a file and a snippet agree, replacing the former origin of the file.
  func put(_ origin: OriginRow) throws {
    try db.run(
      """
      UPDATE origin SET snippet_id = ?, modified_ns = ?, byte_count = ?, sha256 = ?,
        content_sha256 = ?, note = ?, tagged_folders = ?
      WHERE folder_id = ? AND path = ?
      """,
      values(of: origin)
    )
    if db.changesCount == 0 { try insert(origin) }
  }

  /// Records the stamp of a file that has the bytes of its origin.
  func renew(
    _ stamp: FileStamp,
    of path: String,
    in folder: Int64,
    with sha256: Data
  ) throws {
    try db.run(
      """
      UPDATE origin SET modified_ns = ?, byte_count = ?
      WHERE folder_id = ? AND path = ? AND sha256 = ?
      """,
      [
        stamp.modifiedNanoseconds.databaseValue, stamp.byteCount.databaseValue,
        folder.databaseValue, path.databaseValue, sha256.databaseValue,
      ]
    )
  }

  /// Records that a file without an origin and a snippet agree.
  func insert(_ origin: OriginRow) throws {
    try db.run(
      """
      INSERT INTO origin (
        snippet_id, modified_ns, byte_count, sha256, content_sha256, note, tagged_folders,
        folder_id, path
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      values(of: origin)
    )
  }

  private func values(of origin: OriginRow) throws -> [DatabaseValue] {
    [
      origin.snippet.rawValue.databaseValue,
      origin.stamp.modifiedNanoseconds.databaseValue,
      origin.stamp.byteCount.databaseValue,
      origin.sha256.databaseValue,
      origin.contentSHA256?.databaseValue ?? .null,
      try origin.note?.json.databaseValue ?? .null,
      origin.taggedFolderCount.databaseValue,
      origin.folder.databaseValue,
      origin.path.databaseValue,
    ]
  }

  /// Records that a file is not there while its snippet is in the trash; a file that was not looked
  /// at in its present state stays as it is.
  func recordGone(_ origin: OriginRow) throws {
    guard try self.origin(origin.folder, origin.path) == origin else { return }
    var origin = origin
    var note = origin.note ?? FileNote()
    note.gone = true
    origin.note = note
    try put(origin)
  }

  /// Records the new path of a moved file.
  func move(_ origin: OriginRow, to path: String) throws {
    try db.execute(
      sql: "UPDATE origin SET path = ? WHERE folder_id = ? AND path = ?",
      arguments: [path, origin.folder, origin.path]
    )
  }

  /// Removes the origin of a file.
  func remove(_ folder: Int64, _ path: String) throws {
    try db.execute(
      sql: "DELETE FROM origin WHERE folder_id = ? AND path = ?",
      arguments: [folder, path]
    )
  }
}

extension Database {
  /// Returns the hash of the content of a snippet; `nil` if the content is not there.
  func contentHash(of row: SnippetRow) throws -> Data? {
    if let blob = row.blobID {
      return try value(
        "SELECT sha256 FROM blob WHERE id = ?",
        [blob.rawValue.databaseValue]
      ) { try $0.bytes(0) }
    }
    return PreparedSnippet.Body.text(try shortText(of: row.id)).sha256
  }

  private func shortText(of id: SnippetID) throws -> String {
    try value(
      "SELECT body FROM snippet_text WHERE snippet_id = ?",
      [id.rawValue.databaseValue]
    ) { try $0.text(0) } ?? ""
  }
}
