import Foundation
import GRDB
import SnippetBase

/// Keeps derivatives within their budget, in a transaction.
struct DerivativeWriter {
  let db: Database
  let byteLimit: Int64

  /// How many are looked at together when room must be made.
  private static let batchCount = 64

  /// Saves derivatives in the place of those of the same blob and recipe, then lets those go that
  /// were not used for longest until the rest is within the budget.
  ///
  /// - Returns: How many were saved: those whose blob is there, and that the budget has room for.
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

  /// Lets derivatives go until the rest is within the budget, or the time of a step is over.
  ///
  /// - Returns: Whether the rest is within the budget.
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
      // A total that is wrong is counted anew by a collection of garbage; and what is in the index
      // of a damaged file only would be found again and again.
      guard count > 0 else { return true }
    }
    return true
  }

  /// Those that do not match their digest.
  ///
  /// - Complexity: O(*n*) in their size.
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

  /// The size of all derivatives in bytes.
  static func total(in db: Database) throws -> Int64 {
    try db.value("SELECT byte_count FROM derivative_total") { try $0.number(0) } ?? 0
  }
}
