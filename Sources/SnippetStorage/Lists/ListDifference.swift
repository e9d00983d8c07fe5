import GRDB
import SnippetBase

/// The effect of changes on a list: the new state of its index, and the batch that describes it.
///
/// Only blocks with changes are walked. The old positions follow from the new ones, because the
/// other rows of a block have kept their order.
struct ListDifference {
  let batch: ListBatch
  let blocks: [ListIndex.BlockChange]
  let storeDifference: Int
  let mark: ChangeMark

  /// More changed rows than this make the batch a reset.
  static let maximumCount = 1024
  /// More records than this make the batch a reset.
  static let maximumRecordCount = 4 * maximumCount

  /// Works out how a list has changed since the state of its index.
  ///
  /// - Returns: `nil` if the index must be rebuilt: too much has changed, some changes are not
  ///   recorded, or the record and the rows contradict each other.
  /// - Complexity: O(*m* log *n* + *b*) for *m* changes in *b* blocks.
  init?(of query: ListQuery, since index: ListIndex, in db: Database) throws {
    guard
      let records = try index.mark.changes(limit: Self.maximumRecordCount, in: db),
      let steps = try query.steps(records, in: db), steps.count <= Self.maximumCount
    else { return nil }
    mark = index.mark.advanced(by: records)
    storeDifference =
      query.source.isUnfiltered
      ? 0
      : records.reduce(0) { sum, record in
        switch record.event {
        case .inserted: sum + 1
        case .deleted: sum - 1
        case .updated, .tagPutOn, .tagTakenOff: sum
        }
      }

    var walks: [Int: BlockWalk] = [:]
    for step in steps {
      if let old = step.old {
        walks[index.block(of: old, in: query), default: BlockWalk()].old.append(old)
      }
      if let new = step.new {
        walks[index.block(of: new, in: query), default: BlockWalk()].new.append(new)
      }
    }
    var (oldPositions, newPositions): ([Int64: Int], [Int64: Int]) = ([:], [:])
    var blocks: [ListIndex.BlockChange] = []
    var difference = 0
    for (block, walk) in walks.sorted(by: { $0.key < $1.key }) {
      guard let found = try walk.ranks(in: block, of: index, query, db) else { return nil }
      let start = index.counts.sum(before: block)
      for (id, rank) in found.old { oldPositions[id] = start + rank }
      for (id, rank) in found.new { newPositions[id] = start + difference + rank }
      difference += walk.new.count - walk.old.count
      blocks.append(found.change)
    }
    self.blocks = blocks

    var batch = ListBatch(
      from: index,
      to: steps.isEmpty ? index.serial : index.serial + 1,
      count: index.count + difference
    )
    batch.add(
      steps.map { ($0.id, oldPositions[$0.id], newPositions[$0.id], $0.isOrderedAnew) }
    )
    self.batch = batch
  }
}

/// The rows that leave and enter one block; a row that only changed does both.
private struct BlockWalk {
  var old: [SortKey] = []
  var new: [SortKey] = []

  /// The old and new ranks of rows, counted from the start of the block.
  struct Ranks {
    var old: [Int64: Int] = [:]
    var new: [Int64: Int] = [:]
    var change: ListIndex.BlockChange
  }

  /// Walks the block as it is now; `nil` if it does not hold the expected rows.
  func ranks(
    in block: Int,
    of index: ListIndex,
    _ query: ListQuery,
    _ db: Database
  ) throws -> Ranks? {
    let count = index.counts[block] + new.count - old.count
    guard count >= 0 else { return nil }
    return try index.identities.map { identities in
      try ranks(among: identities[block], block, count, query, db)
    } ?? ranks(alongWalk: block, of: index, count, query, db)
  }

  /// Ranks the rows of a block whose identities are not remembered.
  private func ranks(
    alongWalk block: Int,
    of index: ListIndex,
    _ count: Int,
    _ query: ListQuery,
    _ db: Database
  ) throws -> Ranks? {
    var keys: [SortKey] = []
    keys.reserveCapacity(count)
    let end = index.end(of: block)
    var walk = try query.keys(from: index.start(of: block), limit: count + 1, in: db)
    while let row = try walk.next() {
      let key = try SortKey(row)
      if let end, !query.precedes(key, end) { break }
      keys.append(key)
    }
    guard keys.count == count else { return nil }

    let (old, new) = (old.sorted(by: query.precedes), new.sorted(by: query.precedes))
    var ranks = Ranks(
      change: .init(
        block: block,
        count: count,
        cuts: ListIndex.cuts(of: count).map { row in
          (row, query.fence(after: keys[row - 1], before: keys[row]))
        }
      )
    )
    for key in new {
      let rank = keys.rank(of: key, query)
      guard rank < count, keys[rank].id == key.id else { return nil }
      ranks.new[key.id] = rank
    }
    for (place, key) in old.enumerated() {
      ranks.old[key.id] = keys.rank(of: key, query) - new.rank(of: key, query) + place
    }
    return ranks
  }

  /// Ranks the rows of a block whose identities are remembered.
  private func ranks(
    among former: [Int64],
    _ block: Int,
    _ count: Int,
    _ query: ListQuery,
    _ db: Database
  ) throws -> Ranks? {
    let leaving = Set(old.map(\.id))
    var ids = former.filter { !leaving.contains($0) }
    guard ids.count == former.count - old.count else { return nil }
    for key in new {
      var isMissing = false
      let place = try ids.partitionPoint { id in
        guard let other = try query.key(of: SnippetID(rawValue: id), in: db) else {
          isMissing = true
          return false
        }
        return query.precedes(other, key)
      }
      if isMissing { return nil }
      ids.insert(key.id, at: place)
    }
    var cuts: [(row: Int, key: SortKey)] = []
    for row in ListIndex.cuts(of: count) {
      guard let former = try query.key(of: SnippetID(rawValue: ids[row - 1]), in: db),
        let latter = try query.key(of: SnippetID(rawValue: ids[row]), in: db)
      else { return nil }
      cuts.append((row, query.fence(after: former, before: latter)))
    }
    var ranks = Ranks(change: .init(block: block, count: count, identities: ids, cuts: cuts))
    let arriving = Set(new.map(\.id))
    for (rank, id) in former.enumerated() where leaving.contains(id) { ranks.old[id] = rank }
    for (rank, id) in ids.enumerated() where arriving.contains(id) { ranks.new[id] = rank }
    return ranks
  }
}

extension ListIndex {
  /// Applies the changes up to a state of the database.
  mutating func follow(_ difference: ListDifference, to version: DataVersion) {
    apply(difference.blocks, storeDifference: difference.storeDifference)
    self.version = version
    mark = difference.mark
    serial = difference.batch.version
  }

  /// Where to cut a long block into pieces of the usual length; empty for a block that is short
  /// enough.
  fileprivate static func cuts(of count: Int) -> [Int] {
    guard count > blockLengths.upperBound else { return [] }
    let pieces = count / stride
    return (1..<pieces).map { $0 * count / pieces }
  }
}

extension [SortKey] {
  /// The number of keys of a sorted array that precede a key.
  fileprivate func rank(of key: SortKey, _ query: ListQuery) -> Int {
    partitionPoint { query.precedes($0, key) }
  }
}
