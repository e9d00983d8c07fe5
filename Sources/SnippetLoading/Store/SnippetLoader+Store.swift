public import SnippetStorage

extension SnippetList: RowList {}

extension SnippetLoader {
  /// Makes a loader for a list of a store, which follows the store's changes by itself.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - store: The store that the list is of.
  ///   - rules: Which recipes the rows need. The default is the original of every row.
  ///   - configuration: The limits.
  public convenience init(
    list: SnippetList,
    store: SnippetStore,
    rules: RecipeRules = .originals,
    configuration: Configuration = Configuration()
  ) {
    self.init(
      rows: list,
      source: store,
      changes: store,
      rules: rules,
      configuration: configuration
    )
  }
}
