import GRDB
import SnippetStorage

/// The store as an import reads and writes it: in many transactions, or in a single one that is
/// rolled back.
struct ImportAccess {
  let seam: StoreSeam
  /// The transaction of a dry run; `nil` if what is written stays.
  var rehearsal: Database?

  private static let operation = "import files"

  /// Reads a few rows in one snapshot.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if let rehearsal { return try body(rehearsal) }
    return try seam.read(to: Self.operation, body)
  }

  /// Writes in one transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if let rehearsal { return try body(rehearsal) }
    return try seam.write(to: Self.operation, body)
  }

  /// Writes in one transaction, even on a full disk, what makes room.
  func writeLendingReserve<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if let rehearsal { return try body(rehearsal) }
    return try seam.lendingReserve { try seam.write(to: Self.operation, body) }
  }
}
