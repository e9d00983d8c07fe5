public import Foundation
import GRDB
import SnippetBase

extension SnippetStore {
  /// Reads a derivative of a blob, if it is kept.
  ///
  /// Reading writes nothing: the use is noted with the next derivative that is saved.
  ///
  /// - Parameters:
  ///   - blob: What it was computed from.
  ///   - recipe: How it was computed.
  /// - Returns: The result; `nil` when it is not kept, or is damaged, or is of another version of the
  ///   recipe.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n* + *m*) for *m* bytes.
  public func derivative(
    of blob: BlobID,
    by recipe: Recipe
  ) async throws(SnippetStoreError) -> Data? {
    let read = derivativeReading(of: blob, by: recipe)
    return try await connections.read(.derivatives, to: Self.readingDerivatives) { try read($0) }
  }

  /// Reads a derivative in any transaction, and notes its use.
  func derivativeReading(
    of blob: BlobID,
    by recipe: Recipe
  ) -> @Sendable (Database) throws -> Data? {
    let now = configuration.now().milliseconds
    return { [derivativeUses] db in
      var statement = try SteppedStatement(
        """
        SELECT id, used_at, data, digest FROM derivative
        WHERE blob_id = ? AND recipe = ? AND version = ?
        """,
        in: db
      )
      try statement.bind(blob.rawValue)
      try statement.bind(recipe.name)
      try statement.bind(Int64(recipe.version))
      guard let row = try statement.next() else { return nil }
      // What is damaged is computed again, and takes the place of this one.
      let digest = try row.optionalNumber(3)
      guard try digest == nil || row.withBytes(2, ContentHash.start(of:)) == digest else {
        return nil
      }
      derivativeUses.add(try row.number(0), usedAt: try row.number(1), now: now)
      return try row.withBytes(2) { Data($0) }
    }
  }

  /// Keeps what was computed from blobs, in one transaction.
  ///
  /// Derivatives are a cache with a budget of its own, ``Configuration/derivativeByteLimit``; the
  /// least recently used are evicted first. They are deleted with their blob and left out of
  /// backups. One of the same blob by the same recipe is replaced, whatever its version.
  ///
  /// - Parameter derivatives: What was computed. Many at once cost one transaction.
  /// - Returns: How many are kept. One whose blob is gone is not, nor one that is
  ///   larger than the budget.
  /// - Throws: ``SnippetStoreError``: `.busy`, which can be tried again; `.cancelled` when the task
  ///   was cancelled before the commit.
  /// - Complexity: O(*m* log *n*) for *m* derivatives, plus their size and that of those that make
  ///   room.
  @discardableResult
  public func saveDerivatives(_ derivatives: [Derivative]) async throws(SnippetStoreError) -> Int {
    let save = derivativeSaving(derivatives)
    return try await connections.write(to: Self.savingDerivatives) { db in try save(db) }
  }

  /// Deletes derivatives in short steps, so other writers wait only briefly.
  ///
  /// They can all be computed again.
  ///
  /// - Parameter recipe: The recipe whose results to delete, whatever the version; `nil`, the
  ///   default, deletes all.
  /// - Returns: How many were deleted.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was, with some of them deleted.
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

  /// Writes which derivatives were used, when the store is about to be closed.
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
