import Foundation
import GRDB
import SnippetBase

/// Remembers which derivatives were used, until that is written to the file.
///
/// A read writes nothing. Uses are remembered here, at most one in ten minutes for each derivative,
/// and written together with the next derivative that is saved. If uses are lost, for example in a
/// crash, some derivatives are only evicted earlier than others.
final class DerivativeUses: Sendable {
  private let dates = Lock<[Int64: Int64]>([:])

  /// The least time in milliseconds between two recorded uses.
  private static let precision: Int64 = 600_000
  /// The most uses to remember at a time.
  private static let maximumCount = 4096

  /// Notes a use.
  func add(_ id: Int64, usedAt last: Int64, now: Int64) {
    // The shell may have written any number for the last use.
    guard last <= now - Self.precision else { return }
    dates.withLock { dates in
      if dates.count < Self.maximumCount || dates[id] != nil { dates[id] = now }
    }
  }

  /// Writes the noted uses as part of another transaction.
  func write(in db: Database) throws {
    let noted = dates.withLock { dates in
      defer { dates = [:] }
      return dates
    }
    guard !noted.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: "UPDATE derivative SET used_at = ?2 WHERE id = ?1 AND used_at < ?2"
    )
    for (id, date) in noted { try statement.execute(arguments: [id, date]) }
  }

  /// Whether there are no noted uses.
  var isEmpty: Bool { dates.withLock(\.isEmpty) }
}
