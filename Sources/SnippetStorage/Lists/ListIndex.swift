import GRDB
import SnippetBase

/// The order of a list in little memory; it finds any position in a few steps.
///
/// The list is cut into blocks of about ``stride`` rows by remembered sort keys, the *fences*. To
/// find a position, walk from the fence before it. To keep up, only blocks with changes are walked
/// again, and the counts of all blocks are added up anew. With a filter that few rows pass, the
/// walk from one row of the list to the next would be long. Such a list remembers the identity of
/// every row as well, at most one byte for each row of the store.
struct ListIndex: Sendable {
  /// The number of rows between two fences in a fresh index.
  ///
  /// Measured: 64 to 512 give the same speed.
  static let stride = 128
  /// A longer block is cut, and a shorter one is joined to the next.
  static let blockLengths = 32...256

  /// The sort keys between neighbouring blocks.
  ///
  /// A row belongs to the block after the last fence that it does not precede.
  private(set) var fences: [SortKey]
  /// The number of rows in each block.
  private(set) var counts: PrefixCounts
  /// The identities of the rows of each block, if the list holds few of the rows in the store.
  private(set) var identities: [[Int64]]?
  /// The number of snippets in the store; counted only if there is a filter.
  private(set) var storeCount: Int

  /// The state of the database that the index describes.
  var version: DataVersion
  /// The position up to which the index has followed the record of changes.
  var mark: ChangeMark
  /// The number of this state of the list; it rises with each change.
  var serial: Int64 = 1

  /// The number of rows in the list.
  var count: Int { counts.total }

  /// Makes an index from a whole walk, in whichever form takes less memory.
  ///
  /// - Parameters:
  ///   - fences: Every ``stride``th sort key but the first.
  ///   - identities: Every identity, or at least more than count as few; empty without a filter.
  ///   - count: The number of rows.
  ///   - storeCount: The number of snippets in the store; 0 without a filter.
  ///   - version: The state of the database that was walked.
  ///   - db: The connection, in that state.
  /// - Throws: Errors of SQLite.
  init(
    fences: [SortKey],
    identities: [Int64],
    count: Int,
    storeCount: Int,
    version: DataVersion,
    in db: Database
  ) throws {
    self.fences = fences
    let blocks = 0...fences.count
    counts = PrefixCounts(blocks.map { min(Self.stride, count - $0 * Self.stride) })
    let isSparse = storeCount > 0 && Self.isFew(count, of: storeCount)
    self.identities =
      isSparse
      ? blocks.map { Array(identities.dropFirst($0 * Self.stride).prefix(Self.stride)) } : nil
    self.storeCount = storeCount
    self.version = version
    mark = try ChangeMark(endIn: db)
  }

  /// Walks the list once along its covering index.
  ///
  /// - Complexity: O(*n*) in the number of snippets, about 60 ns each.
  static func build(_ query: ListQuery, in db: Database) throws -> ListIndex {
    var walk = ListIndexWalk(query)
    while true {
      if let index = try walk.advance(by: 1 << 30, in: db) { return index }
    }
  }

  /// Whether the list holds so few rows of the store that each is remembered.
  static func isFew(_ count: Int, of storeCount: Int) -> Bool { count * 10 <= storeCount }

  /// Whether there are now too many rows to remember each, or so few that each should be.
  ///
  /// The bounds leave a margin around those of ``build(_:in:)``, so that the index is not rebuilt
  /// over and over.
  var isOutgrown: Bool {
    identities == nil
      ? count * 16 + 1024 < storeCount : count * 8 > storeCount + 1024
  }

  // MARK: - Blocks

  /// The sort key at which a block starts; `nil` for the first one.
  func start(of block: Int) -> SortKey? {
    block == 0 ? nil : fences[block - 1]
  }

  /// The sort key that follows every row of a block; `nil` for the last one.
  func end(of block: Int) -> SortKey? {
    block == fences.count ? nil : fences[block]
  }

  /// The block in which a sort key belongs.
  func block(of key: SortKey, in query: ListQuery) -> Int {
    fences.partitionPoint { !query.precedes(key, $0) }
  }

  // MARK: - Following changes

  /// A change of one block.
  struct BlockChange {
    var block: Int
    /// The number of rows in the block from now on.
    var count: Int
    /// The identities of its rows from now on, if they are remembered.
    var identities: [Int64]?
    /// Where to cut the block: the number of the row, and its sort key.
    var cuts: [(row: Int, key: SortKey)]
  }

  /// Applies changes of blocks.
  ///
  /// - Parameters:
  ///   - changes: The blocks, in ascending order.
  ///   - storeDifference: How many more snippets the store holds now.
  /// - Complexity: O(*m* + *n* / ``stride``) for *m* rows in the blocks, some 20 µs for a million
  ///   rows in the list.
  mutating func apply(_ changes: [BlockChange], storeDifference: Int) {
    storeCount += storeDifference
    guard !changes.isEmpty else { return }
    let hasShortBlock =
      !fences.isEmpty && changes.contains { $0.count < Self.blockLengths.lowerBound }
    // Most changes are of one or two blocks and move no fence.
    if changes.count <= 2, !hasShortBlock, changes.allSatisfy(\.cuts.isEmpty) {
      for change in changes {
        counts[change.block] = change.count
        if let ids = change.identities { identities?[change.block] = ids }
      }
      return
    }
    var values = counts.values
    // Backwards, so that a cut leaves the blocks before it at their places.
    for change in changes.reversed() {
      let bounds = [0] + change.cuts.map(\.row) + [change.count]
      let pieces = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
      let block = change.block...change.block
      values.replaceSubrange(block, with: pieces.map(\.count))
      // Even an insertion of nothing would copy the fences.
      if !change.cuts.isEmpty {
        fences.insert(contentsOf: change.cuts.map(\.key), at: change.block)
      }
      if let ids = change.identities {
        identities?.replaceSubrange(block, with: pieces.map { Array(ids[$0]) })
      }
    }
    if hasShortBlock { joinShortBlocks(&values) }
    counts = PrefixCounts(values)
  }

  /// Joins short blocks to a neighbour, unless the result would be long.
  private mutating func joinShortBlocks(_ values: inout [Int]) {
    var joined: (fences: [SortKey], counts: [Int], ids: [[Int64]]) = ([], [], [])
    for (block, value) in values.enumerated() {
      let ids = identities?[block]
      if let last = joined.counts.last, min(last, value) < Self.blockLengths.lowerBound,
        last + value <= (Self.blockLengths.upperBound + Self.stride) / 2
      {
        joined.counts[joined.counts.count - 1] += value
        if let ids { joined.ids[joined.ids.count - 1] += ids }
      } else {
        if let fence = start(of: block) { joined.fences.append(fence) }
        joined.counts.append(value)
        if let ids { joined.ids.append(ids) }
      }
    }
    guard joined.counts.count < values.count else { return }
    fences = joined.fences
    values = joined.counts
    if identities != nil { identities = joined.ids }
  }
}
