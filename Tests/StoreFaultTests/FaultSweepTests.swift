import Foundation
import SnippetTestSupport
import Testing

/// Every operation of a store, with a fault of the file system at each of its calls.
///
/// With `SNIP_LONG_TESTS` set: all calls; otherwise some of each kind.
/// `SNIP_FAULT` runs one of them again, as a failure has printed it.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct FaultSweepTests {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  private static let operations =
    FaultOperation.writing + FaultOperation.opening + FaultOperation.reading

  @Test(arguments: operations.map(\.name))
  func `an operation survives every fault, and tells what is so`(name: String) async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) { [folder = folder as URL, name = name as String] in
      try await Self.sweep(name, in: folder)
    }
  }

  private static func sweep(_ name: String, in folder: URL) async throws {
    guard FaultReplay.includes(name) else { return }
    let operation = try #require(operations.first { $0.name == name })
    let fixture = try await FaultFixture(in: folder.appendingPathComponent("fixture"))
    let place = folder.appendingPathComponent("run")
    let injector = FaultInjector.install(watching: place)
    let sweep = FaultSweep(injector: injector, fixture: fixture, place: place)
    var report = FaultSweep.Report()
    for log in operation.logs {
      try await sweep.run(operation, log, into: &report, plans: plans)
    }
    for violation in report.violations { Issue.record("\(violation)") }
    #expect(report.struckCount > 0 || FaultReplay.isOn, "a fault strikes")
    print(
      "\(name): \(report.runCount) runs, \(report.struckCount) faults, slowest \(report.slowest)"
    )
  }

  /// The faults at each call of an operation; in the short form at some calls of each kind.
  private static func plans(_ calls: [FaultPlan.Call: Int]) -> [FaultPlan] {
    var generator = SeededGenerator(seed: SeededGenerator.sampleSeed)
    return calls.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { call, count in
      actions(on: call).flatMap { action, isForGood in
        let all = Array(1...count)
        let numbers = isLong ? all : Array(all.shuffled(using: &generator).prefix(2))
        return numbers.sorted().map {
          FaultPlan(call, number: $0, isForGood: isForGood, action)
        }
      }
    }
  }

  private static func actions(
    on call: FaultPlan.Call
  ) -> [(FaultPlan.Action, isForGood: Bool)] {
    let actions: [FaultPlan.Action] =
      switch call {
      case .open: [.fail(.tooManyOpenFiles), .fail(.inputOutput), .fail(.noPermission)]
      case .read: [.fail(.inputOutput), .short]
      case .write: [.fail(.noSpace), .fail(.inputOutput), .short]
      case .look, .truncate, .delete, .sync, .rename, .link, .lock, .map, .share:
        [.fail(.inputOutput)]
      case .allocate: [.fail(.noSpace)]
      case .unfetch: []
      }
    // Refused for good, a lock is asked for again and again, for ten seconds.
    let lasts = call == .lock ? [false] : [false, true]
    return actions.flatMap { action in lasts.map { (action, $0) } }
  }
}
