import SnippetBase
public import SnippetStorage

/// What the lists of an app share: the cache, the loads that are under way, and the workers.
///
/// An app makes one for each store and gives it to all its lists. What two lists need is then read
/// once and kept once, and what is on screen in any of them comes before what another may need soon.
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
/// It has no list of its own: a list that closes takes back what it asked for and leaves what has
/// been read, for itself when it comes back and for the others.
///
/// All calls may come from any thread. None waits for a read.
public final class LoadPipeline: Sendable {
  /// The limits, as given.
  public let configuration: Configuration

  let state: Lock<State>
  let sources: BlobSources
  let environment: LoaderEnvironment
  let trace: LoaderEventRecorder?
  /// Whether it belongs to one list, and so ends with it.
  let endsWithLastList: Bool

  /// Makes a pipeline without a list, for the lists of a store.
  ///
  /// - Parameters:
  ///   - store: Where the blobs are.
  ///   - asyncSource: Where is what the store does not have, and has to be waited for. The default is
  ///     nowhere.
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
  }

  /// Makes a pipeline without a list, for blobs that are elsewhere.
  ///
  /// - Parameters:
  ///   - source: Where the blobs are. The default is nowhere.
  ///   - asyncSource: Where is what the source does not offer, and has to be waited for, such as a
  ///     network. The default is nowhere.
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
  package convenience init(
    source: (any BlobSource)?,
    asyncSource: (any AsyncBlobSource)? = nil,
    configuration: Configuration = Configuration(),
    environment: LoaderEnvironment
  ) {
    self.init(
      BlobSources(blocking: source, asynchronous: asyncSource),
      configuration: configuration,
      environment: environment
    )
  }

  init(
    _ sources: BlobSources,
    configuration: Configuration,
    environment: LoaderEnvironment,
    endsWithLastList: Bool = false
  ) {
    self.configuration = configuration
    self.sources = sources
    self.environment = environment
    self.endsWithLastList = endsWithLastList
    trace = environment.recorder
    state = Lock(State(configuration, sources, randomSeed: environment.randomSeed))
    state.withLock { $0.table.withdrawals.keepsKeys = environment.trace != nil }
  }

  /// Evicts blobs until the cache holds no more than a number of bytes.
  ///
  /// What is on screen goes last. Cells keep what they show.
  ///
  /// - Parameter byteCount: The memory that the cache may keep; 0 empties it.
  public func trimCache(to byteCount: Int) {
    locked { $0.cache.trim(to: byteCount) }
  }

  /// Finds a blob in memory and marks it as just used.
  ///
  /// It finds an evicted blob that somebody still holds, too. It loads nothing.
  ///
  /// - Parameter key: What to find.
  /// - Returns: The blob, or `nil` when it is not in memory.
  /// - Complexity: O(1).
  public func blobInMemory(for key: LoadKey) -> LoadedBlob? {
    locked { $0.cache.blob(for: key) }
  }

  // MARK: - Lists

  /// Makes sure that all that the rows of a list may need can be had.
  ///
  /// - Throws: ``LoadError/Code/recipeUnavailable`` when it cannot.
  func check(_ rules: RecipeRules) throws(LoadError) {
    var graph = locked(\.graph)
    graph.add(rules.processors)
    try graph.check(rules.recipes)
  }

  /// Takes in a list.
  ///
  /// - Parameters:
  ///   - rules: What its rows need. The processors are the pipeline's from here on.
  ///   - mailbox: Where its deliveries go.
  /// - Returns: The list's number, and how recipes are computed.
  func join(_ rules: RecipeRules, _ mailbox: MainMailbox) -> (ListID, RecipeGraph) {
    locked { $0.join(rules, mailbox) }
  }

  /// Lets a list go that is over.
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
