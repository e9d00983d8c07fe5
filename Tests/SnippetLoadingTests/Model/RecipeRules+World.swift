import SnippetLoading
import SnippetStorage
import SnippetTestSupport

/// What rows may need in the loader's simulation.
extension RecipeRules {
  static let allOfWorld = [originals, thumbnails, picturesAndWaveforms, twoOfOne]

  /// A small recipe ahead, a larger one made from it on screen.
  private static let thumbnails = RecipeRules(
    processors: [
      FakeProcessor(1, standsInFor: [Recipe.numbered(2)]),
      FakeProcessor(2, from: Recipe.numbered(1)),
    ],
    recipes: [.numbered(1), .numbered(2)]
  ) { _, range in
    [Recipe.numbered(range == .preload ? 1 : 2)]
  }

  /// Two loads for each cell, one of them made from the other.
  private static let picturesAndWaveforms = RecipeRules(
    processors: [FakeProcessor(3)],
    recipes: [.original, .numbered(3)]
  ) { row, _ in
    row.id.rawValue % 3 == 0 ? [Recipe.numbered(3)] : [.original, Recipe.numbered(3)]
  }

  /// Two loads for each cell, both made from a third that nobody shows.
  private static let twoOfOne = RecipeRules(
    processors: [FakeProcessor(4), FakeProcessor(5)],
    recipes: [.numbered(4), .numbered(5)]
  ) { _, _ in
    [Recipe.numbered(4), Recipe.numbered(5)]
  }
}
