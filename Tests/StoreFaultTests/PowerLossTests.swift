import Foundation
import SnippetTestSupport
import Testing

/// Every operation that writes, with the power failing at each of its writes.
///
/// With `SNIP_LONG_TESTS` set: all states that were found; otherwise some of each operation, which
/// the seed draws.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct PowerLossTests {
  /// How many states of an operation are looked at with each log, unless all are.
  private static let shareOfStates = 4

  private static let operations =
    FaultOperation.writing + FaultOperation.opening + [.savingInSteps]

  @Test(arguments: FaultOperation.groups(of: operations))
  func `what was acknowledged survives, and nothing is torn`(names: [String]) async throws {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    try await FaultFixture.write(to: folder.appendingPathComponent("fixture"))
    let child = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent]
    ) { [folder = folder as URL, names = names as [String]] in
      let powerLoss = Self.powerLoss(in: folder)
      for name in names { try await Self.run(powerLoss, of: name) }
    }
    if LongTests.isOn, let child {
      print(String(decoding: child.standardOutputContent, as: UTF8.self))
    }
  }

  private static func run(_ powerLoss: PowerLoss, of name: String) async throws {
    let operation = try #require(operations.first { $0.name == name })
    var count = 0
    for log in operation.logs {
      let report = try await powerLoss.run(
        operation,
        log,
        mostStates: shareOfStates,
        drawCount: LongTests.isOn ? 4 : 1
      )
      count += report.foundCount
      for wrong in report.wrong.prefix(5) { Issue.record("\(wrong)") }
    }
    #expect(count > 50)
    print("\(name): \(count) states of the disk")
  }

  // What shows that the states bite.
  @Test func `without a sync something is lost`() async throws {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    try await FaultFixture.write(to: folder.appendingPathComponent("fixture"))
    await #expect(processExitsWith: .success) { [folder = folder as URL] in
      let powerLoss = Self.powerLoss(in: folder)
      let report = try await powerLoss.run(
        FaultOperation.writing[0],
        .folded,
        isCanary: true
      )
      #expect(report.hasLoss)
    }
  }

  private static func powerLoss(in folder: URL) -> PowerLoss {
    let place = folder.appendingPathComponent("run")
    let fixture = FaultFixture(at: folder.appendingPathComponent("fixture"))
    return PowerLoss(
      injector: FaultInjector.install(watching: place),
      fixture: fixture,
      place: place,
      scratch: folder.appendingPathComponent("state")
    )
  }
}
