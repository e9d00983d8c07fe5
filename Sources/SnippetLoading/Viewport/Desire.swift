internal import SnippetStorage

/// The loads that the viewport asks for, made from the plan's positions.
struct Desire {
  /// The loads, most urgent first.
  private(set) var loads: [DesiredLoad] = []
  /// The priority of every key in the range.
  private(set) var priorities: [LoadKey: LoadPriority] = [:]

  init(
    plan: RangePlan,
    besides: [SnippetRow] = [],
    hints: [Int],
    window: RowWindow,
    rules: RecipeRules,
    graph: RecipeGraph
  ) {
    for row in besides { ask(for: row, .visible, .visible, rules, graph) }
    for segment in plan.segments {
      segment.forEachPosition { position in
        guard let row = window[position] else { return }
        ask(for: row, segment.range, segment.priority, rules, graph, isMet: segment.isMet)
      }
    }
    for position in hints {
      guard let row = window[position] else { continue }
      ask(for: row, .preload, .preload, rules, graph)
    }
  }

  private mutating func ask(
    for row: SnippetRow,
    _ range: LoadRange,
    _ priority: LoadPriority,
    _ rules: RecipeRules,
    _ graph: RecipeGraph,
    isMet: Bool = false
  ) {
    for recipe in rules.wanted(row, range) {
      let key = graph.key(of: row, by: recipe)
      guard priorities[key] == nil else { continue }
      priorities[key] = priority
      let byteCount = Self.expectedByteCount(of: recipe, row)
      let cost = BlobCache.cost(ofByteCount: byteCount)
      loads.append(DesiredLoad(key: key, priority: priority, cost: cost, isMet: isMet))
    }
  }

  /// The memory that a load will probably take.
  ///
  /// A derivative is usually much smaller than its input.
  private static func expectedByteCount(of recipe: Recipe, _ row: SnippetRow) -> Int {
    let byteCount = Int(clamping: max(0, row.byteCount))
    return recipe == .original ? byteCount : min(byteCount, 256 << 10)
  }
}
