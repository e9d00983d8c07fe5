public import SnippetStorage

extension SearchResults: RowList {}

extension SearchResults: RowChangeFeed {
  /// Calls a closure when the positions of the results hold other snippets.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read.
  /// - Returns: The observation, which ends with its last reference.
  public func observeRows(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    observeChanges(handler)
  }
}

extension SnippetLoader {
  /// Makes a loader for search results, which follows them as they grow and change.
  ///
  /// - Parameters:
  ///   - results: What was found.
  ///   - store: The store that was searched.
  ///   - rules: Which recipes the rows need. The default is the original of every row.
  ///   - configuration: The limits.
  public convenience init(
    results: SearchResults,
    store: SnippetStore,
    rules: RecipeRules = .originals,
    configuration: Configuration = Configuration()
  ) {
    self.init(
      rows: results,
      source: store,
      changes: results,
      rules: rules,
      configuration: configuration
    )
  }
}
