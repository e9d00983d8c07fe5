@testable import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

struct LoadTableTests {
  private let first = BindingToken(slot: 0, generation: 1)
  private let second = BindingToken(slot: 1, generation: 1)
  private let key = LoadKey(blob: 1)

  private func table(workers: Int = 1, reserved: Int = 0) -> LoadTable {
    var configuration = LoadPipeline.Configuration()
    configuration.workerCount = workers
    configuration.reservedVisibleWorkers = reserved
    configuration.retries = .none
    return LoadTable(configuration, RecipeGraph(BlobSources(blocking: nil, asynchronous: nil)))
  }

  private func token(_ slot: UInt32) -> BindingToken { BindingToken(slot: slot, generation: 1) }

  // MARK: - Sharing

  @Test func `a second asker joins the running load`() throws {
    var table = table(workers: 4)
    let start = try #require(table.ask(key, for: first, priority: .visible).first)

    #expect(table.ask(key, for: second, priority: .visible).isEmpty)

    let conclusion = table.finish(start.id, .kept)
    #expect(conclusion == .init(isWanted: true, tokens: [first, second]))
    #expect(table.entries.isEmpty)
  }

  @Test func `one of two askers leaves and the other is told`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)
    _ = table.ask(key, for: second, priority: .visible)

    _ = table.leave(key, by: first)

    #expect(table.observeCancellation(of: start.id) == false)
    #expect(table.finish(start.id, .kept).tokens == [second])
  }

  @Test func `a load left by the last asker never starts`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)
    _ = table.ask(LoadKey(blob: 2), for: second, priority: .visible)

    _ = table.leave(LoadKey(blob: 2), by: second)

    #expect(table.finish(start.id, .kept).starts.isEmpty)
    #expect(table.withdrawnCount == 1)
  }

  @Test func `a running load left by the last asker has no result`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)

    _ = table.leave(key, by: first)

    #expect(!table.isWanted(start.id))
    #expect(table.observeCancellation(of: start.id) == true)
    #expect(table.finish(start.id, .failed(LoadError(.cancelled))) == .init(isWanted: false))
    #expect(table.entries.isEmpty)
  }

  @Test func `who asks again before the worker looks gets the running load`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)
    _ = table.leave(key, by: first)

    #expect(table.ask(key, for: second, priority: .visible).isEmpty)

    #expect(table.observeCancellation(of: start.id) == false)
    #expect(table.finish(start.id, .kept) == .init(isWanted: true, tokens: [second]))
  }

  @Test func `who asks again after the worker looked gets a new load`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)
    _ = table.leave(key, by: first)
    #expect(table.observeCancellation(of: start.id) == true)

    #expect(table.ask(key, for: second, priority: .visible).isEmpty)

    // The worker was told once, and may have stopped in the middle.
    #expect(table.observeCancellation(of: start.id) == true)
    #expect(!table.isWanted(start.id))
    let conclusion = table.finish(start.id, .kept)
    #expect(!conclusion.isWanted)
    let restart = try #require(conclusion.starts.first)
    #expect(restart.key == key)
    #expect(table.finish(restart.id, .kept).tokens == [second])
  }

  @Test func `giving up everything leaves only what a worker still has`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)
    _ = table.ask(LoadKey(blob: 2), for: second, priority: .visible)
    _ = table.reconcile([DesiredLoad(key: LoadKey(blob: 3), priority: .preload)])

    _ = table.withdraw(first.list, keeping: [])

    #expect(table.entries.keys.map(\.self) == [key])
    #expect(table.observeCancellation(of: start.id) == true)
    #expect(table.finish(start.id, .kept) == .init(isWanted: false))
  }

  // MARK: - Order

  @Test func `the most urgent load starts first and equal ones in the order they came`() throws {
    var table = table()
    var start = try #require(table.ask(key, for: token(0), priority: .visible).first)
    _ = table.ask(LoadKey(blob: 2), for: token(2), priority: .preload)
    _ = table.ask(LoadKey(blob: 3), for: token(3), priority: .imminent)
    _ = table.ask(LoadKey(blob: 4), for: token(4), priority: .visible)
    _ = table.ask(LoadKey(blob: 5), for: token(5), priority: .visible)

    var order: [Int64] = []
    while let next = table.finish(start.id, .kept).starts.first {
      order.append(next.key.blobID?.rawValue ?? 0)
      start = next
    }

    #expect(order == [4, 5, 3, 2])
  }

  @Test func `the highest of the askers decides and a load falls back when it leaves`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: token(0), priority: .visible).first)
    _ = table.ask(LoadKey(blob: 2), for: token(2), priority: .imminent)
    _ = table.ask(LoadKey(blob: 3), for: token(3), priority: .preload)
    _ = table.ask(LoadKey(blob: 3), for: token(4), priority: .visible)
    #expect(table.priority(of: LoadKey(blob: 3)) == .visible)

    _ = table.leave(LoadKey(blob: 3), by: token(4))

    #expect(table.priority(of: LoadKey(blob: 3)) == .preload)
    #expect(table.finish(start.id, .kept).starts.map(\.key) == [LoadKey(blob: 2)])
  }

  @Test func `a waiting load can be raised and lowered`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: token(0), priority: .visible).first)
    _ = table.ask(LoadKey(blob: 2), for: token(2), priority: .preload)
    _ = table.ask(LoadKey(blob: 3), for: token(3), priority: .imminent)

    _ = table.setPriority(.visible, of: LoadKey(blob: 2), for: token(2))
    let raised = try #require(table.finish(start.id, .kept).starts.first)
    #expect(raised.key == LoadKey(blob: 2))

    _ = table.ask(LoadKey(blob: 4), for: token(4), priority: .imminent)
    _ = table.setPriority(.preload, of: LoadKey(blob: 3), for: token(3))
    #expect(table.finish(raised.id, .kept).starts.map(\.key) == [LoadKey(blob: 4)])
  }

  @Test func `a preload leaves the reserved worker alone and a visible load takes it`() {
    var table = table(workers: 3, reserved: 1)
    let preloads = (1...4).map { DesiredLoad(key: LoadKey(blob: $0), priority: .preload) }

    #expect(table.reconcile(preloads).map(\.key) == [LoadKey(blob: 1), LoadKey(blob: 2)])
    #expect(table.ask(LoadKey(blob: 9), for: first, priority: .visible).count == 1)
    #expect(table.ask(LoadKey(blob: 10), for: second, priority: .visible).isEmpty)
    #expect(table.runningCount == 3)
  }

  @Test func `a running preload that becomes visible makes room for another preload`() {
    var table = table(workers: 3, reserved: 1)
    let preloads = (1...4).map { DesiredLoad(key: LoadKey(blob: $0), priority: .preload) }
    _ = table.reconcile(preloads)

    let starts = table.ask(LoadKey(blob: 1), for: first, priority: .visible)

    #expect(starts.map(\.key) == [LoadKey(blob: 3)])
  }

  // MARK: - Viewport

  @Test func `the viewport takes back what is not in its new range`() throws {
    var table = table()
    let start = try #require(
      table.reconcile([
        DesiredLoad(key: key, priority: .visible),
        DesiredLoad(key: LoadKey(blob: 2), priority: .preload),
        DesiredLoad(key: LoadKey(blob: 3), priority: .preload),
      ]).first
    )

    _ = table.reconcile([
      DesiredLoad(key: LoadKey(blob: 3), priority: .visible),
      DesiredLoad(key: LoadKey(blob: 4), priority: .preload),
    ])

    #expect(table.observeCancellation(of: start.id) == true)
    #expect(
      table.finish(start.id, .failed(LoadError(.cancelled))).starts.map(\.key) == [
        LoadKey(blob: 3)
      ]
    )
    #expect(table.withdrawnCount == 1)
    #expect(Set(table.entries.keys) == [LoadKey(blob: 3), LoadKey(blob: 4)])
  }

  @Test func `the viewport never takes a load from a binding`() throws {
    var table = table()
    let start = try #require(
      table.reconcile([DesiredLoad(key: key, priority: .visible)]).first
    )
    _ = table.ask(key, for: first, priority: .visible)

    _ = table.reconcile([])

    #expect(table.observeCancellation(of: start.id) == false)
    #expect(table.finish(start.id, .kept).tokens == [first])
  }

  @Test func `the order declared last is the order of the loads`() throws {
    var table = table()
    var start = try #require(table.ask(key, for: first, priority: .visible).first)
    let desired = [2, 3, 4].map { DesiredLoad(key: LoadKey(blob: $0), priority: .preload) }
    _ = table.reconcile(desired)
    _ = table.reconcile(desired.reversed())

    var order: [Int64] = []
    while let next = table.finish(start.id, .kept).starts.first {
      order.append(next.key.blobID?.rawValue ?? 0)
      start = next
    }

    #expect(order == [4, 3, 2])
  }

  @Test func `a blob that is in the range twice has its higher priority`() {
    var table = table(workers: 1)
    _ = table.reconcile([
      DesiredLoad(key: key, priority: .visible), DesiredLoad(key: key, priority: .preload),
    ])

    #expect(table.priority(of: key) == .visible)
  }

  // MARK: - Failures

  @Test func `a failure is on record until the last asker leaves`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)
    let error = LoadError(.unreadable)

    #expect(table.finish(start.id, .failed(error)).tokens == [first])
    #expect(table.entries[key]?.phase == .ended(error))

    _ = table.leave(key, by: first)
    #expect(table.entries.isEmpty)
  }

  @Test func `the viewport does not try a failed load again and a binding does`() throws {
    var table = table()
    let desired = [DesiredLoad(key: key, priority: .visible)]
    let start = try #require(table.reconcile(desired).first)
    _ = table.finish(start.id, .failed(LoadError(.unreadable)))

    #expect(table.reconcile(desired).isEmpty)
    #expect(table.ask(key, for: first, priority: .visible).count == 1)
  }

  @Test func `those who saw the failure are told when a later try succeeds`() throws {
    var table = table()
    let start = try #require(table.ask(key, for: first, priority: .visible).first)
    _ = table.finish(start.id, .failed(LoadError(.unreadable)))

    let retry = try #require(table.ask(key, for: second, priority: .visible).first)

    #expect(table.finish(retry.id, .kept).tokens == [first, second])
  }

  @Test func `the viewport does not load again what the cache had no room for`() throws {
    var table = table()
    let desired = [DesiredLoad(key: key, priority: .preload)]
    let start = try #require(table.reconcile(desired).first)
    _ = table.finish(start.id, .notKept)

    #expect(table.reconcile(desired).isEmpty)
    #expect(table.ask(key, for: first, priority: .visible).count == 1)
  }

  @Test func `a load cannot end twice`() async {
    await #expect(processExitsWith: .failure) {
      let sources = BlobSources(blocking: nil, asynchronous: nil)
      var table = LoadTable(LoadPipeline.Configuration(), RecipeGraph(sources))
      _ = table.finish(LoadID(rawValue: 1), .kept)
    }
  }
}
