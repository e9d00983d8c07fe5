internal import SnippetStore

/// Owns the table and the cache under one lock, and carries out what they decide outside of it.
///
/// All calls may come from any thread. None waits for a read: the lock is held for moves of
/// pointers only.
final class LoadCoordinator: Sendable {
  /// The answer to a binding that asks.
  enum Answer: Sendable {
    /// The blob was in memory.
    case hit(LoadedBlob)
    /// The binding's token will get mail.
    case pending
    /// It is known that the load cannot succeed.
    case failed(LoadError)
  }

  private struct State {
    var table: LoadTable
    var cache: BlobCache<RecencyOrder>
    var counters = LoaderCounters()
    var isClosed = false

    /// Keeps what was read if it is still wanted.
    mutating func keep(
      _ result: Result<LoadedBlob, LoadError>,
      of start: LoadStart
    ) -> LoadTable.Reading {
      switch result {
      case .failure(let error):
        return .failed(error)
      case .success(let blob):
        guard table.isWanted(start.id) else { return .notKept }
        return cache.insert(blob) ? .kept : .notKept
      }
    }

    mutating func count(_ result: Result<LoadedBlob, LoadError>, isWanted: Bool) {
      switch result {
      case _ where !isWanted:
        counters.loadsCancelled += 1
      case .failure:
        counters.loadsFailed += 1
      case .success(let blob):
        counters.loadsFinished += 1
        counters.bytesLoaded += blob.bytes.count
      }
    }
  }

  private let state: Lock<State>
  private let source: any BlobSource
  private let executor: any LoadExecutor
  private let mailbox: MainMailbox
  private let maximumBlobByteCount: Int

  init(
    source: any BlobSource,
    executor: any LoadExecutor,
    mailbox: MainMailbox,
    configuration: SnippetLoader.Configuration
  ) {
    let limits = LoadTable.Limits(
      workerCount: configuration.workerCount,
      reservedForVisible: configuration.reservedVisibleWorkers
    )
    self.state = Lock(
      State(table: LoadTable(limits: limits), cache: BlobCache(limit: configuration.cacheByteLimit))
    )
    self.source = source
    self.executor = executor
    self.mailbox = mailbox
    self.maximumBlobByteCount = configuration.maximumBlobByteCount
  }

  /// The counters of loads and cache; those of rows, cells and deliveries are 0.
  var counters: LoaderCounters {
    state.withLock { state in
      var counters = state.counters
      counters.loadsStarted = state.table.startedCount
      counters.loadsRunning = state.table.runningCount
      counters.loadsWithdrawn = state.table.withdrawnCount
      counters.cacheCost = state.cache.cost
      counters.cacheCount = state.cache.count
      counters.cacheEvictions = state.cache.evictionCount
      counters.cacheBypasses = state.cache.bypassCount
      counters.cacheWeakHits = state.cache.weakHitCount
      return counters
    }
  }

  // MARK: - Bindings

  /// Finds the bytes for a binding in memory, or sees to it that they are loaded.
  func ask(_ key: LoadKey, for token: BindingToken, priority: LoadPriority) -> Answer {
    var starts: [LoadStart] = []
    let answer = state.withLock { state -> Answer in
      if state.isClosed { return .failed(LoadError(.cancelled, reason: "the loader is closed")) }
      if let blob = state.cache.blob(for: key) {
        state.counters.hits += 1
        return .hit(blob)
      }
      if let failure = state.table.failure(for: key), !failure.isRetryable {
        return .failed(failure)
      }
      state.counters.misses += 1
      starts = state.table.ask(key, for: token, priority: priority)
      return .pending
    }
    perform(starts)
    return answer
  }

  /// Finds the blob for a binding that waits for it, without asking for anything.
  func arrivedBlob(for key: LoadKey) -> LoadedBlob? {
    state.withLock { state in
      guard let blob = state.cache.blob(for: key) else { return nil }
      state.counters.hits += 1
      return blob
    }
  }

  /// Finds a blob in memory and notes the use.
  func blobInMemory(for key: LoadKey) -> LoadedBlob? {
    state.withLock { $0.cache.blob(for: key) }
  }

  func setPriority(_ priority: LoadPriority, of key: LoadKey, for token: BindingToken) {
    perform(
      state.withLock { $0.table.setPriority(priority, of: key, for: token) }
    )
  }

  func leave(_ key: LoadKey, by token: BindingToken) {
    perform(state.withLock { $0.table.leave(key, by: token) })
  }

  // MARK: - Viewport

  /// Declares all that the viewport asks for, most urgent first, in place of what it asked for
  /// before.
  ///
  /// What is in memory of it stays there: it is pinned, so that what comes in later pushes out only
  /// what was left behind.
  func reconcile(_ desired: [DesiredLoad]) {
    let starts = state.withLock { state -> [LoadStart] in
      guard !state.isClosed else { return [] }
      state.cache.pin(desired.map(\.key))
      return state.table.reconcile(desired.filter { !state.cache.contains($0.key) })
    }
    perform(starts)
  }

  func trimCache(to byteCount: Int) {
    state.withLock { $0.cache.trim(to: byteCount) }
  }

  /// Gives up every load: those that wait never start, those that run stop at their next piece.
  func withdrawAll() {
    state.withLock { $0.table.withdrawAll() }
  }

  /// Gives up every load, forgets every blob, and starts nothing any more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.table.withdrawAll()
      state.cache.removeAll()
    }
  }

  // MARK: - Workers

  private func perform(_ starts: [LoadStart]) {
    for start in starts {
      executor.execute { [self] in run(start) }
    }
  }

  private func run(_ start: LoadStart) {
    guard !isStopped(start.id) else {
      conclude(start, with: .failure(LoadError(.cancelled)))
      return
    }
    var context = LoadContext(maximumByteCount: maximumBlobByteCount) { [self] in
      isStopped(start.id)
    }
    do {
      try source.read(start.key, into: &context)
      conclude(start, with: .success(LoadedBlob(key: start.key, bytes: context.take())))
    } catch {
      conclude(start, with: .failure(LoadError(readingBlob: error)))
    }
  }

  private func isStopped(_ id: LoadID) -> Bool {
    state.withLock { $0.table.observeCancellation(of: id) }
  }

  private func conclude(_ start: LoadStart, with result: Result<LoadedBlob, LoadError>) {
    let conclusion = state.withLock { state -> LoadTable.Conclusion in
      let conclusion = state.table.finish(start.id, state.keep(result, of: start))
      state.count(result, isWanted: conclusion.isWanted)
      return conclusion
    }
    if !conclusion.tokens.isEmpty {
      mailbox.post(LoadMail(key: start.key, tokens: conclusion.tokens, result: result))
    }
    perform(conclusion.starts)
  }
}
