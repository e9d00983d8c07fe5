import Foundation
import GRDB
import SnippetStorage

/// Mends everything that can be computed again or that a digest proves, and leaves the rest as it
/// is.
///
/// Each part searches for problems itself, so that none is hidden by another repair, and takes one
/// or a few transactions.
struct Repair {
  private let seam: StoreSeam
  private let acceptsDamage: Bool
  private let operation: String
  private let check: () throws -> Void
  private let report: (StoreProgress) -> Void
  private var repairs: [String] = []

  init(
    of store: SnippetStore,
    acceptsDamage: Bool,
    operation: String,
    check: @escaping () throws -> Void,
    report: @escaping (StoreProgress) -> Void
  ) {
    seam = store.seam
    self.acceptsDamage = acceptsDamage
    self.operation = operation
    self.check = check
    self.report = report
  }

  /// Mends as much as possible, and checks the store before and after.
  mutating func run() throws -> RepairReport {
    let found = try inspect()
    guard !found.isSound else { return RepairReport(repairs: [], check: found) }
    try repairNumbers()
    try repairRows()
    try acceptRows()
    let areIndexesSound = try repairIndexes(found)
    try repairTexts()
    // If an index has more entries than its table, garbage cannot be recognized.
    if areIndexesSound { try repairGarbage(found) }
    try repairDerivatives()
    try repairSearchIndex(found)
    return RepairReport(repairs: repairs, check: try inspect())
  }

  private func inspect() throws -> CheckReport {
    try seam.check(lookingAtSearchIndex: true, check: check, report: report)
  }

  private mutating func note(_ count: Int, _ one: String, _ many: (Int) -> String) {
    if count > 0 { repairs.append(count == 1 ? one : many(count)) }
  }

