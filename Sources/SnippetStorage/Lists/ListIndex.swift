import GRDB
import SnippetBase

/// What a list remembers of its order, so that any position is a few steps away.
///
/// The list is cut into blocks of some ``stride`` rows by remembered sort keys, *fences*: a
/// position is found by walking from the fence before it. A change moves the count of its block by
/// one, and nothing else, so that the index follows the record of changes at the cost of those. A
/// filter that lets few rows through would leave long walks between two rows of the list; such a
/// list remembers the identity of every row as well, which is at most a byte for each row of the
/// store.
struct ListIndex: Sendable {
  /// Rows from one fence to the next when the index is built.
  ///
  /// Measured: 64 to 512 give the same speed.
  static let stride = 128
  /// A block that is longer is cut, and one that is shorter joined to the next.
  static let blockLengths = 32...256

  /// The sort keys between two blocks each: a row stands in the block after the last fence that it
  /// does not precede.
  private(set) var fences: [SortKey]
  /// How many rows each block holds.
  private(set) var counts: PrefixCounts
  /// The rows of each block by their identity, if they are few among those of the store.
  private(set) var identities: [[Int64]]?
  /// How many snippets the store holds; counted only where there is a filter.
  private(set) var storeCount: Int

  /// The state of the database that this describes.
  var version: DataVersion
  /// How far it follows the record of changes.
  var mark: ChangeMark
  /// Which one this is of the states that the list has been in.
  var serial: Int64 = 1

  /// How many rows the list has.
  var count: Int { counts.total }

  /// Keeps of a whole walk whatever takes less memory.
  ///
  /// - Parameters:
  ///   - fences: Every ``stride``th sort key but the first.
  ///   - identities: Every identity, or at least more than are few; empty without a filter.
  ///   - count: How many rows there are.
  ///   - storeCount: How many snippets there are; 0 without a filter.
  ///   - version: The state of the database that was walked.
  ///   - db: The connection, in that state.
  /// - Throws: What SQLite says.
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

  /// Whether so few rows of a store are remembered each.
  static func isFew(_ count: Int, of storeCount: Int) -> Bool { count * 10 <= storeCount }

  /// Whether the rows have become too many to be remembered each, or few enough that they should.
  ///
  /// Not at once when ``build(_:in:)`` would do otherwise, lest it be built over and over.
  var isOutgrown: Bool {
    identities == nil
      ? count * 16 + 1024 < storeCount : count * 8 > storeCount + 1024
  }

  // MARK: - Blocks

  /// The sort key that no row of a block precedes; `nil` for the first one.
  func start(of block: Int) -> SortKey? {
    block == 0 ? nil : fences[block - 1]
  }

  /// The sort key that every row of a block precedes; `nil` for the last one.
  func end(of block: Int) -> SortKey? {
    block == fences.count ? nil : fences[block]
  }

  /// The block where a row with a sort key stands, or would stand.
  func block(of key: SortKey, in query: ListQuery) -> Int {
    fences.partitionPoint { !query.precedes(key, $0) }
  }

  // MARK: - Following changes

  /// What becomes of a block.
  struct BlockChange {
    var block: Int
    /// How many rows it has from now on.
    var count: Int
    /// Its rows from now on, where they are remembered.
    var identities: [Int64]?
    /// Where it is to be cut: the number of the row, and its sort key.
    var cuts: [(row: Int, key: SortKey)]
  }

  /// Takes in what has become of some blocks.
  ///
  /// - Parameters:
  ///   - changes: The blocks, first to last.
  ///   - storeDifference: How many snippets the store has more.
  /// - Complexity: O(*m* log *n*), and O(*n* / ``stride``) where blocks are cut or joined, which
  ///   takes some dozens of changes each.
  mutating func apply(_ changes: [BlockChange], storeDifference: Int) {
    storeCount += storeDifference
    for change in changes {
      counts.add(change.count - counts[change.block], at: change.block)
      if let ids = change.identities { identities?[change.block] = ids }
    }
    let cut = changes.filter { !$0.cuts.isEmpty }
    if !cut.isEmpty { self.cut(cut) }
    if changes.contains(where: { $0.count < Self.blockLengths.lowerBound }), !fences.isEmpty {
      joinShortBlocks()
    }
  }

  private mutating func cut(_ changes: [BlockChange]) {
    var values = counts.values
    for change in changes.reversed() {
      let bounds = [0] + change.cuts.map(\.row) + [change.count]
      let pieces = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
      values.replaceSubrange(change.block...change.block, with: pieces.map(\.count))
      fences.insert(contentsOf: change.cuts.map(\.key), at: change.block)
      if let ids = change.identities {
        identities?.replaceSubrange(
          change.block...change.block,
          with: pieces.map { Array(ids[$0]) }
        )
      }
    }
    counts = PrefixCounts(values)
  }

  /// Joins short blocks to a neighbour, unless the two would be long together.
  private mutating func joinShortBlocks() {
    let values = counts.values
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
    counts = PrefixCounts(joined.counts)
    if identities != nil { identities = joined.ids }
  }
}
