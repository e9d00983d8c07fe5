import SnippetLoading
import SnippetStorage
import SnippetTestSupport

/// What rows may need in the loader's simulation.
extension VariantRules {
  static let allOfWorld = [originals, thumbnails, picturesAndWaveforms, twoOfOne]

  /// A small variant ahead, a larger one made from it on screen.
  private static let thumbnails = VariantRules(
    processors: [
      FakeProcessor(1, standsInFor: [BlobVariant(rawValue: 2)]),
      FakeProcessor(2, from: BlobVariant(rawValue: 1)),
    ]
  ) { _, range in
    [BlobVariant(rawValue: range == .preload ? 1 : 2)]
  }

  /// Two loads for each cell, one of them made from the other.
  private static let picturesAndWaveforms = VariantRules(processors: [FakeProcessor(3)]) { row, _ in
    row.id.rawValue % 3 == 0 ? [BlobVariant(rawValue: 3)] : [.original, BlobVariant(rawValue: 3)]
  }

  /// Two loads for each cell, both made from a third that nobody shows.
  private static let twoOfOne = VariantRules(processors: [FakeProcessor(4), FakeProcessor(5)]) {
    _,
    _ in
    [BlobVariant(rawValue: 4), BlobVariant(rawValue: 5)]
  }
}
