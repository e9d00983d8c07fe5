import Foundation
import SnippetTestSupport
import Testing

/// Every operation that writes, with the power failing at each of its writes.
///
/// With `SNIP_LONG_TESTS` set: all states that were found; otherwise some hundred of each operation.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct PowerLossTests {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  private static let operations = FaultOperation.writing + FaultOperation.opening

  @Test(arguments: operations.map(\.name))
  func `what was acknowledged survives, and nothing is torn`(name: String) async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    let child = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent]
    ) { [folder = folder as URL, name = name as String] in
      let operation = try #require(Self.operations.first { $0.name == name })
      let powerLoss = try await Self.powerLoss(in: folder)
      var count = 0
      for log in operation.logs {
        let report = try await powerLoss.run(
          operation,
          log,
          mostStates: Self.isLong ? .max : 60,
          drawCount: Self.isLong ? 4 : 1
        )
        count += report.stateCount
        for wrong in report.wrong.prefix(5) { Issue.record("\(wrong)") }
      }
      #expect(count > 50)
      print("\(name): \(count) states of the disk")
    }
    if Self.isLong, let child {
      print(String(decoding: child.standardOutputContent, as: UTF8.self))
    }
  }

  // What shows that the states bite.
  @Test func `without a sync something is lost`() async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) { [folder = folder as URL] in
      let powerLoss = try await Self.powerLoss(in: folder)
      let report = try await powerLoss.run(
        FaultOperation.writing[0],
        .folded,
        mostStates: 400,
        isCanary: true
      )
      #expect(report.wrong.contains { $0.contains("lost, though acknowledged") })
    }
  }

  private static func powerLoss(in folder: URL) async throws -> PowerLoss {
    let place = folder.appendingPathComponent("run")
    let fixture = try await FaultFixture(in: folder.appendingPathComponent("fixture"))
    return PowerLoss(
      injector: FaultInjector.install(watching: place),
      fixture: fixture,
      place: place,
      scratch: folder.appendingPathComponent("state")
    )
  }
}
