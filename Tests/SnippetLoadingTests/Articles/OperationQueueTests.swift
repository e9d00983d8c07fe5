import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What “Asynchronous Image Loading for UITableViewCells” promises, and what its code gets wrong.
@MainActor
struct OperationQueueTests {
  private let fixture = PresenterFixture()
  private var list: FakeListView { fixture.list }
  private var loading: ScriptedLoader { fixture.loading }

  // MARK: - Promises

  @Test func `two lists share the queue that they are given`() {
    let executor = ManualExecutor()
    let scheduler = ManualScheduler()
    let cells = [ScriptedSource(), ScriptedSource()].map { source in
      let loader = SnippetLoader(
        list: ScriptedRows(count: 10),
        source: source,
        environment: .init(executor: executor, scheduler: scheduler)
      )
      let cell = RecordingCell()
      loader.bind(cell, to: 0)
      return (loader, cell)
    }
    #expect(executor.pendingCount == 2)

    executor.runAll()
    scheduler.runAll()

    #expect(cells.allSatisfy { $0.1.bytes != nil })
  }

  @Test func `all loads of a cell are cancelled when it leaves the screen`() {
    let rules = RecipeRules(
      processors: [FakeProcessor(1), FakeProcessor(2)],
      recipes: [.original, .numbered(1), .numbered(2)]
    ) { _, _ in
      [.original, Recipe.numbered(1), Recipe.numbered(2)]
    }
    let fixture = ScriptedLoader(rules: rules)
    let cell = fixture.boundCell(to: 0)
    #expect(cell.states.count == 3)

    fixture.loader.unbind(cell)
    fixture.settle()

    #expect(fixture.source.reads == [])
    #expect(cell.states.count == 3)
  }

  @Test func `leaving one screen gives up its loads and no others of the same queue`() {
    let (executor, scheduler) = (ManualExecutor(), ManualScheduler())
    let source = ScriptedSource()
    let screens = (0..<2).map { _ in
      let loader = SnippetLoader(
        list: ScriptedRows(count: 10),
        source: source,
        environment: .init(
          executor: executor,
          rowExecutor: ManualExecutor(),
          scheduler: scheduler
        )
      )
      let dataSource = SnippetDataSource(loader: loader)
      dataSource.register(PhotoPresenter.init, for: .image)
      return dataSource
    }
    let (left, other) = (PhotoView(), PhotoView())
    screens[0].present(1, in: left)
    screens[1].present(2, in: other)
    #expect(executor.pendingCount == 2)

    screens[0].suspend()
    withExtendedLifetime(screens) {
      executor.runAll()
      scheduler.runAll()
    }

    #expect(source.reads == [loading.key(at: 2)])
    #expect(left.states == [.waiting])
    #expect(other.states == [.waiting, loading.bytes(at: 2)])
  }

  @Test func `a placeholder is on show from the moment the load begins`() throws {
    fixture.dataSource.show(visible: 0..<9)

    let view = try #require(list.prepare(1))

    #expect(view.state == .waiting)
  }

  @Test func `each type of cell exports an identifier without an instance`() {
    let identifier = NoteView.identifier

    #expect(identifier == fixture.dataSource.reuseIdentifier(at: 0))
    #expect(identifier.hasSuffix("NoteView"))
  }

  @Test func `loading does not need the cache`() {
    let fixture = PresenterFixture { $0.cacheByteLimit = 0 }
    fixture.list.scroll(to: 0..<9)
    fixture.settle()

    #expect(fixture.list[1]?.state == fixture.loading.bytes(at: 1))
    #expect(fixture.loader.counters.cacheCost == 0)
  }

  // MARK: - Flaws

  @Test func `a view that leaves late takes nothing from the one in its place`() throws {
    fixture.dataSource.show(visible: 0..<9)
    let former = try #require(list.prepare(1))
    // The position is back before the former view is told that it has left.
    fixture.dataSource.present(4, in: former)
    let current = try #require(list.prepare(1))

    fixture.dataSource.didEndDisplaying(former)
    fixture.settle()

    #expect(current !== former)
    #expect(current.state == loading.bytes(at: 1))
    #expect(former.states == [.waiting, .idle, .waiting])
  }

