/// Finds out that cells are made over and over instead of being used again.
///
/// A missing or mismatched reuse identifier works, only slowly; so it is looked for, for each
/// identifier by itself. Once five screens have been filled, most cells must be used ones. As long
/// as nobody has said how many cells a screen takes, nothing is judged.
@MainActor
struct ReuseWatch {
  private struct Uses {
    var createdCount = 0
    var reusedCount = 0
    var hasReported = false
  }

  private(set) var createdCount = 0
  private(set) var reusedCount = 0
  /// How many cells a screen takes, those included that its host keeps around it.
  var expectedCount = 0
  /// Called once for each identifier whose cells are not reused.
  var handler: @MainActor (String) -> Void = {
    MisuseLog.note($0)
    assertionFailure($0)
  }
  private var usesByIdentifier: [ReuseIdentifier: Uses] = [:]

  /// Says how many cells are taken at a time; the greatest number counts.
  mutating func expect(_ count: Int) {
    expectedCount = max(expectedCount, count)
  }

  /// Notes that a cell was needed.
  ///
  /// - Returns: What to call the handler with, once reuse is broken.
  mutating func note(_ identifier: ReuseIdentifier, isNew: Bool) -> String? {
    var uses = usesByIdentifier[identifier] ?? Uses()
    defer { usesByIdentifier[identifier] = uses }
    if isNew {
      createdCount += 1
      uses.createdCount += 1
    } else {
      reusedCount += 1
      uses.reusedCount += 1
    }
    let enough = 5 * max(12, expectedCount)
    guard !uses.hasReported, expectedCount > 0, uses.createdCount > enough,
      uses.createdCount > uses.reusedCount
    else { return nil }
    uses.hasReported = true
    return """
      cells are not reused: \(uses.createdCount) of \(identifier) were made, \(uses.reusedCount) \
      reused; take them from the pool by their reuse identifier, and give them back
      """
  }
}
