/// Detects that cells are made over and over instead of being reused.
///
/// A missing or mismatched reuse identifier works, only slowly, so each type of view is watched by
/// itself. Once five screens have been filled, most cells must be reused ones. Until the number of
/// cells on a screen is known, the watch judges nothing.
@MainActor
struct ReuseWatch {
  private struct Uses {
    var createdCount = 0
    var reusedCount = 0
    var hasReported = false
  }

  /// The number of cells that a screen takes, with those that its host keeps around it.
  var expectedCount = 0
  /// Called once for each type of view that is not reused.
  var handler: @MainActor (String) -> Void = {
    MisuseLog.note($0)
    assertionFailure($0)
  }
  private var usesByType: [ObjectIdentifier: Uses] = [:]

  /// Sets how many cells are in use at a time; the greatest number counts.
  mutating func expect(_ count: Int) {
    expectedCount = max(expectedCount, count)
  }

  /// Notes that a view was needed.
  ///
  /// - Returns: The message for the handler, once reuse is broken.
  mutating func note(_ viewType: AnyObject.Type, isNew: Bool) -> String? {
    let type = ObjectIdentifier(viewType)
    var uses = usesByType[type] ?? Uses()
    defer { usesByType[type] = uses }
    if isNew { uses.createdCount += 1 } else { uses.reusedCount += 1 }
    let enough = 5 * max(12, expectedCount)
    guard !uses.hasReported, expectedCount > 0, uses.createdCount > enough,
      uses.createdCount > uses.reusedCount
    else { return nil }
    uses.hasReported = true
    return """
      cells are not reused: \(uses.createdCount) of \(String(reflecting: viewType)) were made, \
      \(uses.reusedCount) reused; take them from the list's pool by their reuse identifier, and \
      give them back
      """
  }
}
