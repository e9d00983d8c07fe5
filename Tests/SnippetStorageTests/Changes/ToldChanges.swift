import Dispatch
import GRDB
import SnippetBase
import SnippetTesting

@testable import SnippetStorage

/// What an observation of a store is told, in order.
typealias ToldChanges = Told<SeenChange>

/// What somebody is told, in order: a test waits for each in turn.
final class Told<Value: Sendable>: Sendable {
  private struct State {
    var told: [Value] = []
    var taken = 0
    var waiting: Gate?
  }

  private let state = Lock(State())

  /// Everything that was told so far.
  var all: [Value] { state.withLock(\.told) }

  /// What the feed calls.
  func take(_ value: Value) {
    let gate = state.withLock { state in
      state.told.append(value)
      defer { state.waiting = nil }
      return state.waiting
    }
    gate?.open()
  }

  /// The first that has not been taken yet; waits until there is one.
  func next() async -> Value {
    let gate = state.withLock { state -> Gate? in
      guard state.taken == state.told.count else { return nil }
      let gate = Gate()
      state.waiting = gate
      return gate
    }
    await gate?.untilOpen()
    return state.withLock { state in
      defer { state.taken += 1 }
      return state.told[state.taken]
    }
  }
}

extension SnippetStore.Configuration {
  /// With nobody looking for commits of others but the test.
  static var withoutLooks: Self {
    var configuration = Self()
    configuration.foreignChangeInterval = .seconds(86_400)
    return configuration
  }
}

extension SnippetStore {
  /// Looks for commits of others, which an observation at its next interval would do.
  func lookForForeignCommits() throws {
    let changes = changeFeed
    changes.queue.sync { _ = changes.watch?.look() }
    try flushChanges()
  }

  /// Returns once everything was told that is known.
  func flushChanges() throws {
    // Who asks the writer has done so by then.
    if !connections.isReadOnly { try connections.writer(for: "test").unsafeRead { _ in } }
    // The first round of calls may have to be followed by a second.
    for _ in 0..<2 { changeFeed.queue.sync {} }
  }
}
