import Foundation
import SnippetBase
import SnippetTestSupport

/// One run of an operation with a fault, or with some that follow on one another.
struct FaultRun: CustomStringConvertible {
  var operation: String
  var log: FaultFixture.Log
  var plans: [FaultPlan]

  var description: String {
    "\(operation)|\(log)|\(plans.map(\.description).joined(separator: ";"))"
  }
}

/// What of a sweep somebody wants to see again: `SNIP_FAULT='add|left|read:*:3:EIO'`, as a failure
/// prints it, or with fewer parts all runs that begin so.
enum FaultReplay {
  private static let parts =
    ProcessInfo.processInfo.environment["SNIP_FAULT"]?.split(separator: "|").map(String.init) ?? []

  /// Whether only a part is run.
  static var isOn: Bool { !parts.isEmpty }

  /// Whether an operation is run.
  static func includes(_ operation: String, _ log: FaultFixture.Log? = nil) -> Bool {
    (parts.isEmpty || parts[0] == operation)
      && (parts.count < 2 || log == nil || parts[1] == log?.rawValue)
  }

  /// The plans of the one run.
  static var plans: [FaultPlan]? {
    parts.count > 2 ? parts[2].split(separator: ";").compactMap { FaultPlan(String($0)) } : nil
  }
}

/// Runs one operation again and again, each time with one fault at another call, and holds what is
/// found afterwards to the oracle.
struct FaultSweep {
  /// What went wrong in the same way in some runs.
  struct Violation: CustomStringConvertible {
    var wrong: String
    var runs: [FaultRun]

    var description: String {
      "\(runs.count) × \(wrong)\nFirst: SNIP_FAULT='\(runs[0])'"
    }
  }

  /// What a sweep came to.
  struct Report {
    var runCount = 0
    /// How many runs were struck by their fault.
    var struckCount = 0
    var violations: [Violation] = []
    var slowest = Duration.zero

    mutating func add(_ wrong: String, _ run: FaultRun) {
      if let index = violations.firstIndex(where: { $0.wrong == wrong }) {
        violations[index].runs.append(run)
      } else {
        violations.append(Violation(wrong: wrong, runs: [run]))
      }
    }
  }

  let injector: FaultInjector
  let fixture: FaultFixture
  /// Where the runs take place.
  let place: URL

  /// How long an operation may take with a fault, on a busy machine too.
  static let deadline = Duration.seconds(60)

  /// The states before and after, from a run without a fault, and the calls that it makes.
  func rehearse(
    _ operation: FaultOperation,
    _ log: FaultFixture.Log
  ) async throws -> (oracle: StoreOracle, calls: [FaultPlan.Call: Int]) {
    try fixture.lay(out: place, for: operation, log: log)
    let store = place.appendingPathComponent(operation.subject)
    let before = try StoreState(of: store)
    try fixture.lay(out: place, for: operation, log: log)
    let calls = try await injector.count { try await operation.run(place) { _ in } }
    let after = try StoreState(of: store)
    return (StoreOracle(operation: operation, before: before, after: after), calls)
  }

  /// Runs an operation with each of some faults, or of some that follow on one another.
  ///
  /// - Parameters:
  ///   - operation: What is done.
  ///   - log: What it begins with.
  ///   - report: Takes what is found.
  ///   - plans: Given how many calls of each kind the operation makes.
  /// - Throws: What the operation does without a fault.
  func run(
    _ operation: FaultOperation,
    _ log: FaultFixture.Log,
    into report: inout Report,
    plans: ([FaultPlan.Call: Int]) -> [[FaultPlan]]
  ) async throws {
    guard FaultReplay.includes(operation.name, log) else { return }
    let (oracle, calls) = try await rehearse(operation, log)
    for plans in FaultReplay.plans.map({ [$0] }) ?? plans(calls) {
      let run = FaultRun(operation: operation.name, log: log, plans: plans)
      let start = ContinuousClock.now
      let (strikes, wrong) = try await self.run(operation, run, oracle)
      report.slowest = max(report.slowest, start.duration(to: .now))
      report.runCount += 1
      if strikes > 0 { report.struckCount += 1 }
      for wrong in wrong { report.add(wrong, run) }
    }
  }

  private func run(
    _ operation: FaultOperation,
    _ run: FaultRun,
    _ oracle: StoreOracle
  ) async throws -> (strikes: Int, wrong: [String]) {
    try fixture.lay(out: place, for: operation, log: run.log)
    let watchdog = Watchdog(after: Self.deadline * 2) { "SNIP_FAULT='\(run)' does not end" }
    defer { watchdog.stop() }
    let acknowledged = Lock<[String]>([])
    let start = ContinuousClock.now
    let (result, strikes) = await injector.inject(run.plans) { () -> Result<Void, any Error> in
      do {
        return .success(
          try await operation.run(place) { words in acknowledged.withLock { $0.append(words) } }
        )
      } catch {
        return .failure(error)
      }
    }
    var wrong: [String] = []
    if start.duration(to: .now) > Self.deadline { wrong.append("it took longer than 60 s") }
    let isDone = if case .success = result { true } else { false }
    let (state, found) = oracle.judge(
      place,
      acknowledged: acknowledged.withLock { $0 },
      isDone: isDone,
      isCleared: !run.plans.contains { $0.call == .delete }
    )
    wrong += found
    if case .failure(let error) = result {
      if strikes == 0 { wrong.append("it failed without a fault: \(error)") }
      wrong += oracle.lies(in: error, after: run.plans, state, place)
      if operation.goesOn { wrong += await goOn(operation, oracle) }
    }
    return (strikes, wrong)
  }
}

extension FaultSweep {
  /// Runs an operation again after a fault.
  ///
  /// - Returns: What is wrong, in sentences.
  private func goOn(_ operation: FaultOperation, _ oracle: StoreOracle) async -> [String] {
    do {
      try await operation.run(place) { _ in }
      let state = try StoreState(of: place.appendingPathComponent(operation.subject))
      // What was undone may have taken numbers.
      let isSame = state.snippets.values.sorted() == oracle.after.snippets.values.sorted()
      return isSame ? [] : ["it does not go on: \(state.difference(from: oracle.after))"]
    } catch {
      return ["it does not go on: \(error)"]
    }
  }
}

/// Ends the process, and says why, when something does not come to its end.
final class Watchdog: Sendable {
  private let isStopped = Lock(false)

  init(after time: Duration, _ message: @escaping @Sendable () -> String) {
    let thread = Thread { [isStopped] in
      Thread.sleep(forTimeInterval: time.seconds)
      guard !isStopped.withLock({ $0 }) else { return }
      print(message())
      exit(99)
    }
    thread.start()
  }

  func stop() {
    isStopped.withLock { $0 = true }
  }
}
