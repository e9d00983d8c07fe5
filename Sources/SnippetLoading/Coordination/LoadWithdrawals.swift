internal import SnippetStorage

/// The loads that left before they were given to a worker.
struct LoadWithdrawals: Sendable {
  private(set) var count = 0
  /// Whether the keys are kept, for a trace.
  var keepsKeys = false
  private var keys: [LoadKey] = []

  mutating func note(_ key: LoadKey) {
    count += 1
    if keepsKeys { keys.append(key) }
  }

  /// The keys since the last call; those that left at once have no order of their own, so that they
  /// are given in one that is always the same.
  mutating func takeKeys() -> [LoadKey] {
    defer { keys = [] }
    return keys.sorted {
      ($0.blobID.rawValue, $0.recipe.number) < ($1.blobID.rawValue, $1.recipe.number)
    }
  }
}

extension LoadTable {
  /// How many loads left before they started.
  var withdrawnCount: Int { withdrawals.count }
}
