import Foundation
import GRDB
import SnippetBase
import SnippetSync

/// The step of a synchronization at which its process ends.
///
/// A step is a call of the carrier or a commit of the store: whatever outlives the process happens
/// in one of them. From the end on all steps fail, until the process is started again.
final class CrashPoint: TransactionObserver, Sendable {
  /// Whether the step takes effect.
  enum Moment: CaseIterable {
    case before
    /// A call of the carrier has done its work, and no reply comes. The end after a commit is that
    /// before the next step.
    case after
  }

  private struct State {
    var isOn = false
    var target: (step: Int, moment: Moment)?
    var count = 0
    var isDead = false
  }

  private let state = Lock(State())

  /// The number of steps so far.
  var count: Int { state.withLock(\.count) }
  /// Whether the process has ended.
  var isDead: Bool { state.withLock(\.isDead) }

  /// Ends the process at a step, counted from 1.
  func arm(at step: Int, _ moment: Moment) {
    state.withLock { $0.target = (step, moment) }
  }

  /// Counts steps, or no longer does: an app that edits is not the synchronization.
  func count(_ isOn: Bool) {
    state.withLock { $0.isOn = isOn }
  }

  /// Has the process go on, or begin again; it ends no second time.
  func disarm() {
    state.withLock { state in
      (state.isDead, state.target) = (false, nil)
    }
  }

  /// Called before a step; throws if the process ends here.
  func begin() throws(SyncError) {
    try step { state in
      state.count += 1
      return state.target.map { $0 == (state.count, .before) } ?? false
    }
  }

  /// Called after a call that wrote.
  func end() throws(SyncError) {
    try step { state in state.target.map { $0 == (state.count, .after) } ?? false }
  }

  private func step(_ isTarget: (inout State) -> Bool) throws(SyncError) {
    let isDead = state.withLock { state in
      guard state.isOn else { return false }
      if state.isDead { return true }
      state.isDead = isTarget(&state)
      return state.isDead
    }
    if isDead { throw SyncError(.unreachable, "go on", because: "the process has ended") }
  }

  // MARK: - TransactionObserver

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseWillCommit() throws { try begin() }

  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}

/// The way of a device whose process can end.
struct CrashingCarrier: SyncCarrier {
  let carrier: MemoryCarrier
  let crash: CrashPoint

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    try crash.begin()
    return try await carrier.list(prefix)
  }

  func read(_ name: String) async throws(SyncError) -> Data? {
    try crash.begin()
    return try await carrier.read(name)
  }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    try crash.begin()
    try await carrier.write(data, as: name, isNew: isNew)
    try crash.end()
  }

  func remove(_ name: String) async throws(SyncError) {
    try crash.begin()
    try await carrier.remove(name)
    try crash.end()
  }
}
