import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Sources that have to be waited for.
@MainActor
struct AsyncSourceTests {
  private static let rules = RecipeRules(recipes: [.image: [.numbered(5)]])

  private let source = WaitingSource()
  private let local = ScriptedSource()
  private let executor = ManualExecutor()
  private let rowExecutor = ManualExecutor()
  private let scheduler = ManualScheduler()
  private let timer: ManualTimer
  private let environment: LoaderEnvironment

  init() {
    let clock = ManualClock()
    timer = ManualTimer(clock: clock)
    environment = .init(
      executor: executor,
      rowExecutor: rowExecutor,
      scheduler: scheduler,
      timer: timer,
      clock: clock
    )
  }

  private func loader(
    _ rules: RecipeRules = rules,
    _ configure: (inout LoadPipeline.Configuration) -> Void = { _ in }
  ) -> SnippetLoader {
    var limits = LoadPipeline.Configuration()
    limits.retries = .none
    configure(&limits)
    let pipeline = LoadPipeline(
      source: local,
      asyncSource: source,
      configuration: limits,
      environment: environment
    )
    var configuration = SnippetLoader.Configuration()
    // Only what a test binds is fetched.
    configuration.ranges = .none
    return SnippetLoader(ScriptedRows(count: 100), pipeline, rules, configuration, environment)
  }

  private func key(at position: Int) -> LoadKey {
    LoadKey(blob: Int64(position) + 1).by(.numbered(5))
  }

  private func bound(_ loader: SnippetLoader, to position: Int) -> RecordingCell {
    let cell = RecordingCell()
    loader.bind(cell, to: position)
    return cell
  }

  @Test func `what is fetched reaches its cell, and no worker waited for it`() async {
    let loader = loader { $0.workerCount = 1 }
    let cells = (0..<4).map { bound(loader, to: $0) }
    #expect(executor.pendingCount == 0)

    for position in 0..<4 { source.give(key(at: position)) }
    await scheduler.untilSettled(loader)

    #expect(cells.map(\.bytes) == (0..<4).map { source.bytes(of: key(at: $0)) })
    #expect(loader.counters.loadsFinished == 4)
  }

  @Test func `no more are fetched at a time than the limit, what is visible first`() async {
    let loader = loader { $0.asyncLoadCount = 2 }
    let cells = (0..<5).map { bound(loader, to: $0) }
    await source.untilFetching(2)
    #expect(Set(source.fetches) == [key(at: 0), key(at: 1)])

    loader.show(visible: 4..<5)
    rowExecutor.runAll()
    source.give(key(at: 0))
    await source.untilFetching(3)
    #expect(source.fetches.last == key(at: 4))
    for position in 1..<5 { source.give(key(at: position)) }
    await scheduler.untilSettled(loader)
    withExtendedLifetime(cells) {}
  }

  @Test func `a task is cancelled as soon as no cell needs it`() async {
    let loader = loader()
    let (cell, other) = (bound(loader, to: 0), bound(loader, to: 0))
    await source.untilFetching(1)

    loader.unbind(cell)
    #expect(!source.isCancelled(key(at: 0)))
    loader.unbind(other)
    await source.untilCancelled(key(at: 0))

    #expect(await loader.pipeline.becomes { $0.loadsRunning == 0 })
    #expect(loader.counters.loadsCancelled == 1)
  }

  @Test func `a cell that comes back after the cancellation gets a fetch of its own`() async {
    let loader = loader()
    let cell = bound(loader, to: 0)
    await source.untilFetching(1)
    loader.unbind(cell)
    await source.untilCancelled(key(at: 0))
    loader.bind(cell, to: 0)

    await source.untilFetching(2)
    source.give(key(at: 0))
    await scheduler.untilSettled(loader)

    #expect(cell.bytes == source.bytes(of: key(at: 0)))
  }

  @Test func `what is computed from what is fetched is computed on a worker`() async {
    let processor = FakeProcessor(3, from: .numbered(5))
    let loader = loader(RecipeRules(processors: [processor], recipes: [.image: [processor.recipe]]))
    let cell = bound(loader, to: 0)
    source.give(key(at: 0))
    #expect(await loader.pipeline.becomes { $0.loadsStarted == 2 })
    #expect(executor.pendingCount == 1)

    executor.runAll()
    await scheduler.untilSettled(loader)

    let fetched = source.bytes(of: key(at: 0))
    #expect(cell.bytes == processor.recipe.scripted(fetched, from: key(at: 0).recipe))
  }

  @Test func `what the source offers never goes to the one that has to be waited for`() {
    let source = WaitingSource(offering: [.original])
    let pipeline = LoadPipeline(source: local, asyncSource: source, environment: environment)
    let loader = SnippetLoader(
      ScriptedRows(count: 100),
      pipeline,
      .originals,
      .init(),
      environment
    )
    let cell = bound(loader, to: 0)
    executor.runAll()
    scheduler.runAll()
    #expect(cell.bytes != nil)
    #expect(source.fetches == [])
  }

