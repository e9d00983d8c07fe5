import GRDB

extension Connections {
  /// Reads one batch without blocking a thread of Swift's pool.
  func changeBatch(
    after number: ChangeNumber,
    limit: Int
  ) async throws(SnippetStoreError) -> ChangeBatch {
    let operation = "read the changes"
    guard limit > 0 else {
      throw SnippetStoreError(
        .invalidInput,
        operation,
        because: "a batch of at most \(limit) changes holds none",
        do: "Ask for 1 or more."
      )
    }
    return try await read(.rows, to: operation) { db in
      try file?.requireInPlace()
      return try ChangeBatch(after: number, limit: limit, in: db)
    }
  }
}

extension ChangeBatch {
  fileprivate init(after number: ChangeNumber, limit: Int, in db: Database) throws {
    let records = try ChangeRecord.changes(after: number.rawValue, limit: limit, in: db)
    changes = records?.map(RecordedChange.init) ?? []
    hasFallenBehind = records == nil
    let end = records == nil ? try ChangeRecord.lastNumber(in: db) : number.rawValue
    next = changes.last?.number ?? ChangeNumber(rawValue: end)
  }
}