  @Test func `a view whose row is gone by now gives its load up all the same`() {
    let fixture = ScriptedLoader() { $0.ranges = .none }
    let cell = fixture.boundCell(to: 999)
    fixture.rows.rows.removeAll()
    fixture.rows.announce()

    fixture.loader.unbind(cell)
    fixture.settle()

    #expect(fixture.source.reads == [])
    #expect(cell.states == [.waiting])
  }

  @Test func `a load that takes no notice of its end delivers nothing`() {
    let source = StubbornSource()
    let executor = ManualExecutor()
    let scheduler = ManualScheduler()
    let loader = SnippetLoader(
      list: ScriptedRows(count: 10),
      source: source,
      environment: .init(executor: executor, scheduler: scheduler)
    )
    let cell = RecordingCell()
    source.meanwhile.withLock {
      $0 = { [weak loader] in
        MainActor.assumeIsolated { loader?.unbind(cell) }
      }
    }
    loader.bind(cell, to: 0)

    executor.runAll()
    scheduler.runAll()

    #expect(cell.states == [.waiting])
    #expect(loader.counters.loadsCancelled == 1)
    #expect(loader.counters.cacheCount == 0)
  }

  @Test func `a cell used again over and over has the load of its last row only`() {
    let fixture = ScriptedLoader { $0.ranges = .none }
    let cell = RecordingCell()
    for position in 0..<100 { fixture.loader.bind(cell, to: position) }
    #expect(fixture.executor.pendingCount <= 4)

    fixture.settle()

    #expect(fixture.source.reads == [fixture.key(at: 99)])
    #expect(cell.states.count { $0 == .waiting } == 100)
    #expect(cell.states.count { $0 == .idle } == 99)
    #expect(cell.state == fixture.bytes(at: 99))
  }

  @Test func `what is on screen loads again when the screen is back`() {
    list.scroll(to: 0..<9)
    fixture.dataSource.suspend()
    fixture.settle()

    fixture.dataSource.resume()
    fixture.settle()

    for position in 0..<9 where position % 3 != 0 {
      #expect(list[position]?.states == [.waiting, loading.bytes(at: position)])
    }
  }

  @Test func `a thousand cells have no more reads under way than there are workers`() {
    let cells = (0..<1_000).map { loading.boundCell(to: $0 % 900) }

    #expect(loading.executor.pendingCount == fixture.loader.pipeline.configuration.workerCount)
    fixture.settle()
    #expect(
      cells.enumerated().allSatisfy {
        $1.state == ($0 % 900 % 3 == 0 ? .idle : loading.bytes(at: $0 % 900))
      }
    )
  }

  @Test func `a cell used again for what is in memory shows no placeholder`() throws {
    list.scroll(to: 0..<9)
    fixture.settle()
    let view = try #require(list[1])
    view.forget()

    fixture.dataSource.present(4, in: view)

    #expect(view.states == [.idle, loading.bytes(at: 4)])
  }

  @Test func `no bytes are something else than no answer`() {
    let fixture = ScriptedLoader(source: ScriptedSource(byteCount: 0))
    fixture.source.fail(fixture.key(at: 1), with: LoadError(.unreadable))
    let (empty, failed) = (fixture.boundCell(to: 0), fixture.boundCell(to: 1))
    fixture.settle()

    #expect(empty.bytes == Data())
    #expect(failed.error == LoadError(.unreadable))
  }

  @Test func `what a load is made for is decided on main before it is sent away`() async {
    let turns = Lock<[Bool]>([])
    let rules = RecipeRules(recipes: [.original]) { _, _ in
      turns.withLock { $0.append(MainQueue.isCurrent) }
      return [.original]
    }
    let fixture = ScriptedLoader(rules: rules, isThreaded: true)
    fixture.loader.show(visible: 0..<5)
    _ = fixture.boundCell(to: 0)

    await fixture.deliverAll()

    #expect(turns.withLock { $0.count } > 0)
    #expect(turns.withLock { $0.allSatisfy { $0 } })
  }
}

/// A source that goes on although it was told to stop.
private final class StubbornSource: BlobSource {
  let meanwhile = Lock<(@Sendable () -> Void)?>(nil)

  func read(_ key: LoadKey, into context: inout LoadContext) throws {
    meanwhile.withLock(\.self)?()
    // The refusal is what this source takes no notice of.
    try? context.append(Data([1, 2, 3]))
  }
}
