import GRDB

/// The rows of a synchronization in which the store no longer takes part.
///
/// Leaving a repository removes them all. Only another program that deletes the state alone leaves
/// them behind, and they would be wrong for the next repository.
struct SyncLeftovers {
  let db: Database

  /// The tables of a synchronization besides its state, with their keys.
  private static let keys = [
    ("sync_device", "id"), ("sync_row", "snippet_id"), ("sync_absent", "uuid"),
    ("sync_unread", "uuid"), ("sync_outbox", "number"), ("sync_blob", "sha256"),
  ]

  /// The tables that ``selection`` reads.
  static let tables = Set(keys.map(\.0) + ["sync_state"])

  /// Selects the number of the rows if there are any.
  static let selection = """
    SELECT total FROM (
      SELECT \(keys.map { "(SELECT count(*) FROM \($0.0))" }.joined(separator: " + ")) AS total
      WHERE NOT EXISTS (SELECT 1 FROM sync_state)
    )
    WHERE total > 0
    """

  /// The number of rows to remove at a time.
  private static let batchCount = 512

  /// Removes rows until none is left or the time is over.
  ///
  /// - Returns: The number of rows removed, and whether none is left.
  func remove(until isOver: () -> Bool) throws -> (count: Int, isDone: Bool) {
    var count = 0
    for (table, key) in Self.keys {
      let deletion = try db.cachedStatement(
        sql: """
          DELETE FROM \(table)
          WHERE \(key) IN (SELECT \(key) FROM \(table) LIMIT \(Self.batchCount))
            AND NOT EXISTS (SELECT 1 FROM sync_state)
          """
      )
      repeat {
        if isOver() { return (count, false) }
        try deletion.execute()
        count += db.changesCount
      } while db.changesCount > 0
    }
    return (count, true)
  }
}
