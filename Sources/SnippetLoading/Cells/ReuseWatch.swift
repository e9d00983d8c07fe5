/// Finds out that cells are made over and over instead of being used again.
///
/// A missing or mismatched reuse identifier works, only slowly; so it is looked for. Once five
/// screens have been filled, most cells must be used ones. As long as nobody has said how many
/// cells a screen takes, nothing is judged.
@MainActor
struct ReuseWatch {
  private(set) var createdCount = 0
  private(set) var reusedCount = 0
  /// How many cells a screen takes.
  var visibleCount = 0
  /// Called once when reuse is broken.
  var handler: @MainActor (String) -> Void = {
    MisuseLog.note($0)
    assertionFailure($0)
  }
  private var hasReported = false

  /// Notes that a cell was needed.
  ///
  /// - Returns: What to call the handler with, once reuse is broken.
  mutating func note(isNew: Bool) -> String? {
    if isNew { createdCount += 1 } else { reusedCount += 1 }
    let enough = 5 * max(12, visibleCount)
    guard !hasReported, visibleCount > 0, createdCount > enough, createdCount > reusedCount else {
      return nil
    }
    hasReported = true
    return """
      cells are not reused: \(createdCount) were made, \(reusedCount) reused; take them from the \
      pool by their reuse identifier, and give them back
      """
  }
}
