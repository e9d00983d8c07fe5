import SnippetBase
public import SnippetStorage

/// Shares the cache, the running loads and the workers among the lists of an app.
///
/// An app makes one for each store and gives it to all its lists. A blob that two lists need is
/// then read and kept once, and blobs on screen in any list come before those that another may need
/// soon.
///
/// ```swift
/// let pipeline = LoadPipeline(store: store)
/// let all = try SnippetLoader(list: store.list(), pipeline: pipeline)
/// let pinned = try SnippetLoader(
///   list: store.list(SnippetFilter(isPinned: true)),
///   pipeline: pipeline
/// )
/// ```
///
/// It belongs to no list: a list that closes withdraws its requests and leaves the blobs it has
/// read, for the other lists and for itself when it comes back.
///
/// You may call it from any thread. No call waits for a read.
public final class LoadPipeline: Sendable {
  /// The limits that the pipeline was made with.
  public let configuration: Configuration

  let state: Lock<State>
  let sources: BlobSources
  let environment: LoaderEnvironment
  /// Whether it belongs to one list, and ends with it.
  let endsWithLastList: Bool

  /// Makes a pipeline without a list, for the lists of a store.
  ///
  /// - Parameters:
  ///   - store: Where the blobs are.
  ///   - asyncSource: A source for content that the store lacks and that must be waited for; `nil`
  ///     by default.
  ///   - configuration: The limits.
  public convenience init(
    store: SnippetStore,
    asyncSource: (any AsyncBlobSource)? = nil,
    configuration: Configuration = Configuration()
  ) {
    self.init(
      source: StoreBlobs(store),
      asyncSource: asyncSource,
      configuration: configuration
    )
    store.prepareForLoads()
  }

  /// Makes a pipeline without a list, for blobs that are elsewhere.
  ///
  /// - Parameters:
  ///   - source: A source for the blobs; `nil` by default.
  ///   - asyncSource: A source for content that must be waited for, such as a network; `nil` by
  ///     default.
  ///   - configuration: The limits.
  public convenience init(
    source: (any BlobSource)? = nil,
    asyncSource: (any AsyncBlobSource)? = nil,
    configuration: Configuration = Configuration()
  ) {
    self.init(
      source: source,
      asyncSource: asyncSource,
      configuration: configuration,
      environment: LoaderEnvironment()
    )
  }

  /// Makes a pipeline with other threads or another clock than the system's.
  package init(
    source: (any BlobSource)?,
    asyncSource: (any AsyncBlobSource)? = nil,
    configuration: Configuration = Configuration(),
    environment: LoaderEnvironment,
    endsWithLastList: Bool = false
  ) {
    let sources = BlobSources(blocking: source, asynchronous: asyncSource)
    self.configuration = configuration
    self.sources = sources
    self.environment = environment
    self.endsWithLastList = endsWithLastList
    state = Lock(State(configuration, sources, randomSeed: environment.randomSeed))
  }

  /// Evicts blobs until the cache holds at most a number of bytes.
  ///
  /// Blobs on screen go last. Cells keep their content.
  ///
  /// - Parameter byteCount: The memory that the cache may keep; 0 empties it.
  public func trimCache(to byteCount: Int) {
    locked { $0.table.cache.trim(to: byteCount) }
  }

  /// Finds a blob in memory and marks it as just used.
  ///
  /// An evicted blob is found too, as long as any code still holds it. This call loads nothing.
  ///
  /// - Parameter key: The key of the blob.
  /// - Returns: The blob, or `nil` when it is not in memory.
  /// - Complexity: O(1).
  public func blobInMemory(for key: LoadKey) -> LoadedBlob? {
    locked { $0.table.cache.blob(for: key) }
  }

  // MARK: - Lists

  /// Makes sure that every recipe that a list's rows may need can be made.
  ///
  /// - Throws: ``LoadError/Code/recipeUnavailable`` when one cannot.
  func check(_ rules: RecipeRules) throws(LoadError) {
    var graph = locked(\.table.graph)
    graph.add(rules.processors)
    try graph.check(rules.recipes)
  }

  /// Adds a list; the processors of its rules belong to the pipeline from now on.
  func join(_ rules: RecipeRules, _ mailbox: MainMailbox) -> (ListID, RecipeGraph) {
    locked { $0.join(rules, mailbox) }
  }

  /// Removes a list that has ended.
  func leave(_ list: ListID) {
    let starts = locked { state in
      state.mailboxes.remove(list)
      let starts = state.withdraw(list)
      if endsWithLastList, state.mailboxes.isEmpty { state.forgetEverything() }
      return starts
    }
    perform(starts)
  }
}
