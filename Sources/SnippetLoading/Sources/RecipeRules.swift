public import SnippetStorage

/// The recipes that a list needs for its rows, with their processors.
///
/// ```swift
/// let texts = RecipeRules(processors: [TextProcessor.excerpt], recipes: [.text: [.excerpt]])
/// let images = RecipeRules(
///   processors: [Negative()],
///   recipes: [.negative, .original]
/// ) { row, range in
///   row.kind == .image && range == .visible ? [.negative, .original] : [.original]
/// }
/// ```
public struct RecipeRules: Sendable {
  /// The processors for recipes that the source does not have.
  public let processors: [any BlobProcessor]

  /// All recipes that rows may need.
  ///
  /// A loader cannot be made if one of them is unavailable.
  public let recipes: [Recipe]

  /// The recipes that a row needs, each one a load of its own with its own state.
  ///
  /// It is called on the main actor for every row around the viewport, so it must be quick and
  /// depend on nothing but its arguments: make the arrays beforehand. A short text has no blob; its
  /// results are made from its snippet.
  public let wanted: @Sendable (SnippetRow, LoadRange) -> [Recipe]

  /// Every row with a blob needs the bytes as they are.
  public static let originals: Self = {
    // One array for all rows, so that asking allocates nothing.
    let original = [Recipe.original]
    return Self(recipes: original) { row, _ in row.blobID == nil ? [] : original }
  }()

  /// Makes rules by which the kind of a row decides the recipes, on screen and ahead of it.
  ///
  /// - Parameters:
  ///   - processors: The processors for recipes that the source does not have, as for
  ///     ``init(processors:recipes:wanted:)``.
  ///   - recipesByKind: The recipes for each kind. Rows of other kinds need nothing else.
  public init(
    processors: [any BlobProcessor] = [],
    recipes recipesByKind: [SnippetKind: [Recipe]]
  ) {
    self.init(processors: processors, recipes: recipesByKind.values.flatMap(\.self)) { row, _ in
      recipesByKind[row.kind] ?? []
    }
  }

  /// Makes rules by which each row and its range decide the recipes.
  ///
  /// - Parameters:
  ///   - processors: The processors for recipes that the source does not have. Among those that may
  ///     stand in for the same recipe, the later ones come first. If two have the same recipe, the
  ///     later one is used, and a message goes to standard error. A recipe that would be computed
  ///     from itself, directly or through others, is left to the source.
  ///   - recipes: All recipes that `wanted` chooses among.
  ///   - wanted: Returns the recipes that a row needs. A load for a recipe that is not among
  ///     `recipes` fails.
  public init(
    processors: [any BlobProcessor] = [],
    recipes: [Recipe],
    wanted: @escaping @Sendable (SnippetRow, LoadRange) -> [Recipe]
  ) {
    self.processors = processors
    self.recipes = recipes
    self.wanted = wanted
  }
}

/// The nearness of a row to the screen, for choosing its recipes.
public enum LoadRange: Hashable, Sendable, CaseIterable {
  /// On screen, or bound to a cell.
  case visible
  /// About to be on screen.
  case imminent
  /// May come on screen if the movement goes on.
  case preload
}
