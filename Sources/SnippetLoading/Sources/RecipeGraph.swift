internal import SnippetStorage

/// The inputs and processors of all recipes: the processors of all lists that share their loads,
/// and the recipes that the sources offer.
///
/// It only grows. The input of a recipe is chosen once, so that a load under way and a later one
/// agree.
struct RecipeGraph: Sendable {
  private let sources: BlobSources
  private var processorByRecipe: [Recipe: any BlobProcessor] = [:]
  /// The input of each recipe; none for a recipe that comes from a source.
  private var inputByRecipe: [Recipe: Recipe] = [:]
  private var standInsByRecipe: [Recipe: [Recipe]] = [:]
  /// The recipes that are computed from a row, whatever else the snippet holds.
  private var recipesOfRows: Set<Recipe> = []

  /// Makes a graph without processors.
  init(_ sources: BlobSources) {
    self.sources = sources
  }

  /// Adds the processors of a list.
  ///
  /// Each new one gets the first of its inputs that is available. A processor whose recipe is
  /// already known is ignored: a recipe says how, so both compute the same. A recipe that would be
  /// computed from itself, directly or through others, is left to the source.
  mutating func add(_ processors: [any BlobProcessor]) {
    var added: [Recipe: any BlobProcessor] = [:]
    for processor in processors where processorByRecipe[processor.recipe] == nil {
      if added.updateValue(processor, forKey: processor.recipe) != nil {
        MisuseLog.note("two processors make the recipe \(processor.recipe); the later one is used")
      }
    }
    guard !added.isEmpty else { return }
    processorByRecipe.merge(added) { _, new in new }
    for processor in processors where added[processor.recipe] != nil {
      for larger in processor.standsInFor
      where standInsByRecipe[larger]?.contains(processor.recipe) != true {
        standInsByRecipe[larger, default: []].insert(processor.recipe, at: 0)
      }
    }
    let chosen = added.mapValues { processor in
      let inputs = processor.inputs
      return inputs.first { processorByRecipe[$0] != nil || sources.offers($0) } ?? inputs.first
        ?? .original
    }
    inputByRecipe.merge(chosen) { _, new in new }
    let circular = chosen.keys.filter(isCircular)
    for recipe in circular { inputByRecipe[recipe] = nil }
    for recipe in chosen.keys where root(of: recipe) == .row { recipesOfRows.insert(recipe) }
  }

  /// Makes sure that the sources and the processors make all of these recipes.
  ///
  /// - Throws: ``LoadError/Code/recipeUnavailable`` when one is missing.
  func check(_ recipes: [Recipe]) throws(LoadError) {
    for recipe in recipes {
      let root = root(of: recipe)
      guard sources.offers(root) else { throw LoadError(missing: recipe, madeFrom: root) }
    }
  }

  /// The key of a load for a row.
  func key(of row: SnippetRow, by recipe: Recipe) -> LoadKey {
    recipe == .row || !recipesOfRows.isEmpty && recipesOfRows.contains(recipe)
      ? LoadKey(.snippet(of: row), recipe: recipe) : LoadKey(of: row, recipe: recipe)
  }

  /// The processor of a recipe; `nil` if the recipe comes from a source.
  func processor(of recipe: Recipe) -> (any BlobProcessor)? {
    processorByRecipe[recipe]
  }

  /// The key of a load's input; `nil` if the load comes from a source.
  func input(of key: LoadKey) -> LoadKey? {
    inputByRecipe[key.recipe].map { key.by($0) }
  }

  /// Whether a load comes from the asynchronous source.
  func isAsynchronous(_ key: LoadKey) -> Bool {
    inputByRecipe[key.recipe] == nil && sources.isAsynchronous(key.recipe)
  }

  /// The recipes whose results may be shown while this one loads, the best first.
  func standIns(for recipe: Recipe) -> [Recipe] {
    standInsByRecipe[recipe] ?? []
  }

  /// The recipe at the end of the chain of inputs, which a source must have.
  private func root(of recipe: Recipe) -> Recipe {
    var root = recipe
    while let input = inputByRecipe[root] { root = input }
    return root
  }

  private func isCircular(_ recipe: Recipe) -> Bool {
    var recipe = recipe
    for _ in 0...inputByRecipe.count {
      guard let input = inputByRecipe[recipe] else { return false }
      recipe = input
    }
    return true
  }
}
