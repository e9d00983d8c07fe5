import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// Restores a single flipped bit in a row, its text or its note.
///
/// Among all rows that differ from the damaged one in one bit, the one with the right digest is the
/// original: the chance that another one has the same digest is less than one in a million million.
enum RowCorrection {
  /// The longest text to try, in bytes: the time is quadratic in the length, 0.4 s for this one.
  static let maximumByteCount = 8192

  /// Corrects a row that does not match its digest, and returns whether it could be corrected.
  ///
  /// After an error the row may be half corrected.
  static func correct(_ id: SnippetID, in db: Database) throws -> Bool {
    let found = try db.value(
      "\(SnippetDigest.selection) WHERE id = ?",
      [id.rawValue.databaseValue]
    ) { row -> (digest: Int64, damaged: HashedRow, hasText: Bool)? in
      guard let digest = try row.optionalNumber(SnippetDigest.Column.digest) else { return nil }
      let damaged = try HashedRow(row)
      let isText = try row.number(SnippetDigest.Column.kind) == SnippetKind.text.rawValue
      return (digest, damaged, isText || damaged.body != nil)
    }
    guard let (digest, damaged, hasText) = found ?? nil else { return false }
    if hasText, try computePreview(of: id, digest, in: db) { return true }

    if let correct = damaged.corrected(for: digest &- damaged.sum) {
      try write(correct, over: damaged, id, in: db)
    } else if try !correctSum(of: damaged, id, digest, in: db) {
      return false
    }
    try SnippetDigest.give(to: id, in: db)
    return true
  }

  /// Restores a bit in the values that are added to the hash.
  ///
  /// A bit of the digest itself, or of any of these, makes the same difference. But an index
  /// repeats the dates and the pin, which shows which of them was flipped.
  ///
  /// - Returns: Whether the row is now correct, except for its digest.
  private static func correctSum(
    of damaged: HashedRow,
    _ id: SnippetID,
    _ digest: Int64,
    in db: Database
  ) throws -> Bool {
    if try isIndexed(damaged.summands, of: id, in: db) {
      // The revision is internal to the store, so nothing is lost.
      return (damaged.digest ^ digest).nonzeroBitCount == 1
        || isOneBit(digest &- damaged.digest, from: damaged.summands[0])
    }
    let columns = [(1, "created_at"), (2, "modified_at"), (3, "deleted_at"), (4, "pinned")]
    for (place, column) in columns
    where isOneBit(digest &- damaged.digest, from: damaged.summands[place]) {
      var summands = damaged.summands
      summands[place] &+= digest &- damaged.digest
      guard try isIndexed(summands, of: id, in: db) else { continue }
      try db.execute(
        sql: "UPDATE snippet SET \(column) = ? WHERE id = ?",
        arguments: [summands[place], id.rawValue]
      )
      return true
    }
    return false
  }

  private static func isOneBit(_ difference: Int64, from value: Int64) -> Bool {
    (value ^ (value &+ difference)).nonzeroBitCount == 1
  }

  /// Whether an index has a snippet with these dates and this pin.
  private static func isIndexed(
    _ summands: [Int64],
    of id: SnippetID,
    in db: Database
  ) throws -> Bool {
    let isInTrash = summands[3] != 0
    let found = try db.number(
      """
      SELECT 1 FROM snippet INDEXED BY \(isInTrash ? "snippet_trash_by_modified" : "snippet_by_modified")
      WHERE deleted_at IS \(isInTrash ? "NOT NULL AND deleted_at = ?5" : "NULL AND ?5 = 0")
        AND id = ?1 AND created_at = ?2 AND modified_at = ?3 AND pinned = ?4
      """,
      [
        id.rawValue.databaseValue, summands[1].databaseValue, summands[2].databaseValue,
        summands[4].databaseValue, summands[3].databaseValue,
      ]
    )
    return found == 1
  }

