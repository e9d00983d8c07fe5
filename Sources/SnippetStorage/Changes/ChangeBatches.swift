import GRDB

/// The changes of a store as they are committed; see ``SnippetStore/changeBatches(after:limit:)``.
struct ChangeBatches: AsyncSequence, Sendable {
  let connections: Connections
  let changeFeed: ChangeFeed
  let number: ChangeNumber
  let limit: Int

  func makeAsyncIterator() -> Iterator {
    Iterator(
      connections: connections,
      signals: CommitSignals(changeFeed).makeIterator(),
      number: number,
      limit: limit
    )
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let connections: Connections
    fileprivate var signals: CommitSignals.Iterator
    fileprivate var number: ChangeNumber
    fileprivate let limit: Int

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SnippetStoreError) -> ChangeBatch? {
      while true {
        do {
          let batch = try await connections.changeBatch(after: number, limit: limit)
          if batch.next != number || batch.hasFallenBehind {
            number = batch.next
            return batch
          }
        } catch  where [.closed, .cancelled].contains(error.code) {
          return nil
        }
        guard await signals.next(isolation: actor) else { return nil }
      }
    }
  }
}

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
