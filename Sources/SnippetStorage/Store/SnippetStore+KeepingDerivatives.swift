public import Foundation
import GRDB
import SnippetBase

extension SnippetStore {
  /// Reads a derivative of a blob, if it is stored.
  ///
  /// Reading writes nothing: the use is recorded together with the next derivative that is saved.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - recipe: The recipe.
  /// - Returns: The derivative; `nil` if it is not stored, is damaged, or has another version of
  ///   the recipe.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n* + *m*) for *m* bytes.
  public func derivative(
    of blob: BlobID,
    by recipe: Recipe
  ) async throws(SnippetStoreError) -> Data? {
    let read = derivativeReading(of: blob, by: recipe)
    return try await connections.read(.smallReads, to: Self.readingDerivatives) { try read($0) }
  }

  /// Reads a derivative in any transaction, and notes its use.
  func derivativeReading(
    of blob: BlobID,
    by recipe: Recipe
  ) -> @Sendable (Database) throws -> Data? {
    let now = configuration.now().milliseconds
    return { [derivativeUses] db in
      var statement = try db.stepped(
        """
        SELECT id, used_at, data, digest FROM derivative
        WHERE blob_id = ? AND recipe = ? AND version = ?
        """,
        [blob.rawValue.databaseValue, recipe.name.databaseValue, recipe.version.databaseValue]
      )
      guard let row = try statement.next() else { return nil }
      // A damaged derivative will be computed again and replaced.
      let digest = try row.optionalNumber(3)
      guard try digest == nil || row.withBytes(2, ContentHash.start(of:)) == digest else {
        return nil
      }
      derivativeUses.add(try row.number(0), usedAt: try row.number(1), now: now)
      return try row.withBytes(2) { Data($0) }
    }
  }

  /// Stores derivatives in one transaction.
  ///
  /// Derivatives are a cache with a budget of its own, ``Configuration/derivativeByteLimit``; the
  /// least recently used are evicted first. They are deleted with their blob and left out of
  /// backups. A derivative replaces one of the same blob and recipe, whatever its version.
  ///
  /// - Parameter derivatives: The derivatives. Saving many at once takes one transaction.
  /// - Returns: The number of stored derivatives. One whose blob is gone is not stored, nor one
  ///   larger than the budget.
  /// - Throws: ``SnippetStoreError``: `.busy`, after which you can try again; `.cancelled` if the
  ///   task was cancelled before the commit.
  /// - Complexity: O(*m* log *n*) for *m* derivatives, plus their size and that of evicted ones.
  @discardableResult
  public func saveDerivatives(_ derivatives: [Derivative]) async throws(SnippetStoreError) -> Int {
    let save = derivativeSaving(derivatives)
    return try await connections.write(to: Self.savingDerivatives) { db in try save(db) }
  }

  /// Deletes derivatives in short steps, so other writers wait only briefly.
  ///
  /// They can all be computed again.
  ///
  /// - Parameter recipe: The recipe whose derivatives to delete, in any version; `nil`, the
  ///   default, deletes all.
  /// - Returns: The number of deleted derivatives.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled. Some may then be
  ///   deleted.
  @discardableResult
  public func deleteDerivatives(
    by recipe: Recipe? = nil
  ) async throws(SnippetStoreError) -> Int {
    let (connections, operation) = (connections, "delete derivatives")
    let name = recipe?.name
    return try await OwnThreads.run(to: operation) { check in
      var steps = WriteSteps(connections: connections, operation: operation, check: check)
      var count = 0
      try connections.lendingReserve {
        try steps.run { db, isOver in
          let deletion = try db.cachedStatement(
            sql: """
              DELETE FROM derivative WHERE id IN (
                SELECT id FROM derivative WHERE recipe = ?1 OR ?1 IS NULL LIMIT 16
              )
              """
          )
          while !isOver() {
            try deletion.execute(arguments: [name])
            guard db.changesCount > 0 else { return true }
            count += db.changesCount
          }
          return false
        }
      }
      return count
    }
  }

  /// Records which derivatives were used, before the store closes.
  func writeDerivativeUses() throws(SnippetStoreError) {
    guard !connections.isReadOnly, !derivativeUses.isEmpty else { return }
    try connections.write(to: Self.savingDerivatives) { [derivativeUses] db in
      try derivativeUses.write(in: db)
    }
  }

  /// Saves derivatives in any transaction.
  func derivativeSaving(
    _ derivatives: [Derivative]
  ) -> @Sendable (Database) throws -> Int {
    let (now, limit) = (configuration.now(), configuration.derivativeByteLimit)
    return { [derivativeUses] db in
      try derivativeUses.write(in: db)
      return try DerivativeWriter(db: db, byteLimit: limit).save(derivatives, at: now)
    }
  }

  static let readingDerivatives = "read a derivative"
  static let savingDerivatives = "save derivatives"
}
