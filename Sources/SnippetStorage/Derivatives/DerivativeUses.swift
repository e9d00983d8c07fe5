import Foundation
import GRDB
import SnippetBase

/// Which derivatives were used and must be told so in the file.
///
/// A read writes nothing: what it uses is remembered here, once in ten minutes at most, and written
/// with the next derivative that is saved. What is forgotten on the way, as by a crash, only lets a
/// derivative go earlier than others.
final class DerivativeUses: Sendable {
  private let dates = Lock<[Int64: Int64]>([:])

  /// A use that is this much later than the last one known is worth writing, in milliseconds.
  private static let precision: Int64 = 600_000
  /// More are not remembered at a time.
  private static let maximumCount = 4096

  /// Takes note of a use.
  func add(_ id: Int64, usedAt last: Int64, now: Int64) {
    // The shell may have written any number for the last one.
    guard last <= now - Self.precision else { return }
    dates.withLock { dates in
      if dates.count < Self.maximumCount || dates[id] != nil { dates[id] = now }
    }
  }

  /// Writes what was noted, in a transaction that writes something else.
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

  /// Whether something was noted.
  var isEmpty: Bool { dates.withLock(\.isEmpty) }
}
