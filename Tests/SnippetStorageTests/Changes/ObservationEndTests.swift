import Foundation
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// How observations begin and end, and what handlers may do.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ObservationEndTests {
  private let told = ToldChanges()
  private let others = ToldChanges()

  @Test func `a cancelled observation reports nothing more`() async throws {
    let store = try TemporaryStore.open()
    let observation = try store.observeEachChange(told.take)
    let other = try store.observeEachChange(others.take)
    let first = try await store.save(SnippetDraft(.text("first")))
    #expect(await told.next() == .inserted(first.id))
    #expect(await others.next() == .inserted(first.id))

    observation.cancel()
    observation.cancel()
    let second = try await store.save(SnippetDraft(.text("second")))

    #expect(await others.next() == .inserted(second.id))
    #expect(told.all == [.inserted(first.id)])
    other.cancel()
  }

  @Test func `an observation ends with its last reference`() async throws {
    let store = try TemporaryStore.open()
    var observation: ChangeObservation? = try store.observeEachChange(told.take)
    let other = try store.observeEachChange(others.take)
    weak let observed = observation

    observation = nil
    let row = try await store.save(SnippetDraft(.text("hello")))

    #expect(await others.next() == .inserted(row.id))
    #expect(observed == nil)
    #expect(told.all == [])
    other.cancel()
  }

  @Test(arguments: [false, true])
  func `the last observation leaves nothing behind`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    var token: ToldChanges? = ToldChanges()
    weak let observedToken = token
    let observation = try store.observeEachChange { [token] change in token?.take(change) }
    let row = try await store.save(SnippetDraft(.text("hello")))
    #expect(await token?.next() == .inserted(row.id))
    weak let watch = store.changeFeed.watch
    #expect((watch == nil) == isInMemory)
    // The call of the handler holds it until it has returned.
    try store.flushChanges()

    token = nil
    observation.cancel()

    #expect(observedToken == nil)
    #expect(watch == nil)
    #expect(store.changeFeed.watch == nil)
  }

  @Test func `observing again is told again`() async throws {
    let store = try TemporaryStore.open()
    for _ in 0..<3 {
      let observation = try store.observeEachChange(told.take)
      let row = try await store.save(SnippetDraft(.text("hello")))
      #expect(await told.next() == .inserted(row.id))
      observation.cancel()
      try await store.delete([row.id])
    }
    #expect(told.all.count == 3)
  }

  @Test(arguments: [false, true])
  func `closing the store ends its observations`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    var token: ToldChanges? = ToldChanges()
    weak let observedToken = token
    let observation = try store.observeEachChange { [token] change in token?.take(change) }
    token = nil
    #expect(observedToken != nil)

    try await store.close()

    #expect(observedToken == nil)
    observation.cancel()
    let late = try store.observeEachChange(since: .unknown, told.take)
    late.cancel()
    #expect(told.all == [])
  }

  @Test func `an observed store leaves its file alone when it is closed`() async throws {
    let store = try TemporaryStore.open()
    let observation = try store.observeEachChange(told.take)
    _ = try await store.save(SnippetDraft(.text("hello")))

    try await store.close()

    let names = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.current.url.path
    )
    #expect(names == ["store.sqlite"])
    observation.cancel()
  }

  @Test func `an observation does not keep its store`() async throws {
    var store: SnippetStore? = try SnippetStore(at: TemporaryDirectory.file("own.sqlite"))
    weak let feed = store?.changeFeed
    let observation = try #require(store).observeEachChange(told.take)
    #expect(feed != nil)

    store = nil

    #expect(feed == nil)
    observation.cancel()
  }

  @Test(arguments: [false, true])
  func `a handler may read, write, observe and cancel`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let observations = Lock<[ChangeObservation]>([])
    let isDone = Gate()
    let (told, others) = (told, others)
    let observation = try store.observeEachChange { change in
      told.take(change)
      do {
        guard case .snippets(let inserted, _, _) = change, let id = inserted.first else { return }
        let inner = try store.observeEachChange(others.take)
        observations.withLock { $0.append(inner) }
        #expect(try store.list().rows(in: 0..<9).map(\.id) == [id])
        try Threads.wait {
          try await store.apply(SnippetEdit(title: "by the handler"), to: id)
          try await store.save(SnippetDraft(.text("by the handler")))
        }
        let all = observations.withLock { $0 }
        all.first?.cancel()
        isDone.open()
      } catch {
        Issue.record(error)
      }
    }
    observations.withLock { $0.append(observation) }

    let row = try await store.save(SnippetDraft(.text("hello")))
    await isDone.untilOpen()

    // What the handler itself did was told to the one that it made, and no more to itself.
    let expected = SeenChange.snippets(
      inserted: [SnippetID(rawValue: row.id.rawValue + 1)],
      updated: [row.id],
      deleted: []
    )
    #expect(await others.next() == expected)
    #expect(told.all == [.inserted(row.id)])
    for observation in observations.withLock({ $0 }) { observation.cancel() }
  }

  @Test func `a handler may close the store`() async throws {
    let store = try TemporaryStore.open()
    let isClosed = Gate()
    let observation = store.observeChanges {
      do { try Threads.wait { try await store.close() } } catch { Issue.record(error) }
      isClosed.open()
    }

    _ = try await store.save(SnippetDraft(.text("hello")))
    await isClosed.untilOpen()

    #expect(throws: SnippetStoreError.self) { try store.list().count }
    observation.cancel()
  }

  // handler            test
  // is held
  //                    saves twice, cancels the other
  // goes on
  //                    the other heard of nothing
  @Test func `a call that has not begun is cancelled`() async throws {
    let store = try TemporaryStore.open()
    let (isHeld, mayGoOn) = (Gate(), Gate())
    let told = told
    let first = try store.observeEachChange { change in
      isHeld.open()
      mayGoOn.blockUntilOpen()
      told.take(change)
    }
    let second = try store.observeEachChange(others.take)
    defer { mayGoOn.open() }
    let row = try await store.save(SnippetDraft(.text("first")))
    await isHeld.untilOpen()

    let later = try await [
      store.save(SnippetDraft(.text("second"))), store.save(SnippetDraft(.text("third"))),
    ].map(\.id)
    second.cancel()
    mayGoOn.open()

    #expect(await told.next() == .inserted(row.id))
    // What came while the handler ran is told as one.
    #expect(await told.next() == .inserted(later[0], later[1]))
    #expect(others.all == [])
    first.cancel()
  }

  @Test func `threads that observe and cancel while others write disturb nobody`() async throws {
    let store = try TemporaryStore.open()
    let observation = try store.observeEachChange(told.take)

    _ = try await Threads.atOnce(4) { number in
      for index in 0..<40 {
        if number < 2 {
          try await store.save(SnippetDraft(.text("\(number) \(index)")))
        } else {
          store.observeChanges {}.cancel()
        }
      }
    }
    try store.flushChanges()

    let inserted = told.all.reduce(into: Set<SnippetID>()) { ids, change in
      if case .snippets(let inserted, _, _) = change { ids.formUnion(inserted) }
    }
    #expect(inserted.count == 80)
    #expect(!told.all.contains(.unknown))
    observation.cancel()
  }
}
