import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Followers of changes that another program makes, with a fault at each call of a look.
///
/// The test decides when the next look comes: on its own, the store would look once a day.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FollowingFaultTests {
  @Test(arguments: ["an observer", "a list"])
  func `a change that a look cannot read is told by the next one`(name: String) async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, name = name as String] in
      let injector = FaultInjector.install(watching: folder)
      let file = folder.appendingPathComponent("store.sqlite")
      let other = try SnippetStore(at: file)
      try await other.save(SnippetDraft(.text("first")))
      var configuration = SnippetStore.Configuration()
      configuration.foreignChangeInterval = .seconds(86_400)
      let store = try SnippetStore(at: file, configuration: configuration)
      let follower: any Follower =
        name == "a list" ? try await FollowedList(store) : try ObservedStore(store)

      try await other.save(SnippetDraft(.text("counted")))
      let calls = await injector.count { await follower.look() }
      var strikeCount = 0
      for plan in Self.plans(calls) {
        try await other.save(SnippetDraft(.text("\(plan)")))
        let former = follower.toldCount
        strikeCount += await injector.inject(plan) {
          await follower.look()
          await follower.look()
        }.strikes
        await follower.look()
        #expect(follower.toldCount > former, "\(plan)")
      }
      #expect(strikeCount > 0)
      #expect(follower.flaws == [])
      for store in [store, other] { try await store.close() }
    }
  }

  private static func plans(_ calls: [FaultPlan.Call: Int]) -> [FaultPlan] {
    calls.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { call, count in
      let actions: [FaultPlan.Action] =
        switch call {
        case .read: [.fail(.inputOutput), .short]
        case .unfetch: []
        default: [.fail(.inputOutput)]
        }
      // To SQLite, a lock that always fails is one that another program holds, for which it waits.
      let lasts = call == .lock ? [false] : [false, true]
      return actions.flatMap { action in
        (1...count).flatMap { number in
          lasts.map { FaultPlan(call, number: number, isForGood: $0, action) }
        }
      }
    }
  }
}

/// What follows a store, and looks when it is told to.
private protocol Follower: Sendable {
  /// How many changes it was told of.
  var toldCount: Int { get }
  /// What it was told wrongly, in words.
  var flaws: [String] { get }

  /// Looks once, and takes what it is told.
  func look() async
}

/// An observation of the whole store.
private struct ObservedStore: Follower {
  private let told = Lock(0)
  private let feed: ChangeFeed
  private let watch: RecordWatch
  private let observation: ChangeObservation

  init(_ store: SnippetStore) throws {
    feed = store.changeFeed
    observation = store.observeChanges { [told] in told.withLock { $0 += 1 } }
    watch = try #require(feed.watch)
  }

  var toldCount: Int { told.withLock { $0 } }
  var flaws: [String] { [] }

  func look() async {
    feed.queue.sync {
      watch.lookForFile()
      watch.look()
    }
    // What is found is told by the queue, after the look.
    feed.queue.sync {}
  }
}

/// A follower of a list, each of whose batches must begin where the one before ended.
private final class FollowedList: Follower {
  private let follower: ListFollower
  private let batches = Lock<[ListBatch]>([])

  init(_ store: SnippetStore) async throws {
    let list = store.list()
    _ = try list.count
    follower = ListFollower(list)
  }

  var toldCount: Int { batches.withLock(\.count) }

  var flaws: [String] {
    let batches = batches.withLock { $0 }
    return zip(batches, batches.dropFirst()).compactMap { former, batch in
      let isNext = batch.formerVersion == former.version && batch.formerCount == former.count
      let isWhole = batch.count == batch.formerCount + 1 && batch.inserted.count == 1
      return isNext && isWhole && !batch.isReset ? nil : "\(batch) after \(former)"
    }
  }

  func look() async {
    // The error is for the iteration that it ends; the next one goes on.
    if let batch = try? await follower.next() { batches.withLock { $0.append(batch) } }
  }
}
