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

  private let processorByRecipe: [Recipe: any BlobProcessor]
  /// What each recipe can be computed from, asked once: the loader looks it up under its lock.
  private let inputsByRecipe: [Recipe: [Recipe]]
  /// What each recipe is computed from.
  private var inputByRecipe: [Recipe: Recipe]
  private let standInsByRecipe: [Recipe: [Recipe]]
  /// The recipes that are computed from a row, whatever else the snippet holds.
  private var recipesOfRows: Set<Recipe> = []

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
    var byRecipe: [Recipe: any BlobProcessor] = [:]
    var standIns: [Recipe: [Recipe]] = [:]
    for processor in processors {
      if byRecipe.updateValue(processor, forKey: processor.recipe) != nil {
        MisuseLog.note("two processors make the recipe \(processor.recipe); the later one is used")
      }
      for larger in processor.standsInFor {
        standIns[larger, default: []].insert(processor.recipe, at: 0)
      }
    }
    processorByRecipe = byRecipe
    inputsByRecipe = byRecipe.mapValues(\.inputs)
    inputByRecipe = [:]
    standInsByRecipe = standIns
    chooseInputs { _ in true }
  }

  /// The rules for a source: every processor takes the first of its inputs that can be had.
  func resolved(for source: any BlobSource) -> RecipeRules {
    var rules = self
    rules.chooseInputs(source.offers)
    return rules
  }

  /// Makes sure that a source and the processors make all that rows may need.
  ///
  /// - Parameter source: The source.
  /// - Throws: ``LoadError/Code/recipeUnavailable`` when they do not.
  package func check(with source: any BlobSource) throws(LoadError) {
    let rules = resolved(for: source)
    for recipe in recipes {
      let root = rules.root(of: recipe)
      guard source.offers(root) else { throw LoadError(missing: recipe, madeFrom: root) }
    }
  }

  /// What a recipe is computed from in the end, which the source must have.
  private func root(of recipe: Recipe) -> Recipe {
    var root = recipe
    while let input = inputByRecipe[root] { root = input }
    return root
  }

  private mutating func chooseInputs(_ isOffered: (Recipe) -> Bool) {
    let inputs = inputsByRecipe.mapValues { inputs in
      inputs.first { processorByRecipe[$0] != nil || isOffered($0) } ?? inputs.first ?? .original
    }
    inputByRecipe = inputs
    for recipe in inputs.keys {
      var source = recipe
      for _ in inputs {
        guard let input = inputs[source] else { break }
        source = input
      }
      if inputs[source] != nil {
        inputByRecipe[recipe] = nil
      }
    }
    recipesOfRows = Set(inputByRecipe.keys.filter { root(of: $0) == .row })
  }

  /// The key of a load for a row.
  func key(of row: SnippetRow, by recipe: Recipe) -> LoadKey {
    recipe == .row || !recipesOfRows.isEmpty && recipesOfRows.contains(recipe)
      ? LoadKey(.snippet(of: row), recipe: recipe) : LoadKey(of: row, recipe: recipe)
  }

  /// What computes a recipe; `nil` for one that comes from the source.
  func processor(of recipe: Recipe) -> (any BlobProcessor)? {
    processorByRecipe[recipe]
  }

  /// What a load is computed from; `nil` for one that comes from the source.
  func input(of key: LoadKey) -> LoadKey? {
    inputByRecipe[key.recipe].map { key.by($0) }
  }

  /// The recipes whose results may be shown while this one loads, the best first.
  func standIns(for recipe: Recipe) -> [Recipe] {
    standInsByRecipe[recipe] ?? []
  }

  /// A row needs the original of its blob, whatever the range, and nothing without one.
  public static let originalOfEveryBlob: @Sendable (SnippetRow, LoadRange) -> [Recipe] = {
    row,
    _ in row.blobID == nil ? [] : original
  }

  // One array for all rows, so that asking allocates nothing.
  private static let original: [Recipe] = [.original]
}
