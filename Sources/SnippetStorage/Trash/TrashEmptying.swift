import GRDB

/// Deletes the content of the trash for good, in steps.
struct TrashEmptying {
  private let selection: TrashSelection
  private(set) var count = 0

  init(_ selection: TrashSelection) {
    self.selection = selection
  }

  /// Continues until the time of the step is up, and returns whether everything is deleted.
  mutating func advance(in db: Database, until isOver: () -> Bool) throws -> Bool {
    let next = """
      SELECT id FROM snippet INDEXED BY snippet_trash_by_deleted
      WHERE \(TrashSelection.condition) ORDER BY deleted_at, id LIMIT 64
      """
    let deletion = try db.cachedStatement(sql: "DELETE FROM snippet WHERE id = ?")
    while true {
      let ids = try db.numbers(next, selection.values)
      guard !ids.isEmpty else { return true }
      for id in ids {
        guard !isOver() else { return false }
        try deletion.execute(arguments: [id])
        // Otherwise it would be found again forever.
        guard db.changesCount > 0 else {
          throw DatabaseError.damage("snippet \(id) is in an index, and nowhere else")
        }
        count += 1
      }
    }
  }
}
