/// Decides which entry of a cache goes first.
///
/// Entries are known by their slot, a small number that the cache gives and uses again, so that an
/// order can live in plain arrays. Every operation must be O(1).
protocol EvictionOrder: Sendable {
  init()

  /// The entry to evict next, or `nil` when the order is empty.
  var victim: Int? { get }

  /// Takes in an entry that is not in the order.
  mutating func insert(_ slot: Int)

  /// Notes that an entry was used.
  mutating func touch(_ slot: Int)

  /// Forgets an entry.
  mutating func remove(_ slot: Int)
}

/// The order of last use: what was not used for the longest time goes first.
///
/// Scrolling back is recency, not frequency; the policies that win on web and block traces lose
/// on lists. A doubly linked list through two arrays, indexed by slot.
struct RecencyOrder: EvictionOrder {
  private struct Links {
    var older = RecencyOrder.none
    var newer = RecencyOrder.none
  }

  private static let none: Int32 = -1

  private var links: [Links] = []
  private var oldest = RecencyOrder.none
  private var newest = RecencyOrder.none

  init() {}

  var victim: Int? {
    oldest == Self.none ? nil : Int(oldest)
  }

  mutating func insert(_ slot: Int) {
    while links.count <= slot { links.append(Links()) }
    let slot = Int32(slot)
    links[Int(slot)] = Links(older: newest, newer: Self.none)
    if newest == Self.none {
      oldest = slot
    } else {
      links[Int(newest)].newer = slot
    }
    newest = slot
  }

  mutating func touch(_ slot: Int) {
    guard newest != Int32(slot) else { return }
    remove(slot)
    insert(slot)
  }

  mutating func remove(_ slot: Int) {
    let link = links[slot]
    if link.older == Self.none {
      oldest = link.newer
    } else {
      links[Int(link.older)].newer = link.newer
    }
    if link.newer == Self.none {
      newest = link.older
    } else {
      links[Int(link.newer)].older = link.older
    }
    links[slot] = Links()
  }
}
