#if os(Linux)

import Foundation
import SnippetTestSupport
import Testing

/// The shipped command, whose n-th call of the system fails, is cut short or is its last.
///
/// Some of all possible faults are drawn by the seed. With `SNIP_LONG_TESTS` set, all are tried, and
/// on larger stores the process is killed at each call that writes.
/// To run one again: `SNIPPET_FAULT_OPERATION=restore SNIPPET_FAULT_PLAN='read:*:4:EIO'`.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(240)))
struct PreloadedFaultTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// How many faults each operation meets, and how many of the decisive ones, unless it meets all.
  private static let (shareOfFaults, shareOfDecisive) = (2, 2)

  private static let sizes: [FaultFixture.Size] =
    environment["SNIPPET_FAULT_SIZE"].flatMap(FaultFixture.Size.init).map { [$0] }
    ?? (LongTests.isOn ? FaultFixture.Size.allCases : [.small])

  @Test(arguments: FaultedOperation.all, sizes)
  func `a fault leaves the state before or the state after, and is told as it is`(
    operation: FaultedOperation,
    size: FaultFixture.Size
  ) async throws {
    if let wanted = Self.environment["SNIPPET_FAULT_OPERATION"], wanted != operation.name { return }
    let number = FaultedOperation.all.firstIndex { $0.name == operation.name } ?? 0
    let fixture = try await FaultFixture(size)
    let reference = try await fixture.reference(operation)
    let oracle = FaultOracle(operation: operation, fixture: fixture, reference: reference)
    var generator = SeededGenerator(seed: SeededGenerator.runSeed &+ UInt64(number))

    let plans = try Self.plans(for: operation, size, reference.run, &generator)
    for plan in plans {
      let violations = try await fixture.withCopy(operation.start) { snip in
        let run = try await snip.run(operation.arguments, input: operation.input, under: plan)
        var violations = try await oracle.violations(of: run, under: plan, in: snip)
        // Where threads wait for each other, a run makes some calls more or less; and what a
        // command that only reads writes into the search index in the background, the end of it
        // cuts short.
        let isCutShort = operation.onlyReads && plan.call == .write
        let count = reference.run.count(for: plan)
        if !run.isStruck, !isCutShort, plan.number <= max(1, count * 3 / 4) {
          violations.append("it never struck")
        }
        return violations
      }
      if violations.isEmpty { continue }
      Issue.record(
        """
        SNIPPET_FAULT_OPERATION='\(operation.name)' SNIPPET_FAULT_SIZE='\(size.rawValue)' \
        SNIPPET_FAULT_PLAN='\(plan)':
        \(violations.joined(separator: "\n"))
        """
      )
    }
    if LongTests.isOn { print("\(operation.name), \(size): \(plans.count) faults") }
  }

  // MARK: - Canaries

  @Test func `a log that cannot be written is a fault of the disk, and nothing is saved`()
    async throws
  {
    let plan = try #require(FaultPlan("pwrite:-wal:1:EIO"))
    let fixture = try await FaultFixture()
    try await fixture.withCopy { snip in
      let run = try await snip.run(["add", "--text", "Fresh"], under: plan)

      #expect(run.isStruck && run.isInTime && run.output.status == 74, "\(run)")
      #expect(try await KeptState(of: snip.store).snippets == fixture.before.snippets)
    }
  }

  // As on a file system in user space that sends the bytes only then.
  @Test(arguments: [FaultPlan.SystemError.noSpace, .quotaExceeded, .inputOutput])
  func `an export whose file cannot be closed says so, and has no manifest`(
    error: FaultPlan.SystemError
  ) async throws {
    try await FaultFixture().withCopy { snip in
      let plan = FaultPlan(.close, of: ".txt", number: 2, .fail(error))
      let run = try await snip.run(["export", "out"], under: plan)

      #expect(run.isStruck && run.output.status == 74, "\(run)")
      let files = try FaultFixture.files(in: snip.folder).keys
      #expect(!files.contains { $0.hasPrefix("out/manifest") })
    }
  }

  // The copy goes, and no later opening of the store shows whether it was kept.
  @Test func `a backup that the disk does not confirm leaves nothing in doubt`() async throws {
    try await FaultFixture().withCopy { snip in
      let plan = FaultPlan(.sync, of: "-journal", number: 1, .fail(.noSpace))
      let run = try await snip.run(["backup", "copy.sqlite"], under: plan)

      #expect(run.isStruck && run.output.status == 74, "\(run)")
      let told = run.output.standardError
      #expect(told.contains("Nothing was changed. Free some space"), "\(told)")
    }
  }

  @Test func `a salvage that does not fit names what it is about`() async throws {
    try await FaultFixture().withCopy { snip in
      let plan = FaultPlan(.write, of: "-wal", number: 1, isForGood: true, .fail(.noSpace))
      let run = try await snip.run(["salvage", "saved.sqlite"], under: plan)

      #expect(run.isStruck && run.output.status == 74, "\(run)")
      let told = run.output.standardError
      #expect(told.hasPrefix("snip: could not salvage "), "\(told)")
      #expect(!told.contains("partial"), "\(told)")
    }
  }

  @Test func `a plan for a call that is never made does not strike`() async throws {
    try await FaultFixture().withCopy { snip in
      let run = try await snip.run(["list"], under: FaultPlan(.rename, number: 1, .kill))

      #expect(!run.isStruck && run.output.status == 0, "\(run)")
    }
  }

  @Test func `a process is killed before a call or after it`() async throws {
    let fixture = try await FaultFixture()
    for action in [FaultPlan.Action.kill, .killAfter] {
      try await fixture.withCopy { snip in
        let plan = FaultPlan(.rename, of: "manifest.jsonl", number: 1, action)
        let run = try await snip.run(["export", "out"], under: plan)

        #expect(run.isStruck && run.output.status == 137, "\(run)")
        let manifest = snip.folder.appendingPathComponent("out/manifest.jsonl")
        let isThere = FileManager.default.fileExists(atPath: manifest.path)
        #expect(isThere == (action == .killAfter))
      }
    }
  }

  @Test func `what a run says wrongly is noticed`() async throws {
    let fixture = try await FaultFixture()
    let add = try FaultedOperation.named("add")
    let oracle = FaultOracle(
      operation: add,
      fixture: fixture,
      reference: try await fixture.reference(add)
    )
    let plan = FaultPlan(.write, number: 1, .fail(.inputOutput))
    func violations(_ run: FaultedRun, after arguments: [String] = []) async throws -> [String] {
      try await fixture.withCopy { snip in
        if !arguments.isEmpty { _ = try await snip.run(arguments) }
        return try await oracle.violations(of: run, under: plan, in: snip)
      }
    }
    let honest = SnipOutput(error: "snip: the disk failed\nNothing was changed.\n", status: 74)

    #expect(try await violations(FaultedRun(honest)).isEmpty)
    #expect(try await violations(FaultedRun(honest), after: add.arguments).count == 1)
    #expect(try await violations(FaultedRun(honest), after: ["rm", "4"]).count == 2)
    #expect(try await violations(FaultedRun(SnipOutput())).count == 1)
    #expect(try await violations(FaultedRun(SnipOutput("12\n", error: "a", status: 74))).count == 1)
    #expect(try await violations(FaultedRun(SnipOutput(error: "a", status: 132))).count == 1)
    #expect(try await violations(FaultedRun(honest, isInTime: false)).count == 1)
    #expect(try await violations(FaultedRun(honest), after: ["backup", "x.sqlite"]).count == 1)
  }

  // MARK: - The plans

  /// The calls that change a file or a folder, or may make one.
  private static let writing: [FaultPlan.Call] = [
    .write, .sync, .truncate, .open, .delete, .rename, .link, .allocate,
  ]

  /// What can come of which calls on a real disk.
  private static let faults: [(FaultPlan.Action, [FaultPlan.Call])] = [
    (.fail(.inputOutput), FaultPlan.Call.allCases),
    (.fail(.noSpace), [.write, .truncate, .open, .link, .rename, .allocate]),
    (.fail(.tooManyOpenFiles), [.open]),
    (.short, [.read, .write]),
    (.kill, writing),
    (.killAfter, writing),
  ]

  /// The plan that the environment names; else some of all that can strike, or all of them.
  private static func plans(
    for operation: FaultedOperation,
    _ size: FaultFixture.Size,
    _ reference: FaultedRun,
    _ generator: inout SeededGenerator
  ) throws -> [FaultPlan] {
    if let text = environment[FaultPlan.variable] { return [try #require(FaultPlan(text))] }
    // To SQLite, a lock that always fails is one that another process holds, for which it waits.
    let faults = faults.filter { size == .small || $0.0.kills }
    let sorts = faults.flatMap { action, calls in
      calls.flatMap { call in
        let isForGood = action.isError && call != .lock ? [false, true] : [false]
        return isForGood.map { FaultPlan(call, number: 1, isForGood: $0, action) }
      }
    }
    .map { plan in
      (0..<reference.count(for: plan)).map { index in
        var plan = plan
        plan.number += index
        return plan
      }
    }
    .filter { !$0.isEmpty }
    let decisivePlans = size == .small ? operation.decisivePlans : []
    return decisivePlans.share(shareOfDecisive, using: &generator)
      + sorts.share(shareOfFaults, using: &generator)
      .flatMap { $0.share(1, using: &generator) }
  }
}

extension FaultPlan.Action {
  fileprivate var isError: Bool { if case .fail = self { true } else { false } }
  fileprivate var kills: Bool { self == .kill || self == .killAfter }
}

#endif
