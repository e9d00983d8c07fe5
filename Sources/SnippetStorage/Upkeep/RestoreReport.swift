public import Foundation

/// The outcome of a restore.
public struct RestoreReport: Sendable, Hashable {
  /// The check of the backup, made before it was used.
  public var check: CheckReport
  /// The new location of a damaged file, or of the log of a missing store; `nil` if there was
  /// none.
  public var damagedFile: URL?
  /// The tables of other programs that were in the store, and that were removed with its old
  /// content.
  public var removedTables: [String]
}
