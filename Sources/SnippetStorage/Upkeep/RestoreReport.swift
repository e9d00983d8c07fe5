public import Foundation

/// The outcome of a restore.
public struct RestoreReport: Sendable, Hashable {
  /// The check of the backup, made before it was used.
  public var check: CheckReport
  /// Where a damaged file, or the log of a missing store, was put; `nil` when there was none.
  public var damagedFile: URL?
  /// The tables of other programs that the store held beside the snippets, and that went with its
  /// old content.
  public var removedTables: [String]
}
