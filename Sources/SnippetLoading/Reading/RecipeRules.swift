public import SnippetStorage

/// Which recipes a list needs for its rows, and what computes them.
///
/// ```swift
/// let rules = RecipeRules(processors: [Negative()]) { row, range in
///   row.kind == .image && range == .visible ? [.negative, .original] : [.original]
/// }
/// ```
public struct RecipeRules: Sendable {
  /// What computes the recipes that the source does not have.
  public let processors: [any BlobProcessor]

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

  /// Every row with a blob needs the bytes as they are.
  public static let originals = Self()

  /// Makes rules.
  ///
  /// - Parameters:
  ///   - processors: What computes the recipes that the source does not have. Among those that may
  ///     stand in for the same recipe, the later ones come first. Of two with the same recipe, the
  ///     later one is used. A recipe that would be computed from itself, directly or by way of
  ///     others, is left to the source, and fails unless the source has it. Standard error says so
  ///     in both cases.
  ///   - wanted: The recipes that a row needs. The default is the original of every row with a blob.
  public init(
    processors: [any BlobProcessor] = [],
    wanted: @escaping @Sendable (SnippetRow, LoadRange) -> [Recipe] = originalOfEveryBlob
  ) {
    self.processors = processors
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
        MisuseLog.note("the recipe \(recipe) would be computed from itself; no processor makes it")
        inputByRecipe[recipe] = nil
      }
    }
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
