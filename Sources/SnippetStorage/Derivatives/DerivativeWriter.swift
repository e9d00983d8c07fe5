import Foundation
import GRDB
import SnippetBase

/// Saves derivatives and keeps them within their budget, in a transaction.
struct DerivativeWriter {
  let db: Database
  let byteLimit: Int64

  /// The number of derivatives to look at together when making room.
  private static let batchCount = 64

  /// Saves derivatives, replacing those of the same blob and recipe, then evicts the least recently
  /// used until the rest fits the budget.
  ///
  /// Returns the number of saved ones. Those without a blob and those too large for the budget are
  /// not saved.
  func save(_ derivatives: [Derivative], at date: Date) throws -> Int {
    let deletion = try db.cachedStatement(
      sql: "DELETE FROM derivative WHERE blob_id = ? AND recipe = ?"
    )
    let insertion = try db.cachedStatement(
      sql: """
        INSERT INTO derivative (blob_id, recipe, version, used_at, byte_count, data, digest)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM blob WHERE id = ?1)
        """
    )
    var count = 0
    for derivative in derivatives {
      let blob = derivative.blobID.rawValue
      try deletion.execute(arguments: [blob, derivative.recipe.name])
      guard Int64(derivative.data.count) <= byteLimit else { continue }
      try insertion.execute(arguments: [
        blob, derivative.recipe.name, derivative.recipe.version, date.milliseconds,
        derivative.data.count, derivative.data,
        derivative.data.withUnsafeBytes(ContentHash.start(of:)),
      ])
      count += db.changesCount
    }
    try makeRoom()
    return count
  }

  /// Evicts derivatives until the rest fits the budget; returns `false` if the time was up first.
  @discardableResult
  func makeRoom(until isOver: () -> Bool = { false }) throws -> Bool {
    let deletion = try db.cachedStatement(sql: "DELETE FROM derivative WHERE id = ?")
    while try Self.total(in: db) > byteLimit {
      let ids = try db.numbers(
        "SELECT id FROM derivative ORDER BY used_at, id LIMIT \(Self.batchCount)"
      )
      var count = 0
      for id in ids where try Self.total(in: db) > byteLimit {
        guard !isOver() else { return false }
        try deletion.execute(arguments: [id])
        count += db.changesCount
      }
      // Garbage collection corrects a wrong total. Rows that exist only in the index of a damaged
      // file would be found again forever.
      guard count > 0 else { return true }
    }
    return true
  }

  /// Returns the derivatives that do not match their digest, which reads all of them.
  static func damaged(in db: Database, _ check: () throws -> Void) throws -> [Int64] {
    var found: [Int64] = []
    var statement = try SteppedStatement(
      "SELECT id, digest, data FROM derivative WHERE digest IS NOT NULL",
      in: db
    )
    while let row = try statement.next() {
      try check()
      let isRight = try? row.withBytes(2, ContentHash.start(of:)) == row.number(1)
      if isRight != true { found.append(try row.number(0)) }
    }
    return found
  }

  /// Returns the size of all derivatives in bytes.
  static func total(in db: Database) throws -> Int64 {
    try db.value("SELECT byte_count FROM derivative_total") { try $0.number(0) } ?? 0
  }
}
