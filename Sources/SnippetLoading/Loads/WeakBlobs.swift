/// Blobs that were evicted while somebody else held them.
///
/// What nobody holds any more is found out late: by a look-up, or by a sweep. A sweep comes when
/// there are twice as many entries as the last one left, so that half of what it visits was added
/// since, which makes adding O(1) in the mean and bounds what the dead ones take.
struct WeakBlobs: Sendable {
  private struct Reference {
    weak var blob: LoadedBlob?
  }

  /// The number of entries below which no sweep is worth its while.
  static let leastSwept = 16

  private var references: [LoadKey: Reference] = [:]
  private var sweptCount = WeakBlobs.leastSwept

  /// The number of entries, dead ones included.
  var count: Int { references.count }

  var isEmpty: Bool { references.isEmpty }

  /// The blob, if somebody holds it still.
  subscript(key: LoadKey) -> LoadedBlob? {
    // Nearly always there are none.
    references.isEmpty ? nil : references[key]?.blob
  }

  mutating func insert(_ blob: LoadedBlob) {
    references[blob.key] = Reference(blob: blob)
    guard references.count > sweptCount else { return }
    references = references.filter { $0.value.blob != nil }
    sweptCount = max(Self.leastSwept, 2 * references.count)
  }

  mutating func remove(_ key: LoadKey) {
    guard !references.isEmpty else { return }
    references[key] = nil
  }
}
