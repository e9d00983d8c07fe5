public import SnippetStorage

/// Which recipes a list needs for its rows, and what computes them.
///
/// ```swift
/// let texts = RecipeRules(processors: [TextExcerpt()], recipes: [.text: [.excerpt]])
/// let images = RecipeRules(
///   processors: [Negative()],
///   recipes: [.negative, .original]
/// ) { row, range in
///   row.kind == .image && range == .visible ? [.negative, .original] : [.original]
/// }
/// ```
public struct RecipeRules: Sendable {
  /// What computes the recipes that the source does not have.
  public let processors: [any BlobProcessor]

  /// All recipes that rows may need.
  ///
  /// A loader is not made where one of them cannot be had.
  public let recipes: [Recipe]

  /// The recipes that a row needs, each one a load of its own with a state of its own.
  ///
  /// Asked on the main actor for every row around the viewport, so the answer must be quick and
  /// depend on nothing but what it is given: make the arrays beforehand. A short text has no blob,
  /// and what is made of it is made of its snippet.
  public let wanted: @Sendable (SnippetRow, LoadRange) -> [Recipe]

  /// Every row with a blob needs the bytes as they are.
  public static let originals = Self(recipes: [.original], wanted: originalOfEveryBlob)

  /// Makes rules by which the kind of a row says what it needs, on screen and ahead of it.
  ///
  /// - Parameters:
  ///   - processors: What computes the recipes that the source does not have, as for
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

  /// Makes rules by which each row and the range that it is in say what it needs.
  ///
  /// - Parameters:
  ///   - processors: What computes the recipes that the source does not have. Among those that may
  ///     stand in for the same recipe, the later ones come first. Of two with the same recipe, the
  ///     later one is used, and standard error says so. A recipe that would be computed from itself,
  ///     directly or by way of others, is left to the source.
  ///   - recipes: All recipes that `wanted` chooses among.
  ///   - wanted: The recipes that a row needs. The load of one that cannot be had, because it is
  ///     not among `recipes`, fails.
  public init(
    processors: [any BlobProcessor] = [],
    recipes: [Recipe],
    wanted: @escaping @Sendable (SnippetRow, LoadRange) -> [Recipe]
  ) {
    self.processors = processors
    self.recipes = recipes
    self.wanted = wanted
  }

  /// A row needs the original of its blob, whatever the range, and nothing without one.
  public static let originalOfEveryBlob: @Sendable (SnippetRow, LoadRange) -> [Recipe] = {
    row,
    _ in row.blobID == nil ? [] : original
  }

  // One array for all rows, so that asking allocates nothing.
  private static let original: [Recipe] = [.original]
}

/// How near to the screen a row is, when the loader asks what to load for it.
public enum LoadRange: Hashable, Sendable, CaseIterable {
  /// On screen, or bound to a cell.
  case visible
  /// About to be on screen.
  case imminent
  /// May come on screen if the movement goes on.
  case preload
}
