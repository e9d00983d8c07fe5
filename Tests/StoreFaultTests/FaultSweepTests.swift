import Foundation
import SnippetTestSupport
import Testing

/// Every operation of a store, with a fault of the file system at each of its calls.
///
/// With `SNIP_LONG_TESTS` set: all calls; otherwise some, which the seed draws.
/// `SNIP_FAULT` runs one of them again, as a failure has printed it.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct FaultSweepTests {
  /// How many faults an operation meets with each log, unless it meets all.
  private static let shareOfFaults = 4
  /// How many faults behind a lock it meets with each log, unless it meets all.
  private static let shareOfPairs = 2

  private static let operations =
    FaultOperation.writing + FaultOperation.opening + FaultOperation.reading

  @Test(arguments: FaultOperation.groups(of: operations))
  func `an operation survives every fault, and tells what is so`(names: [String]) async throws {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    try await FaultFixture.write(to: folder.appendingPathComponent("fixture"))
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, names = names as [String]] in
      let sweep = Self.sweep(in: folder)
      for name in names { try await Self.run(sweep, of: name, plans: Self.plans) }
    }
  }

  // A store waits for a lock and tries again; what it does then can fail like anything else.
  @Test(arguments: FaultOperation.groups(of: operations))
  func `an operation survives a fault behind a lock that it had to wait for`(
    names: [String]
  ) async throws {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    try await FaultFixture.write(to: folder.appendingPathComponent("fixture"))
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, names = names as [String]] in
      let sweep = Self.sweep(in: folder)
      for name in names { try await Self.run(sweep, of: name, plans: Self.plansBehindLocks) }
    }
  }

  // SQLite takes a log whose index it could not read for an empty one, and deletes it.
  @Test func `a log whose index cannot be opened when the store is closed stays`() async throws {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    try await FaultFixture.write(to: folder.appendingPathComponent("fixture"))
    await #expect(processExitsWith: .success) { [folder = folder as URL] in
      try await Self.run(Self.sweep(in: folder), of: "export") { calls, _ in
        (1...max(1, calls[.lock] ?? 0)).map { number in
          [
            FaultPlan(.lock, number: number, .fail(.inputOutput)),
            FaultPlan(.open, number: 1, .fail(.tooManyOpenFiles)),
          ]
        }
      }
    }
  }

  private static func sweep(in folder: URL) -> FaultSweep {
    let place = folder.appendingPathComponent("run")
    return FaultSweep(
      injector: FaultInjector.install(watching: place),
      fixture: FaultFixture(at: folder.appendingPathComponent("fixture")),
      place: place
    )
  }

  private static func run(
    _ sweep: FaultSweep,
    of name: String,
    plans: ([FaultPlan.Call: Int], inout SeededGenerator) -> [[FaultPlan]]
  ) async throws {
    guard FaultReplay.includes(name) else { return }
    let number = try #require(operations.firstIndex { $0.name == name })
    let operation = operations[number]
    var report = FaultSweep.Report()
    // Of each operation another share.
    var generator = SeededGenerator(seed: SeededGenerator.runSeed &+ UInt64(number))
    for log in operation.logs {
      try await sweep.run(operation, log, into: &report) { plans($0, &generator) }
    }
    for violation in report.violations { Issue.record("\(violation)") }
    #expect(report.struckCount > 0 || FaultReplay.isOn, "a fault strikes")
    print(
      "\(name): \(report.runCount) runs, \(report.struckCount) faults, slowest \(report.slowest)"
    )
  }

  /// The faults at each call of an operation; in the short form some of them, of as many kinds.
  private static func plans(
    _ calls: [FaultPlan.Call: Int],
    _ generator: inout SeededGenerator
  ) -> [[FaultPlan]] {
    let kinds = calls.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { call, count in
      actions(on: call).map { action, isForGood in
        (1...count).map { FaultPlan(call, number: $0, isForGood: isForGood, action) }
      }
    }
    return kinds.share(shareOfFaults, using: &generator)
      .flatMap { $0.share(1, using: &generator) }
      .map { [$0] }
  }

  /// A lock that is refused once, and the next call of a kind that fails; in the short form some.
  private static func plansBehindLocks(
    _ calls: [FaultPlan.Call: Int],
    _ generator: inout SeededGenerator
  ) -> [[FaultPlan]] {
    let kinds = calls.keys.sorted { $0.rawValue < $1.rawValue }
    return (1...max(1, calls[.lock] ?? 0)).flatMap { number in
      kinds.flatMap { call in
        actions(on: call).filter { !$0.isForGood }.map { action, _ in
          [
            FaultPlan(.lock, number: number, .fail(.inputOutput)),
            FaultPlan(call, number: 1, action),
          ]
        }
      }
    }
    .share(shareOfPairs, using: &generator)
  }

  private static func actions(
    on call: FaultPlan.Call
  ) -> [(FaultPlan.Action, isForGood: Bool)] {
    let actions: [FaultPlan.Action] =
      switch call {
      case .open: [.fail(.tooManyOpenFiles), .fail(.inputOutput), .fail(.noPermission)]
      case .read: [.fail(.inputOutput), .short]
      case .write: [.fail(.noSpace), .fail(.inputOutput), .short]
      case .look, .truncate, .delete, .sync, .close, .rename, .link, .lock, .map, .share:
        [.fail(.inputOutput)]
      case .allocate: [.fail(.noSpace)]
      case .start, .unfetch: []
      }
    // Refused for good, a lock is asked for again and again, for ten seconds.
    let lasts = call == .lock ? [false] : [false, true]
    return actions.flatMap { action in lasts.map { (action, $0) } }
  }
}
