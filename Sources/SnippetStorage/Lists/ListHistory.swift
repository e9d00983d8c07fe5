/// The last batches of a list, each beginning where the one before ends, for all who follow it.
struct ListHistory: Sendable {
  /// The most batches that are kept.
  private static let maximumCount = 64
  /// The most rows that the batches tell of together: some 300 kB.
  private static let maximumPlaceCount = 8 * ListDifference.maximumCount

  private var batches: [ListBatch] = []
  private var placeCount = 0

  /// Takes in what has become of the list.
  mutating func append(_ batch: ListBatch) {
    batches.append(batch)
    placeCount += batch.placeCount
    while batches.count > Self.maximumCount || placeCount > Self.maximumPlaceCount {
      placeCount -= batches.removeFirst().placeCount
    }
  }

  /// The state of the list before the first batch that is kept, if any is.
  var start: ListBatch? { batches.first }

  /// What has become of the list since a state, in one batch, as far as that can tell of each row.
  ///
  /// - Parameter version: The version of that state.
  /// - Returns: A batch that begins there; `nil` where none is kept that does.
  func batch(after version: Int64) -> ListBatch? {
    guard let first = batches.firstIndex(where: { $0.formerVersion == version }) else { return nil }
    var batch = batches[first]
    for next in batches[(first + 1)...] {
      guard let joined = batch.joined(with: next), !joined.isReset || batch.isReset else { break }
      batch = joined
    }
    return batch
  }

  /// All that has become of the list since a state.
  ///
  /// - Parameters:
  ///   - version: The version of that state.
  ///   - formerCount: How long the list was then.
  ///   - current: The version of the list as it is.
  ///   - count: How long it is.
  /// - Returns: One batch from there to here: a reset where the rows cannot be told one by one, and
  ///   an empty one where the versions are the same.
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
}