  /// Runs a part; if damage prevents it, the final check reports that.
  private func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as SnippetStoreError where [.damaged, .refusedBySchema].contains(error.code) {
      return nil
    }
  }

  // MARK: - Indexes

  /// Rebuilds the indexes if every row is intact, unless an index has entries of rows that the
  /// table has lost, which are their last trace.
  ///
  /// Tags have no digest, so it cannot be decided whether a tag or the index of tags is damaged.
  /// They are used as they are only if that is accepted.
  ///
  /// - Returns: Whether the indexes agree with the rows now.
  private mutating func repairIndexes(_ found: CheckReport) throws -> Bool {
    let messages = found.problems.filter { $0.area == .structure }.map(\.description)
    guard !messages.isEmpty else { return true }
    guard messages.allSatisfy(Self.isOfIndex),
      acceptsDamage || !messages.contains(where: { $0.contains("_tag") })
    else { return false }
    let mendedCount: Int? =
      try attempt {
        try seam.write(to: operation) { db in
          guard try damagedRows(in: db).isEmpty else { return nil }
          for trace in Self.traces where try db.number(trace) != nil { return nil }
          let misplaced = try Self.misplaced.map { try $0.ids(in: db) }
          try db.execute(sql: "REINDEX")
          return try zip(Self.misplaced, misplaced).reduce(0) { count, found in
            try found.0.mend(found.1, in: db)
            return count + found.1.count
          }
        }
      } ?? nil
    guard let mendedCount else { return false }
    noteFlippedBits(mendedCount)
    repairs.append("the indexes were made anew from the rows")
    return true
  }

  private static func isOfIndex(_ message: String) -> Bool {
    ["missing from index", "wrong # of entries in index", "values differ from index"]
      .contains { message.contains($0) }
  }

  /// Selects entries of indexes whose rows are gone.
  private static let traces = [
    ("snippet", "snippet_by_created", "deleted_at IS NULL"),
    ("snippet", "snippet_trash_by_created", "deleted_at IS NOT NULL"),
    ("blob", "sqlite_autoindex_blob_1", "true"),
  ].map { table, index, condition in
    """
    SELECT id FROM \(table) AS entry INDEXED BY \(index)
    WHERE \(condition)
      AND NOT EXISTS (SELECT 1 FROM \(table) AS row NOT INDEXED WHERE row.id = entry.id)
    LIMIT 1
    """
  }

  /// Snippets that are in the trash according to the indexes but not the row, or the other way
  /// round.
  ///
  /// A single bit turns NULL into zero, and the digest treats both alike.
  private struct Misplaced {
    let index: String
    let otherIndex: String
    /// The date of deletion in the index, as the operand of IS.
    let state: String
    let otherState: String
    let value: String

    func ids(in db: Database) throws -> [Int64] {
      try Int64.fetchAll(
        db,
        sql: """
          SELECT id FROM snippet AS entry INDEXED BY \(index)
          WHERE deleted_at IS \(state)
            AND NOT EXISTS (
              SELECT 1 FROM snippet AS row NOT INDEXED
              WHERE row.id = entry.id AND row.deleted_at IS \(state)
            )
            AND id NOT IN (
              SELECT id FROM snippet INDEXED BY \(otherIndex)
              WHERE deleted_at IS \(otherState)
            )
          """
      )
    }

    func mend(_ ids: [Int64], in db: Database) throws {
      guard !ids.isEmpty else { return }
      try db.withoutTriggers {
        for id in ids {
          try db.execute(
            sql: "UPDATE snippet SET deleted_at = \(value) WHERE id = ?",
            arguments: [id]
          )
        }
      }
      try db.leaveGapInChanges()
    }
  }

  private static let misplaced = [
    Misplaced(
      index: "snippet_by_created",
      otherIndex: "snippet_trash_by_created",
      state: "NULL",
      otherState: "NOT NULL",
      value: "NULL"
    ),
    Misplaced(
      index: "snippet_trash_by_created",
      otherIndex: "snippet_by_created",
      state: "NOT NULL",
      otherState: "NULL",
      value: "0"
    ),
  ]

  // MARK: - Rows

  private mutating func repairNumbers() throws {
    let sentences = try attempt {
      try seam.write(to: operation) { db in
        try db.withoutTriggers { try NumberRepair(db: db).run() }
      }
    }
    repairs += sentences ?? []
  }

  /// Restores flipped bits if the digest proves the original value.
  private mutating func repairRows() throws {
    let count = try eachDamagedRow { id, db in
      // The triggers would refuse some of it, and would record a change.
      try db.withoutTriggers { try RowCorrection.correct(id, in: db) }
    }
    if count > 0 {
      try seam.write(to: operation) { db in try db.leaveGapInChanges() }
    }
    noteFlippedBits(count)
  }

  private mutating func noteFlippedBits(_ count: Int) {
    note(count, "a flipped bit of 1 snippet was put back") {
      "a flipped bit in each of \($0) snippets was put back"
    }
  }

  /// Sets the digest of rows that stay damaged to that of their present state.
  private mutating func acceptRows() throws {
    guard acceptsDamage else { return }
    let count = try eachDamagedRow { id, db in
      try SnippetDigest.give(to: id, in: db)
      return true
    }
    note(count, "1 damaged snippet was accepted as it is") {
      "\($0) damaged snippets were accepted as they are"
    }
  }

  /// Returns the snippets whose row or text does not match its digest.
  private func damagedRows(in db: Database) throws -> [SnippetID] {
    var found: [SnippetID] = []
    try SnippetDigest.forEach(in: db, check) { id, isRight in
      if isRight == false { found.append(id) }
    }
    return found
  }

  private func eachDamagedRow(
    _ body: (SnippetID, Database) throws -> Bool
  ) throws -> Int {
    var rest = try seam.scan(to: operation) { db in
      try damagedRows(in: db)
    }[...]
    var count = 0
    try seam.writeInSteps(to: operation, check: check) { db, isOver in
      while let id = rest.first, !isOver() {
        rest.removeFirst()
        // A row that cannot be written must not prevent the repair of others.
        let isDone = try? db.savepoint { try body(id, db) }
        if isDone == true { count += 1 }
      }
      return rest.isEmpty
    }
    return count
  }

  // MARK: - Texts

  /// Recomputes sizes and previews from the content and the notes, for rows without a digest.
  private mutating func repairTexts() throws {
    let count = try attempt {
      try seam.write(to: operation) { db in
        let before = db.totalChangesCount
        try db.execute(
          sql: """
            UPDATE snippet_text SET body = body WHERE snippet_id IN (
              SELECT snippet.id FROM snippet JOIN text_beginnings AS text
                ON text.snippet_id = snippet.id
              JOIN snippet_text AS full ON full.snippet_id = snippet.id
              WHERE digest IS NULL AND (
                (kind = 1 AND byte_count <> length(CAST(full.body AS BLOB)))
                OR (snippet.preview <> text.preview AND (
                  snippet.preview = ''
                  OR replace(snippet.preview, ' ', '')
                    <> substr(letters, 1, length(replace(snippet.preview, ' ', '')))
                ))
              )
            );
            UPDATE snippet
            SET byte_count = (SELECT byte_count FROM blob WHERE blob.id = blob_id)
            WHERE digest IS NULL AND blob_id IS NOT NULL
              AND byte_count <> (SELECT byte_count FROM blob WHERE blob.id = blob_id);
            """
        )
        try removePreviewsWithoutNotes(in: db)
        return db.totalChangesCount - before
      }
    }
    if count ?? 0 > 0 { repairs.append("sizes and previews were computed anew from the content") }
  }

  /// Removes the preview of an image or a recording without a note, unless the digest says that the
  /// note is lost: then it is the last trace.
  private func removePreviewsWithoutNotes(in db: Database) throws {
    let ids = try db.numbers(
      """
      SELECT id FROM snippet
      WHERE kind <> 1 AND preview <> ''
        AND NOT EXISTS (SELECT 1 FROM snippet_text WHERE snippet_id = snippet.id)
      """
    )
    for id in ids {
      let isRight = try db.value(
        "\(SnippetDigest.selection) WHERE id = ?",
        [id.databaseValue],
        SnippetDigest.isRight
      )
      guard (isRight ?? nil) != false else { continue }
      try db.execute(sql: "UPDATE snippet SET preview = '' WHERE id = ?", arguments: [id])
    }
  }

  // MARK: - What can be computed again

  private mutating func repairGarbage(_ found: CheckReport) throws {
    guard found.problems.contains(where: \.isGarbage) else { return }
    let removed: Void? = try attempt { try seam.collectGarbage(to: operation, check: check) }
    if removed != nil {
      repairs.append("orphans were removed, and counts were corrected")
    }
  }

  private mutating func repairDerivatives() throws {
    let count = try attempt {
      let ids = try seam.scan(to: operation) { db in
        try db.damagedDerivatives(check)
      }
      guard !ids.isEmpty else { return 0 }
      return try seam.write(to: operation) { db in
        let deletion = try db.cachedStatement(sql: "DELETE FROM derivative WHERE id = ?")
        for id in ids { try deletion.execute(arguments: [id]) }
        return ids.count
      }
    }
    note(count ?? 0, "1 damaged derivative was removed") {
      "\($0) damaged derivatives were removed"
    }
  }

  /// Rebuilds the search index with its tables.
  private mutating func repairSearchIndex(_ found: CheckReport) throws {
    let isWrong = found.problems.contains { problem in
      problem.area == .search || problem.description.contains("search_")
    }
    // Earlier repairs may have changed the texts that the index must hold.
    let isOtherwiseWrong = try seam.scan(to: operation) { db in
      try !db.isSearchIndexSound(check)
    }
    guard isWrong || isOtherwiseWrong else { return }
    let isEmptied: Void? = try attempt { try seam.emptySearchIndex(to: operation) }
    guard isEmptied != nil else { return }
    try seam.fillSearchIndex(to: operation, check: check)
    repairs.append("the search index was made anew")
  }
}
