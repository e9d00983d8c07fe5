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
