package import GRDB
import SnippetBase

/// A digest of a row and its short text or note, which reveals flipped bits.
///
/// One part of the row is hashed, and the rest is added to the hash. So if only the rest changes,
/// triggers can update the digest in built-in SQL. If another program changes the hashed part, they
/// set the digest to NULL. Only the id is left out, because every index has it.
package struct SnippetDigest {
  /// The hashed values before the body.
  package private(set) var bytes: [UInt8] = []
  /// The sum that is added to the hash.
  package private(set) var sum: Int64

  /// The columns of a digest, hashed ones first; `snippet_text` must be joined.
  static let columns = """
    uuid, kind, title, preview, byte_count, media_type, text_encoding, pixel_width, pixel_height, \
    duration_ms, sample_rate, channel_count, irregular, blob_id, body, \
    revision, created_at, modified_at, coalesce(deleted_at, 0), pinned
    """

  /// Selects ``columns`` and the digest; a WHERE clause can follow.
  package static let selection = """
    SELECT \(columns), digest FROM snippet LEFT JOIN snippet_text ON snippet_id = id
    """

  /// The positions of some of ``columns``, and of the first column after them.
  package enum Column {
    package static let kind: Int32 = 1
    static let encoding: Int32 = 6
    static let blob: Int32 = 13
    package static let body: Int32 = 14
    package static let summed = Int32(15)...19
    static let next: Int32 = 20
    /// The digest, in ``selection``.
    package static let digest = next
  }

  /// Computes the digest of a row that begins with ``columns``.
  ///
  /// Throws an error of damage if a column holds what the schema forbids.
  package static func value(in row: StatementRow) throws -> Int64 {
    let digest = try SnippetDigest(of: row)
    guard !row.isNull(Column.body) else {
      return digest.value(body: UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return try row.withText(Column.body) { digest.value(body: UnsafeRawBufferPointer($0)) }
  }

  /// Adds the columns, without the body.
  package init(of row: StatementRow) throws {
    // In a damaged row, each may be any number.
    self.init(sum: try Column.summed.reduce(0) { try $0 &+ row.number($1) })
    try row.withBytes(0) { add($0) }
    add(try row.number(Column.kind))
    for column in Int32(2)...3 { try row.withText(column) { add(UnsafeRawBufferPointer($0)) } }
    add(try row.number(4))
    try row.withText(5) { add(UnsafeRawBufferPointer($0)) }
    add(try row.optionalText(Column.encoding))
    for column in Int32(7)...Column.blob { add(try row.optionalNumber(column)) }
  }

  /// Begins a digest.
  ///
  /// Add the hashed values in the order of ``columns``.
  init(sum: Int64) {
    self.sum = sum
    bytes.reserveCapacity(256)
  }

  /// Calls `body` with every snippet, and with whether it matches its digest; `nil` if it has none.
  ///
  /// - Complexity: O(*n*) in the size of all rows and short texts.
  package static func forEach(
    in db: Database,
    _ check: () throws -> Void,
    _ body: (SnippetID, Bool?) throws -> Void
  ) throws {
    var statement = try SteppedStatement(
      """
      SELECT \(columns), digest, id
      FROM snippet LEFT JOIN snippet_text ON snippet_id = id ORDER BY id
      """,
      in: db
    )
    while let row = try statement.next() {
      try check()
      let id = SnippetID(rawValue: try row.number(Column.digest + 1))
      // A row with impossible values is damaged too.
      let isRight: Bool?
      do { isRight = try self.isRight(row) } catch { isRight = false }
      try body(id, isRight)
    }
  }

  /// Whether a row of ``selection`` matches its digest; `nil` if it has none.
  package static func isRight(_ row: StatementRow) throws -> Bool? {
    let digest = try row.optionalNumber(Column.digest)
    return try digest.map { try $0 == value(in: row) }
  }

  // MARK: - Setting digests

  /// Sets the digest of a snippet to that of its present state.
  package static func give(to id: SnippetID, in db: Database) throws {
    let sql = "\(selection) WHERE id = ?"
    guard let digest = try db.value(sql, [id.rawValue.databaseValue], value(in:)) else { return }
    try db.cachedStatement(sql: "UPDATE snippet SET digest = ? WHERE id = ?")
      .execute(arguments: [digest, id.rawValue])
  }

  /// Sets digests of snippets written by other programs, a few in each transaction so that none
  /// takes long.
  ///
  /// - Complexity: O(log *n*) if there are none.
  static func giveMissing(in db: Database) throws {
    do {
      let ids = try db.numbers(
        "SELECT id FROM snippet WHERE digest IS NULL LIMIT \(countAtATime)"
      )
      for id in ids { try give(to: SnippetID(rawValue: id), in: db) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // A check reports damaged rows; they must not block other writes.
    }
  }

  /// Even the longest texts take half a millisecond together.
  private static let countAtATime = 16

  // MARK: - Hashed values

  // Each value includes its type and length, so that one value cannot look like two others.

  mutating func add(_ number: Int64?) {
    guard let number else { return bytes.append(0) }
    bytes.append(1)
    append(number)
  }

  mutating func add(_ text: String?) {
    guard var text else { return bytes.append(0) }
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  mutating func add(_ content: UnsafeRawBufferPointer) {
    bytes.append(2)
    append(Int64(content.count))
    bytes.append(contentsOf: content)
  }

  private mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Returns the digest, including the body of a short text or the note; empty if there is none.
  func value(body: UnsafeRawBufferPointer) -> Int64 {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    hash.update(body)
    return hash.start() &+ sum
  }
}
