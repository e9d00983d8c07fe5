import Foundation
import GRDB

@testable import SnippetStorage

extension FuzzTarget {
  /// Reads the record of changes of a damaged file, and what it says of the snippets.
  ///
  /// A row has twelve columns, each of any type; the first byte says where the record is cut.
  static let changeRecord = FuzzTarget("change-record") { bytes in
    var input = FuzzBytes(bytes)
    let cut = Int(input.byte() % 8)
    let rows = rows(&input)

    let records = try damagedRecord.writeWithoutTransaction { db in
      var records: [ChangeRecord]?
      try db.inTransaction {
        try insert(rows, db)
        do {
          records = try ChangeRecord.changes(after: 0, limit: 16, in: db)
        } catch let error as DatabaseError {
          try require(error.resultCode == .SQLITE_CORRUPT, "only damage is told: \(error)")
        }
        return .rollback
      }
      return records
    }
    guard let records else { return }
    try require(records.map(\.number) == records.indices.map { Int64($0) + 1 }, "no gap is hidden")
    _ = records.map(RecordedChange.init)
    guard let change = StoreChange(records) else { return }
    try requireSets(change)
    guard ChangeRecord.canFollowEachOther(records),
      var merged = StoreChange(Array(records.prefix(cut))),
      let second = StoreChange(Array(records.dropFirst(cut)))
    else { return }
    merged.merge(second)
    try requireSets(merged)
    try require(merged.live == change.live, "in two parts \(merged), in one \(change)")
  }

  private static func requireSets(_ change: StoreChange) throws(BrokenRule) {
    guard case .snippets(let inserted, let updated, let deleted) = change else { return }
    try require(
      inserted.isDisjoint(with: updated) && inserted.isDisjoint(with: deleted)
        && updated.isDisjoint(with: deleted),
      "no snippet is in two sets: \(change)"
    )
  }

  private static func rows(_ input: inout FuzzBytes) -> [[DatabaseValue]] {
    var rows: [[DatabaseValue]] = []
    while !input.isEmpty, rows.count < 12 {
      // Most rows are sound but for the number, the snippet and the event.
      let isWild = input.byte() & 3 == 3
      var row: [DatabaseValue] = [
        Int64(rows.count + 1).databaseValue, Int64(input.byte() % 4).databaseValue,
        Int64(input.byte() % 6).databaseValue, "tag".databaseValue,
      ]
      row += (0..<4).map { _ in 1.databaseValue } + ["title".databaseValue, 9.databaseValue]
      let flags = input.byte()
      row.append(flags & 1 == 0 ? .null : 5.databaseValue)
      row.append(Int64(flags >> 1 & 1).databaseValue)
      if isWild { row[Int(input.byte()) % row.count] = value(&input) }
      rows.append(row)
    }
    return rows
  }

  private static func value(_ input: inout FuzzBytes) -> DatabaseValue {
    switch input.byte() % 6 {
    case 0: .null
    case 1: Int64(input.byte()).databaseValue
    case 2: Int64(bitPattern: input.number()).databaseValue
    case 3: 1.5.databaseValue
    case 4: input.line().databaseValue
    default: Data(input.line().utf8).databaseValue
    }
  }

  private static func insert(_ rows: [[DatabaseValue]], _ db: Database) throws {
    for row in rows {
      try db.execute(
        sql: "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: StatementArguments(row)
      )
    }
    try db.execute(
      sql: "INSERT INTO sqlite_sequence VALUES ('change', ?)",
      arguments: [rows.count]
    )
  }

  /// The table as it may be read from a file with wrong bytes: nothing is checked.
  private static let damagedRecord: DatabaseQueue = {
    let columns = """
      number, snippet_id, event, tag, kind, pinned, created_at, modified_at, title, byte_count,
      deleted_at, in_trash
      """
    // The other one is there for sqlite_sequence.
    let schema = """
      CREATE TABLE change (\(columns));
      CREATE TABLE other (id INTEGER PRIMARY KEY AUTOINCREMENT)
      """
    guard let queue = try? DatabaseQueue(),
      (try? queue.write { try $0.execute(sql: schema) }) != nil
    else { preconditionFailure("the record cannot be made in memory") }
    return queue
  }()
}

extension ChangeRecord {
  /// Whether changes can be those of a store, where nothing is changed that is not there.
  fileprivate static func canFollowEachOther(_ records: [ChangeRecord]) -> Bool {
    // Where snippets are; unknown before their first change.
    enum Place { case list, trash, nowhere }
    var places: [Int64: Place] = [:]
    for record in records {
      let place = places[record.snippet]
      switch record.event {
      case .inserted:
        guard place == nil || place == .nowhere else { return false }
        places[record.snippet] = record.isInTrash ? .trash : .list
      case .updated, .deleted:
        let former: Place = record.former?.deletedAt == nil ? .list : .trash
        guard place == nil || place == former else { return false }
        places[record.snippet] =
          record.event == .deleted ? .nowhere : record.isInTrash ? .trash : .list
      case .tagPutOn, .tagTakenOff:
        guard place == .list else { return false }
      }
    }
    return true
  }
}

extension StoreChange {
  /// Which snippets there are by this change, and which there are not.
  fileprivate var live: [SnippetID: Bool] {
    guard case .snippets(let inserted, let updated, let deleted) = self else { return [:] }
    var live: [SnippetID: Bool] = [:]
    for id in inserted.union(updated) { live[id] = true }
    for id in deleted { live[id] = false }
    return live
  }
}
