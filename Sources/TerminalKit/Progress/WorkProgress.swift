/// The progress of long work.
package struct WorkProgress: Equatable, Sendable {
  /// A number shown beside the progress, such as the duplicates found.
  package struct Counter: Equatable, Sendable {
    package let name: String
    package let count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// The number of things done.
  package var completedCount = 0

  /// The number of things to do, if it is known.
  package var totalCount: Int?

  /// The number of bytes done.
  package var byteCount: Int64 = 0

  /// The number of bytes to do, if it is known.
  package var totalByteCount: Int64?

  /// Further numbers; those that are 0 are not shown.
  package var counters: [Counter] = []

  package init(
    completedCount: Int = 0,
    totalCount: Int? = nil,
    byteCount: Int64 = 0,
    totalByteCount: Int64? = nil,
    counters: [Counter] = []
  ) {
    self.completedCount = completedCount
    self.totalCount = totalCount
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
    self.counters = counters
  }

  /// The completed part, from 0 to 1, by bytes if their total is known, otherwise by things.
  package var fraction: Double? {
    if let totalByteCount, totalByteCount > 0 {
      return min(1, max(0, Double(byteCount) / Double(totalByteCount)))
    }
    guard let totalCount, totalCount > 0 else { return nil }
    return min(1, max(0, Double(completedCount) / Double(totalCount)))
  }
}