  /// Recomputes the preview of a text or a note, if the digest confirms the result.
  private static func computePreview(
    of id: SnippetID,
    _ digest: Int64,
    in db: Database
  ) throws -> Bool {
    let beginning = String(
      try db.searchedText(of: id).utf8.prefix(TextRules.previewByteCount)
    )
    let builtIn = try db.value(
      "SELECT preview FROM text_beginnings WHERE snippet_id = ?",
      [id.rawValue.databaseValue]
    ) { try $0.text(0) }
    let previews = [beginning.map { TextPreview(of: $0).preview }, builtIn]
    for preview in previews.compactMap({ $0 }) {
      do {
        try db.savepoint {
          try db.execute(
            sql: "UPDATE snippet SET preview = ? WHERE id = ?",
            arguments: [preview, id.rawValue]
          )
          guard try hashedRow(id, in: db)?.digest == digest else { throw OtherPreview() }
        }
        return true
      } catch is OtherPreview {
        continue
      }
    }
    return false
  }

  private struct OtherPreview: Error {}

  private static func hashedRow(_ id: SnippetID, in db: Database) throws -> HashedRow? {
    try db.value(
      "\(SnippetDigest.selection) WHERE id = ?",
      [id.rawValue.databaseValue]
    ) { try HashedRow($0) }
  }

  /// Writes the hashed columns and the body, without triggers: this is not a change, and they would
  /// refuse some of it.
  private static func write(
    _ correct: HashedRow,
    over damaged: HashedRow,
    _ id: SnippetID,
    in db: Database
  ) throws {
    guard let values = correct.values else {
      throw DatabaseError.damage("snippet \(id) cannot be put right")
    }
    if let body = correct.body, body != damaged.body {
      try db.execute(
        sql: "UPDATE snippet_text SET body = CAST(? AS TEXT) WHERE snippet_id = ?",
        arguments: [Data(body), id.rawValue]
      )
    }
    try db.execute(
      sql: """
        UPDATE snippet
        SET uuid = ?, kind = ?, title = CAST(? AS TEXT), preview = CAST(? AS TEXT), byte_count = ?,
          media_type = CAST(? AS TEXT), text_encoding = CAST(? AS TEXT), pixel_width = ?,
          pixel_height = ?, duration_ms = ?, sample_rate = ?, channel_count = ?, irregular = ?,
          blob_id = ?
        WHERE id = ?
        """,
      arguments: StatementArguments(values + [id.rawValue.databaseValue])
    )
    guard try hashedRow(id, in: db)?.start == correct.start else {
      throw DatabaseError.damage("snippet \(id) cannot be put right")
    }
  }
}

/// The values covered by the digest of a row, as bytes that can be changed.
private struct HashedRow {
  /// The columns, then the body.
  private var bytes: [UInt8]
  private let columnCount: Int
  private let hasBody: Bool
  /// The sum that is added to the hash.
  let sum: Int64
  /// The values of the sum: the revision, the three dates, and the pin.
  let summands: [Int64]

  init(_ row: StatementRow) throws {
    let digest = try SnippetDigest(of: row)
    let columns = digest.bytes
    sum = digest.sum
    summands = try SnippetDigest.Column.summed.map { try row.number($0) }
    columnCount = columns.count
    hasBody = !row.isNull(SnippetDigest.Column.body)
    bytes = columns
    if hasBody { try row.withText(SnippetDigest.Column.body) { bytes += $0 } }
  }

  /// The digest of the row.
  var digest: Int64 { start &+ sum }

  /// The first 61 bits of the hash.
  var start: Int64 { bytes.withUnsafeBytes(ContentHash.start(of:)) }

  /// The body of a short text, or the note.
  var body: ArraySlice<UInt8>? { hasBody ? bytes[columnCount...] : nil }

  /// The values of the columns, with texts as their bytes; `nil` if the bytes are invalid.
  var values: [DatabaseValue]? {
    var rest = bytes[..<columnCount]
    var values: [DatabaseValue] = []
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

  /// Returns the row with one bit changed that has a hash; `nil` if there is none.
  func corrected(for start: Int64) -> HashedRow? {
    guard bytes.count <= RowCorrection.maximumByteCount else { return nil }
    var other = self
    for place in bytes.indices {
      for bit in 0..<8 {
        other.bytes[place] ^= 1 << UInt8(bit)
        if other.start == start { return other }
        other.bytes[place] ^= 1 << UInt8(bit)
      }
    }
    return nil
  }
}
