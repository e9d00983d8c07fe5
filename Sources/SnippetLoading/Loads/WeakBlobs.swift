/// Evicted blobs that other code still held at the time.
///
/// An entry whose blob is gone is found late: by a look-up, or by a sweep. A sweep runs when there
/// are twice as many entries as the last one left. Half of the entries it visits are then new,
/// which makes adding O(1) on average and bounds the memory for dead ones.
struct WeakBlobs: Sendable {
  private struct Reference {
    weak var blob: LoadedBlob?
  }

  /// The number of entries below which a sweep is not worth it.
  static let leastSwept = 16

  private var references: [LoadKey: Reference] = [:]
  private var sweptCount = WeakBlobs.leastSwept

  /// The number of entries, dead ones included.
  var count: Int { references.count }

  var isEmpty: Bool { references.isEmpty }

  /// The blob, if any code still holds it.
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
