import CStoreFaults
import Foundation
import SnippetBase
import SnippetTestSupport
import SystemPackage

/// Stands between a process and its file system: counts the calls on the files of one folder,
/// records them, has them fail.
///
/// Of SQLite it sees the system calls, and of this package its own work with files. It is installed
/// once in a process of a test's own.
final class FaultInjector: Sendable {
  private struct State {
    /// Each begins to count once the one before has struck.
    var plans: ArraySlice<FaultPlan> = []
    var seen = 0
    var fired = 0
    var counts: [FaultPlan.Call: Int] = [:]
    var recording: DiskRecording?
    var pause: (@Sendable (FaultPlan.Call, String) -> Void)?
  }

  private static let installed = Lock<FaultInjector?>(nil)

  private let folder: String
  private let state = Lock(State())

  private init(watching folder: String) {
    self.folder = folder
  }

  /// Begins to stand between this process and its file system.
  ///
  /// - Parameter folder: The folder whose files are watched, without links.
  /// - Returns: What drives it.
  static func install(watching folder: URL) -> FaultInjector {
    let injector = FaultInjector(watching: folder.path)
    installed.withLock { $0 = injector }
    let result = snippet_store_faults_install(
      folder.path,
      { _, call in call.map { FaultInjector.verdict(on: $0.pointee) } ?? 0 },
      nil
    )
    precondition(result == 0, "SQLite takes no other file system: \(result)")
    FileCalls.observer = { call in FaultInjector.installed.withLock { $0 }?.failure(of: call) }
    return injector
  }

  // MARK: - Driving it

  /// Counts the calls of each kind that `body` makes.
  func count(_ body: () async throws -> Void) async rethrows -> [FaultPlan.Call: Int] {
    state.withLock { $0.counts = [:] }
    try await body()
    return state.withLock(\.counts)
  }

  /// Carries plans out while `body` runs: each begins to count once the one before has struck.
  ///
  /// - Returns: What `body` returns, and how many calls were struck.
  func inject<Result>(
    _ plans: FaultPlan...,
    into body: () async -> Result
  ) async -> (result: Result, strikes: Int) {
    await inject(plans, into: body)
  }

  /// Does the same with plans in an array.
  func inject<Result>(
    _ plans: [FaultPlan],
    into body: () async -> Result
  ) async -> (result: Result, strikes: Int) {
    state.withLock { state in
      (state.plans, state.seen, state.fired) = (plans[...], 0, 0)
    }
    let result = await body()
    return state.withLock { state in
      state.plans = []
      return (result, state.fired)
    }
  }

  /// Records what reaches the disk while `body` runs.
  func record(_ body: () async throws -> Void) async rethrows -> DiskRecording {
    state.withLock { $0.recording = DiskRecording(folder: folder) }
    defer { state.withLock { $0.recording = nil } }
    try await body()
    return state.withLock(\.recording) ?? DiskRecording(folder: folder)
  }

  /// Marks in the recording that something was acknowledged.
  func acknowledge(_ what: String) {
    state.withLock { $0.recording?.append(.acknowledgement(what)) }
  }

  /// Calls a closure before each call that is made, on the thread that makes it; it may wait.
  func pause(_ closure: (@Sendable (FaultPlan.Call, String) -> Void)?) {
    state.withLock { $0.pause = closure }
  }

  // MARK: - What it is told

  private static func verdict(on call: snippet_call) -> Int32 {
    guard let injector = installed.withLock({ $0 }), let path = call.path else { return 0 }
    return injector.verdict(on: call, of: String(cString: path))
  }

  private func verdict(on call: snippet_call, of path: String) -> Int32 {
    let kind = FaultPlan.Call(call.kind)
    let event: DiskRecording.Event? =
      switch kind {
      case .open where call.creates != 0: .creation(path)
      case .write:
        .write(path, Data(bytes: call.bytes, count: Int(call.count)), offset: Int(call.offset))
      case .truncate: .truncation(path, byteCount: Int(call.offset))
      case .sync: .sync(path)
      case .delete: .deletion(path)
      default: nil
      }
    return switch decide(kind, of: path, event) {
    case .fail(let error): error.code
    case .short: SNIPPET_CALL_IS_SHORT
    case .lie: SNIPPET_CALL_LIES
    case .kill, .killAfter, nil: 0
    }
  }

  private func failure(of call: FileCall) -> Errno? {
    let path = call.path
    guard path.hasPrefix(folder) else { return nil }
    let (kind, event): (FaultPlan.Call, DiskRecording.Event?) =
      switch call {
      case .open(_, let creates): (.open, creates ? .creation(path) : nil)
      case .read: (.read, nil)
      case .write(_, let bytes, let offset):
        (.write, .write(path, Data(bytes), offset: Int(offset)))
      case .sync: (.sync, .sync(path))
      case .close: (.close, nil)
      case .rename(_, let name), .renameToNew(_, let name):
        (.rename, .rename(path, to: name))
      case .exchange(_, let name): (.rename, .exchange(path, with: name))
      case .link(_, let name): (.link, .link(path, to: name))
      case .delete: (.delete, .deletion(path))
      case .makeFolder: (.open, nil)
      case .map: (.map, nil)
      }
    guard case .fail(let error) = decide(kind, of: path, event) else { return nil }
    return Errno(rawValue: error.code)
  }

  /// What becomes of a call; `nil` when it is simply made.
  private func decide(
    _ call: FaultPlan.Call,
    of path: String,
    _ event: DiskRecording.Event?
  ) -> FaultPlan.Action? {
    let (action, pause) = state.withLock { state in
      state.counts[call, default: 0] += 1
      // The index of the log is made anew by whoever comes first after a crash.
      if let event, !path.hasSuffix("-shm") { state.recording?.append(event) }
      var action: FaultPlan.Action?
      if let plan = state.plans.first, plan.isAbout(call, of: path) {
        state.seen += 1
        if state.seen == plan.number || (plan.isForGood && state.seen > plan.number) {
          state.fired += 1
          action = plan.action
          if state.plans.count > 1 {
            state.plans.removeFirst()
            state.seen = 0
          }
        }
      }
      return (action, state.pause)
    }
    pause?(call, path)
    return action
  }
}

extension FaultPlan.Call {
  fileprivate init(_ kind: snippet_call_kind) {
    self =
      switch kind {
      case SNIPPET_CALL_OPEN: .open
      case SNIPPET_CALL_LOOK: .look
      case SNIPPET_CALL_READ: .read
      case SNIPPET_CALL_WRITE: .write
      case SNIPPET_CALL_TRUNCATE: .truncate
      case SNIPPET_CALL_DELETE: .delete
      case SNIPPET_CALL_LOCK: .lock
      case SNIPPET_CALL_MAP: .map
      case SNIPPET_CALL_ALLOCATE: .allocate
      case SNIPPET_CALL_SYNC: .sync
      case SNIPPET_CALL_SHARE: .share
      default: .unfetch
      }
  }
}
