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

  /// The keys since the last call.
  mutating func takeKeys() -> [LoadKey] {
    defer { keys = [] }
    return keys
  }
}

extension LoadTable {
  /// How many loads left before they started.
  var withdrawnCount: Int { withdrawals.count }
}
