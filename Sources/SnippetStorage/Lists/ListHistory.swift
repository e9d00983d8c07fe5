/// The latest batches of a list, each beginning where the one before ends.
///
/// All followers share it.
struct ListHistory: Sendable {
  /// The most batches to keep.
  private static let maximumCount = 64
  /// The most rows in all batches together: some 300 kB.
  private static let maximumPlaceCount = 8 * ListDifference.maximumCount

  private var batches: [ListBatch] = []
  private var placeCount = 0

  /// Adds the latest batch, and drops the oldest where there are too many.
  mutating func append(_ batch: ListBatch) {
    batches.append(batch)
    placeCount += batch.placeCount
    while batches.count > Self.maximumCount || placeCount > Self.maximumPlaceCount {
      placeCount -= batches.removeFirst().placeCount
    }
  }

  /// The oldest batch, if there is any; its former state is the earliest one known.
  var start: ListBatch? { batches.first }

  /// Joins the batches since a state, as many as can still name each row; `nil` if none begins
  /// there.
  func batch(after version: Int64) -> ListBatch? {
    guard let first = batches.firstIndex(where: { $0.formerVersion == version }) else { return nil }
    var batch = batches[first]
    for next in batches[(first + 1)...] {
      guard let joined = batch.joined(with: next), !joined.isReset || batch.isReset else { break }
      batch = joined
    }
    return batch
  }

  /// Joins all batches since a state of the list to its present one.
  ///
  /// The result is a reset if the rows cannot be named one by one, and an empty batch if the
  /// versions are equal.
  func batch(from version: Int64, _ formerCount: Int, to current: Int64, count: Int) -> ListBatch {
    let whole = ListBatch(
      formerVersion: version,
      version: current,
      formerCount: formerCount,
      count: count
    )
    if version == current, formerCount == count { return whole }
    guard let first = batches.firstIndex(where: { $0.formerVersion == version }),
      batches[first].formerCount == formerCount
    else { return whole.asReset }
    var batch = batches[first]
    for next in batches[(first + 1)...] where !batch.isReset {
      guard let joined = batch.joined(with: next) else { return whole.asReset }
      batch = joined
    }
    return batch.version == current && batch.count == count ? batch : whole.asReset
  }

  /// Joins all batches since a state whose length is not known; `nil` if the rows cannot be named
  /// one by one.
  func batch(since version: Int64, to current: Int64, count: Int) -> ListBatch? {
    let start = batches.first { $0.formerVersion == version }
    guard version == current || start != nil else { return nil }
    let batch = batch(from: version, start?.formerCount ?? count, to: current, count: count)
    return batch.isReset ? nil : batch
  }
}
