internal import SnippetStorage

/// Finds the slot of a key: a table with open addressing, at most half full.
///
/// With a dictionary a look-up in the cache took two and a half times as long, and an insert three
/// times. The hash of a dictionary withstands keys chosen to collide; so does this one, because the
/// multiplier stays secret.
struct SlotIndex: Sendable {
  private struct Place {
    var key: LoadKey
    var slot: Int32
  }

  private static let free = Place(key: LoadKey(blobID: BlobID(rawValue: 0)), slot: -1)
  private static let leastBits = 4

  /// The number of keys.
  private(set) var count = 0
  private var places = Array(repeating: SlotIndex.free, count: 1 << SlotIndex.leastBits)
  /// The number of bits to drop from a hash so that the rest is the index of a place.
  private var shift = UInt64(64 - SlotIndex.leastBits)
  private let multiplier = UInt64.random(in: 0...UInt64.max) | 1

  /// The slot of a key.
  subscript(key: LoadKey) -> Int? {
    let place = places[place(of: key)]
    return place.slot < 0 ? nil : Int(place.slot)
  }

  /// Adds a key that is not in the table yet.
  mutating func insert(_ slot: Int, for key: LoadKey) {
    if 2 * (count + 1) > places.count { grow() }
    places[place(of: key)] = Place(key: key, slot: Int32(slot))
    count += 1
  }

  /// Removes a key that is in the table.
  mutating func remove(_ key: LoadKey) {
    var gap = place(of: key)
    var index = next(gap)
    while places[index].slot >= 0 {
      // The entry behind the gap moves into it, unless its search begins after the gap.
      if distance(from: home(of: places[index].key), to: index) >= distance(from: gap, to: index) {
        places[gap] = places[index]
        gap = index
      }
      index = next(index)
    }
    places[gap] = Self.free
    count -= 1
  }

  /// The place of a key, or the place to add it at.
  private func place(of key: LoadKey) -> Int {
    var index = home(of: key)
    while places[index].slot >= 0, places[index].key != key { index = next(index) }
    return index
  }

  /// The place where the search for a key begins.
  private func home(of key: LoadKey) -> Int {
    // The upper bits of a product depend on all bits of the factors.
    Int((key.mixedBits &* multiplier) >> shift)
  }

  private func next(_ index: Int) -> Int { (index + 1) & (places.count - 1) }

  private func distance(from start: Int, to end: Int) -> Int {
    (end - start) & (places.count - 1)
  }

  private mutating func grow() {
    let former = places
    places = Array(repeating: Self.free, count: 2 * former.count)
    shift -= 1
    for place in former where place.slot >= 0 { places[self.place(of: place.key)] = place }
  }
}