  @Test func `a fetch that fails is told and retried as any other load`() async {
    let loader = loader { $0.retries = RetryPolicy() }
    let cell = bound(loader, to: 0)
    source.fail(key(at: 0))
    #expect(await loader.pipeline.becomes { $0.loadsFailed == 1 })
    scheduler.runAll()
    guard case .loading(let progress) = cell.state else {
      Issue.record("The cell shows \(String(describing: cell.state)).")
      return
    }
    #expect(progress.error?.code == .unreadable)

    source.give(key(at: 0))
    timer.runAll()
    await scheduler.untilSettled(loader)
    #expect(cell.bytes == source.bytes(of: key(at: 0)))
  }

  @Test func `a fetch that takes too long is cancelled, and its cell told`() async {
    let loader = loader { $0.loadTimeout = .seconds(1) }
    let cell = bound(loader, to: 0)
    await source.untilFetching(1)

    timer.runAll()
    scheduler.runAll()

    #expect(cell.error?.code == .timedOut)
    await source.untilCancelled(key(at: 0))
  }

  @Test func `closing the loader cancels what is fetched`() async {
    let loader = loader()
    let cell = bound(loader, to: 0)
    await source.untilFetching(1)
    loader.close()
    await source.untilCancelled(key(at: 0))
    #expect(cell.bytes == nil)
  }

  @Test func `a pipeline of what has to be waited for alone refuses what only a store has`() throws
  {
    let pipeline = LoadPipeline(asyncSource: source)
    let rows = ScriptedRows(count: 3)
    #expect(throws: Never.self) {
      try SnippetLoader(list: rows, pipeline: pipeline, rules: Self.rules)
    }
    let error = #expect(throws: LoadError.self) {
      try SnippetLoader(list: rows, pipeline: pipeline, rules: .originals)
    }
    #expect(error?.code == .recipeUnavailable)
  }
}

/// Offers one recipe, and gives a blob when it is told to.
private final class WaitingSource: AsyncBlobSource {
  private enum Answer {
    case bytes
    case failure
  }

  private struct State {
    var fetches: [LoadKey] = []
    var answers: [LoadKey: Answer] = [:]
    var waiting: [LoadKey: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<LoadKey> = []
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())
  private let offered: Set<Recipe>

  init(offering offered: Set<Recipe> = [.numbered(5)]) {
    self.offered = offered
  }

  var fetches: [LoadKey] { state.withLock(\.fetches) }

  func offers(_ recipe: Recipe) -> Bool { offered.contains(recipe) }

  func bytes(of key: LoadKey) -> Data { Data(String(describing: key).utf8) }

  func isCancelled(_ key: LoadKey) -> Bool { state.withLock { $0.cancelled.contains(key) } }

  func give(_ key: LoadKey) { answer(key, .bytes) }

  func fail(_ key: LoadKey) { answer(key, .failure) }

  private func answer(_ key: LoadKey, _ answer: Answer) {
    state.withLock { state in
      state.answers[key] = answer
      return state.waiting.removeValue(forKey: key)
    }?.resume()
  }

  func fetch(_ key: LoadKey, into context: inout LoadContext) async throws {
    tell { $0.fetches.append(key) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayGoOn = state.withLock { state in
          if state.answers[key] != nil || Task.isCancelled { return true }
          state.waiting[key] = continuation
          return false
        }
        if mayGoOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: key) }?.resume()
      tell { $0.cancelled.insert(key) }
    }
    try Task.checkCancellation()
    let answer = state.withLock { $0.answers.removeValue(forKey: key) }
    guard case .bytes = answer else { throw CocoaError(.fileReadUnknown) }
    try context.append(Data(String(describing: key).utf8))
  }

  func untilFetching(_ count: Int) async {
    await until { $0.fetches.count >= count }
  }

  func untilCancelled(_ key: LoadKey) async {
    await until { $0.cancelled.contains(key) }
  }

  private func tell<Value>(_ change: (inout State) -> Value) {
    let watchers = state.withLock { state in
      _ = change(&state)
      defer { state.watchers = [] }
      return state.watchers
    }
    for watcher in watchers { watcher.resume() }
  }

  private func until(_ condition: @Sendable (State) -> Bool) async {
    while !state.withLock({ condition($0) }) {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          if condition(state) { return false }
          state.watchers.append(continuation)
          return true
        }
        if !mustWait { continuation.resume() }
      }
    }
  }
}

extension ManualScheduler {
  /// Makes deliveries as they come from tasks, until every bound cell has what it waits for.
  @MainActor
  fileprivate func untilSettled(_ loader: SnippetLoader) async {
    while !loader.isSettled || pendingCount > 0 {
      await untilPending()
      runAll()
    }
  }
}

extension LoadPipeline {
  /// Lets tasks go on until the counters are such; they come to it or the test never ends.
  fileprivate func becomes(_ condition: (LoaderCounters) -> Bool) async -> Bool {
    while !condition(counters) { await Task.yield() }
    return true
  }
}
