public import Foundation

/// What a restore did.
public struct RestoreReport: Sendable, Hashable {
  /// What the check of the backup looked at.
  public var check: CheckReport
  /// Where a damaged file, or the log of a missing store, was put; `nil` when there was none.
  public var damagedFile: URL?
  /// The tables of other programs that the store held beside the snippets, and that went with its
  /// old content.
  public var removedTables: [String]
}
