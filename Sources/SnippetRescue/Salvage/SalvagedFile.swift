import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SystemPackage

/// A copy of a damaged file, on which a salvage works.
///
/// The file is copied without SQLite, so that it can be read even if the medium fails: unreadable
/// bytes are zeros in the copy.
struct SalvagedFile {
  let path: String
  /// The number of bytes that the medium could not read.
  let unreadableByteCount: Int64

  private static let pageSize = 8192
  private static let pieceByteCount = 1 << 20
  /// The size of the block that is skipped around an unreadable place.
  private static let blockByteCount = 4096

  /// Copies a damaged file and the logs beside it to a path at which an empty file exists.
  init(copying damaged: String, to path: String, check: () throws -> Void) throws {
    // Closing a descriptor would drop the locks of other connections to it in this process.
    guard let identity = FileIdentity(path: damaged), !StoreSeam.isOpen(identity) else {
      throw StoreInUse(path: damaged)
    }
    // A pipe would keep its reader waiting for ever.
    try StoreSeam.requireRegularCompanions(of: damaged)
    self.path = path
    var unreadable: Int64 = 0
    for suffix in ["", "-wal", "-journal"] where FileStatus.exists(damaged + suffix) {
      unreadable += try Self.copy(damaged + suffix, to: path + suffix, check)
    }
    unreadableByteCount = unreadable
  }

  private static func copy(
    _ source: String,
    to target: String,
    _ check: () throws -> Void
  ) throws -> Int64 {
    let file = try OpenFile(source)
    let copy = try OpenFile(
      target,
      .readWrite,
      options: [.create, .truncate],
      permissions: .ownerReadWrite
    )
    let byteCount = try file.status().size
    var (offset, unreadable) = (Int64(0), Int64(0))
    while offset < byteCount {
      try check()
      let count = Int(min(Int64(pieceByteCount), byteCount - offset))
      var piece = [UInt8](repeating: 0, count: count)
      try piece.withUnsafeMutableBytes { piece in
        if (try? file.read(into: piece, at: offset)) != piece.count {
          unreadable += read(file, at: offset, into: piece)
        }
        try copy.write(UnsafeRawBufferPointer(piece), at: offset)
      }
      offset += Int64(count)
    }
    try copy.close()
    return unreadable
  }

  /// Reads block by block after a whole piece could not be read, and returns the number of bytes
  /// that could not be read and are zeros.
  private static func read(
    _ file: OpenFile,
    at offset: Int64,
    into piece: UnsafeMutableRawBufferPointer
  ) -> Int64 {
    var unreadable: Int64 = 0
    for start in stride(from: 0, to: piece.count, by: blockByteCount) {
      let block = UnsafeMutableRawBufferPointer(
        rebasing: piece[start..<min(start + blockByteCount, piece.count)]
      )
      if (try? file.read(into: block, at: offset + Int64(start))) == block.count { continue }
      for place in block.indices { block[place] = 0 }
      unreadable += Int64(block.count)
    }
    return unreadable
  }

  // MARK: - Opening

  /// Opens the copy for reading, with the schema of a new store if its own cannot be read.
  ///
  /// The migrations create every table at the same place in every store, so that the schema of one
  /// fits the tables of another. The new store must not be open.
  func open(
    besideNewStore new: String,
    operation: String
  ) throws -> (DatabaseQueue, isSchemaNew: Bool) {
    try setPageCount()
    do {
      return (try opened(), false)
    } catch let error as DatabaseError where Self.isDamage(error) {
      try takeSchema(of: OpenFile(new))
      try setPageCount()
    }
    do {
      return (try opened(), true)
    } catch let error as DatabaseError where Self.isDamage(error) {
      throw SnippetStoreError(
        .damaged,
        operation,
        because: "not even its schema can be read: \(error.message ?? "")",
        keeping: "Nothing was changed.",
        do: "`sqlite3 FILE .recover` may still find something.",
        underlying: error
      )
    }
  }

  private func opened() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { db in
      // Unreadable parts of the schema are skipped; views and triggers are not trusted.
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(sql: "PRAGMA trusted_schema = OFF")
      try db.execute(sql: "PRAGMA query_only = ON")
    }
    let connection = try StoreSeam.openDatabase(path, configuration)
    // One wrong bit in a table's definition hides the table and its indexes, and so does one failure
    // to read the schema.
    try connection.snapshot { db in
      var statements = [
        SalvagedSnippet.select, SnippetDigest.selection, "SELECT data FROM blob_chunk WHERE id = ?",
        "SELECT byte_count, chunk_size, sha256 FROM blob WHERE id = ?",
      ]
      // The oldest stores have no tags.
      let hasTags = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE tbl_name = 'snippet_tag')"
      if try Bool.fetchOne(db, sql: hasTags) ?? false {
        statements.append("SELECT name FROM snippet_tag JOIN tag ON tag.id = tag_id")
      }
      for sql in statements { _ = try db.cachedStatement(sql: sql) }
    }
    return connection
  }

  /// Replaces the pages of this file's schema with those of another file: the first page and those
  /// it refers to (https://www.sqlite.org/fileformat2.html#b_tree_pages).
  private func takeSchema(of other: OpenFile) throws {
    let copy = try OpenFile(path, .readWrite)
    let root = try other.bytes(at: 0, count: Self.pageSize)
    func number(_ place: Int, _ count: Int) -> Int {
      root[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    var pages = [1]
    let header = 100
    if root[header] == 5 {
      pages.append(number(header + 8, 4))
      for cell in 0..<number(header + 3, 2) {
        pages.append(number(number(header + 12 + 2 * cell, 2), 4))
      }
    }
    for page in pages {
      let offset = Int64(page - 1) * Int64(Self.pageSize)
      let bytes = try other.bytes(at: offset, count: Self.pageSize)
      try bytes.withUnsafeBytes { try copy.write($0, at: offset) }
    }
    try copy.close()
  }

  /// Sets the page count in the header to match the size of the file, since SQLite compares them.
  private func setPageCount() throws {
    let file = try OpenFile(path, .readWrite)
    let header = try file.bytes(at: 0, count: 100)
    guard header.count == 100 else { return }
    let byteCount = try file.status().size
    let size = Int64(header[16]) << 8 | Int64(header[17])
    let pageSize = size == 1 ? 65_536 : size
    guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else { return }
    let pageCount = (byteCount + pageSize - 1) / pageSize
    let rest = [UInt8](repeating: 0, count: Int(pageCount * pageSize - byteCount))
    if !rest.isEmpty { try rest.withUnsafeBytes { try file.write($0, at: byteCount) } }
    try withUnsafeBytes(of: UInt32(truncatingIfNeeded: pageCount).bigEndian) {
      try file.write($0, at: 28)
    }
    // The count is valid only while these two numbers are equal.
    try header[24..<28].withUnsafeBytes { try file.write($0, at: 92) }
    try file.close()
  }

  /// Returns whether an error of SQLite means that the file is damaged.
  ///
  /// A failure to read the copy does not: unreadable bytes of the medium are zeros there.
  static func isDamage(_ error: DatabaseError) -> Bool {
    [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT]
      .contains(error.resultCode)
  }
}
