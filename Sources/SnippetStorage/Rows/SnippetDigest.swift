import Foundation
package import GRDB
import SnippetBase

/// What a row and its short text are held against, so that a flipped bit is noticed.
///
/// A part of the row is hashed, and the rest is added: so triggers can carry a digest on in built-in
/// SQL where only the rest changes. Where another program changes what is hashed, they leave NULL.
/// The id alone is left out, since every index has it.
package struct SnippetDigest {
  /// What is hashed before the body.
  package private(set) var bytes: [UInt8] = []
  /// What is added to the hash.
  package private(set) var sum: Int64

  /// What is read to compute a digest, first what is hashed; `snippet_text` must be joined.
  static let columns = """
    uuid, kind, title, preview, byte_count, media_type, text_encoding, pixel_width, pixel_height, \
    duration_ms, sample_rate, channel_count, blob_id, body, \
    revision, created_at, modified_at, coalesce(deleted_at, 0), pinned
    """

  /// Reads ``columns`` and the digest; a WHERE can follow.
  package static let selection = """
    SELECT \(columns), digest FROM snippet LEFT JOIN snippet_text ON snippet_id = id
    """

  /// Where others find what they need of ``columns``, and what follows those.
  package enum Column {
    package static let kind: Int32 = 1
    static let encoding: Int32 = 6
    static let blob: Int32 = 12
    package static let body: Int32 = 13
    package static let summed = Int32(14)...18
    static let next: Int32 = 19
    /// In ``selection``.
    package static let digest = next
  }

  /// The digest that a row must have.
  ///
  /// - Parameter row: Begins with ``columns``.
  /// - Returns: The digest.
  /// - Throws: That a column holds what the schema forbids.
  package static func value(in row: StatementRow) throws -> Int64 {
    let digest = try SnippetDigest(of: row)
    guard !row.isNull(Column.body) else {
      return digest.value(body: UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return try row.withText(Column.body) { digest.value(body: UnsafeRawBufferPointer($0)) }
  }

  /// Takes the columns, without the body.
  package init(of row: StatementRow) throws {
    // In a damaged row each may be any number.
    self.init(sum: try Column.summed.reduce(0) { try $0 &+ row.number($1) })
    try row.withBytes(0) { add($0) }
    add(try row.number(Column.kind))
    for column in Int32(2)...3 { try row.withText(column) { add(UnsafeRawBufferPointer($0)) } }
    add(try row.number(4))
    try row.withText(5) { add(UnsafeRawBufferPointer($0)) }
    add(try row.optionalText(Column.encoding))
    for column in Int32(7)...Column.blob { add(try row.optionalNumber(column)) }
  }

  /// Begins a digest; what is hashed is added in the order of ``columns``.
  init(sum: Int64) {
    self.sum = sum
    bytes.reserveCapacity(256)
  }

  /// The snippets whose row or text does not match its digest.
  ///
  /// - Complexity: O(*n*) in the size of all rows and short texts.
  package static func mismatches(in db: Database, _ check: () throws -> Void) throws -> [SnippetID]
  {
    var found: [SnippetID] = []
    try forEach(in: db, check) { id, isRight in
      if isRight == false { found.append(id) }
    }
    return found
  }

  /// Calls `body` with every snippet, and with whether it matches its digest; `nil` where it has
  /// none.
  static func forEach(
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
      // A row that holds what none can hold is damaged, too.
      let isRight: Bool?
      do { isRight = try self.isRight(row) } catch { isRight = false }
      try body(id, isRight)
    }
  }

  /// Whether a row of ``selection`` matches its digest; `nil` where it has none.
  package static func isRight(_ row: StatementRow) throws -> Bool? {
    let digest = try row.optionalNumber(Column.digest)
    return try digest.map { try $0 == value(in: row) }
  }

  // MARK: - Giving digests

  /// Gives a snippet the digest of what it is now.
  package static func give(to id: SnippetID, in db: Database) throws {
    var statement = try SteppedStatement("\(selection) WHERE id = ?", in: db)
    try statement.bind(id.rawValue)
    guard let digest = try statement.next().map(value(in:)) else { return }
    // SQLite would write the row again while it is being read.
    statement.reset()
    try db.cachedStatement(sql: "UPDATE snippet SET digest = ? WHERE id = ?")
      .execute(arguments: [digest, id.rawValue])
  }

  /// Gives digests to snippets that another program has written, some with each transaction, so that
  /// none takes long.
  ///
  /// - Complexity: O(log *n*) where there are none.
  static func giveMissing(in db: Database) throws {
    do {
      let ids = try db.numbers(
        "SELECT id FROM snippet WHERE digest IS NULL LIMIT \(countAtATime)"
      )
      for id in ids { try give(to: SnippetID(rawValue: id), in: db) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // A damaged row is told by a check; it must not keep others from being written.
    }
  }

  /// The longest texts take half a millisecond together.
  private static let countAtATime = 16

  // MARK: - Hashed values

  // Each value says what it is and how long, so that none can pass for two others.

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

  /// The values that were hashed, texts as their bytes; `nil` for bytes that are none.
  package static func values(in bytes: ArraySlice<UInt8>) -> [DatabaseValue]? {
    var (rest, values) = (bytes, [DatabaseValue]())
    func number() -> Int64? {
      guard rest.count >= 8 else { return nil }
      defer { rest = rest.dropFirst(8) }
      return Int64(bitPattern: rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
    while let form = rest.popFirst() {
      switch form {
      case 0: values.append(.null)
      case 1:
        guard let number = number() else { return nil }
        values.append(number.databaseValue)
      case 2:
        guard let count = number(), 0...Int64(rest.count) ~= count else { return nil }
        values.append(Data(rest.prefix(Int(count))).databaseValue)
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
    return values
  }

  /// The digest with the body of a short text; empty where there is none.
  func value(body: UnsafeRawBufferPointer) -> Int64 {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    hash.update(body)
    return hash.start() &+ sum
  }
}
