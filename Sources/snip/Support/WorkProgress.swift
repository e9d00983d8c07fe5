/// How far a long piece of work has come.
struct WorkProgress: Equatable, Sendable {
  /// A number shown beside the progress, such as the duplicates found.
  struct Counter: Equatable, Sendable {
    let name: String
    let count: Int
  }

  /// The things done.
  var completedCount = 0

  /// All things to do, if that is known.
  var totalCount: Int?

  /// The bytes done.
  var byteCount: Int64 = 0

  /// All bytes to do, if that is known.
  var totalByteCount: Int64?

  /// More numbers; those that are 0 are not shown.
  var counters: [Counter] = []

  /// The part that is done, from 0 to 1, by bytes if their total is known, else by things.
  var fraction: Double? {
    if let totalByteCount, totalByteCount > 0 {
      return min(1, max(0, Double(byteCount) / Double(totalByteCount)))
    }
    guard let totalCount, totalCount > 0 else { return nil }
    return min(1, max(0, Double(completedCount) / Double(totalCount)))
  }
}
