import GRDB
import SnippetBase
import SnippetStorage
import SystemPackage

/// A folder with origins that was moved as a whole.
///
/// Nothing is in its former place, and most of its files are in the new one, with the same paths,
/// sizes and dates.
struct MovedFolder {
  /// The former path.
  let path: String
  /// The number of its files that are in the new place.
  let fileCount: Int
  private let id: Int64

  private static let pageCount = 512

  /// Finds the folder that is at a place now; `nil` if there is none, or if the store knows files
  /// around the place or in it.
  init?(at place: String, in db: Database) throws {
    let origins = OriginStatements(db: db)
    guard place != "/", FileStatus.exists(place), try origins.folder(around: place) == nil,
      try origins.folders(in: place).isEmpty
    else { return nil }
    var found: (id: Int64, path: String, count: Int)?
    for folder in try origins.folders()
    where FileNames.isFolder(folder.path) && Self.isGone(folder.path, to: place) {
      let count = try Self.count(ofFolder: folder.id, at: place, in: db)
      if count > found?.count ?? 0 { found = (folder.id, folder.path, count) }
    }
    guard let found else { return nil }
    (id, path, fileCount) = (found.id, found.path, found.count)
  }

  /// Records the new place, and returns whether the folder was still in the former one.
  func follow(to place: String, in db: Database) throws -> Bool {
    let origins = OriginStatements(db: db)
    guard try origins.folder(at: path) == id, try origins.folder(around: place) == nil,
      try origins.folders(in: place).isEmpty
    else { return false }
    var folders = try origins.folders(in: path)
    folders.append((id: id, path: path))
    for folder in folders {
      let below = String(decoding: folder.path.utf8.dropFirst(path.utf8.count), as: UTF8.self)
      let new = place + below
      try db.execute(
        sql: "UPDATE origin_folder SET path = ? WHERE id = ?",
        arguments: [new, folder.id]
      )
    }
    return true
  }

  /// Whether nothing is at a path, or a link to the place; `false` if that cannot be determined.
  private static func isGone(_ path: String, to place: String) -> Bool {
    do throws(Errno) {
      _ = try Stat(path, followTargetSymlink: true)
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory
    }
    return FileSystem.realPath(of: path).hasBytes(of: place)
  }

  /// Returns the number of files of a folder that are at a place; 0 if they are not most.
  private static func count(
    ofFolder id: Int64,
    at place: String,
    in db: Database
  ) throws -> Int {
    let origins = OriginStatements(db: db)
    let total = try db.number(
      "SELECT count(*) FROM origin WHERE folder_id = ?",
      [id.databaseValue]
    )
    let half = Int(total ?? 0) / 2
    var (count, missing, last) = (0, 0, "")
    while missing <= half {
      let page = try origins.origins(in: id, after: last, limit: pageCount)
      guard let end = page.last?.path else { break }
      for origin in page where !origin.isUnwritten && !origin.isGone {
        if isThere(origin, at: place) { count += 1 } else { missing += 1 }
      }
      last = end
    }
    return count > missing ? count : 0
  }

  private static func isThere(_ origin: OriginRow, at place: String) -> Bool {
    guard let status = try? Stat(place.withSlash + origin.path, followTargetSymlink: false),
      status.type == .regular
    else { return false }
    let stamp = FileStamp(status)
    let distance = stamp.modifiedNanoseconds &- origin.stamp.modifiedNanoseconds
    return stamp.byteCount == origin.stamp.byteCount
      && Double(distance.magnitude) <= FileStamp.coarsestGrain * 1_000_000_000
  }
}
