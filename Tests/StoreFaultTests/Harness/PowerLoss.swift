import Foundation
import SnippetTestSupport

@testable import SnippetStorage

/// Runs one operation once, and has the power fail at every moment of it, in every way.
struct PowerLoss {
  /// What the states of the disk came to.
  struct Report {
    /// How many different ones there are.
    var foundCount = 0
    /// What was wrong, with how to see it again.
    var wrong: [String] = []
    /// Whether something is gone that was said to be safe.
    var hasLoss: Bool { wrong.contains { $0.contains("lost, though acknowledged") } }
  }

  /// A state of the disk, and how much was said to be safe by then.
  private struct Moment: Hashable {
    var state: SimulatedDisk.State
    var acknowledgedCount: Int
  }

  /// What is acknowledged when the operation returns.
  private static let done = "the operation is done"

  let injector: FaultInjector
  let fixture: FaultFixture
  /// Where the operation takes place.
  let place: URL
  /// Where the states of the disk are laid out.
  let scratch: URL

  /// Has the power fail during an operation.
  ///
  /// - Parameters:
  ///   - operation: What is done.
  ///   - log: What it begins with.
  ///   - mostStates: How many states are looked at, of which chance draws the share; all of them
  ///     where ``LongTests`` are on.
  ///   - drawCount: How often chance draws at each moment which writes are lost.
  ///   - isCanary: Whether no sync reaches the disk, so that something must be lost; then it looks
  ///     for the first loss, from the end.
  /// - Returns: What was found.
  /// - Throws: What the operation does without a fault.
  func run(
    _ operation: FaultOperation,
    _ log: FaultFixture.Log,
    mostStates: Int = .max,
    drawCount: Int = 1,
    isCanary: Bool = false
  ) async throws -> Report {
    let sweep = FaultSweep(injector: injector, fixture: fixture, place: place)
    let (oracle, _) = try await sweep.rehearse(operation, log)
    try fixture.lay(out: place, for: operation, log: log)
    let before = try contents(of: place)
    let recording = try await injector.record {
      try await operation.run(place) { injector.acknowledge($0) }
      injector.acknowledge(Self.done)
    }
    var generator = SeededGenerator()
    var states: [(moment: Int, loss: String, state: SimulatedDisk.State, disk: SimulatedDisk)] = []
    var seen: Set<Moment> = []
    let draws = repeatElement(SimulatedDisk.Loss.random, count: drawCount - 1)
    let losses = SimulatedDisk.Loss.allCases + draws
    var disk = SimulatedDisk(before)
    for (moment, event) in recording.events.enumerated() {
      if isCanary, case .sync = event { continue }
      disk.apply(event)
      for namesNeedSync in [false, true] {
        for loss in losses {
          let state = disk.state(after: loss, namesNeedSync: namesNeedSync, &generator)
          let isNew = seen.insert(
            Moment(state: state, acknowledgedCount: disk.acknowledged.count)
          ).inserted
          guard isNew else { continue }
          let words = namesNeedSync ? "\(loss), names need a sync" : "\(loss)"
          states.append((moment, words, state, disk))
        }
      }
    }
    var report = Report(foundCount: states.count)
    // The later, the more there is to lose.
    let drawn = isCanary ? states.reversed() : states.share(mostStates, using: &generator)
    for (moment, loss, state, disk) in drawn {
      if isCanary, report.hasLoss { break }
      try layOut(disk.contents(of: state))
      let (_, wrong) = oracle.judge(
        scratch,
        acknowledged: disk.acknowledged.filter { $0 != Self.done },
        isDone: disk.acknowledged.contains(Self.done),
        isCleared: false
      )
      report.wrong += wrong.map {
        "\(operation.name), log \(log), after event \(moment), lost \(loss): \($0)"
      }
    }
    return report
  }

  private func contents(of folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let files = names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix("-wal") }
    return try Dictionary(
      uniqueKeysWithValues: files.map { name in
        let file = folder.appendingPathComponent(name)
        return (file.path, try Data(contentsOf: file))
      }
    )
  }

  /// Writes the files of the store, as they are found when the machine starts again.
  private func layOut(_ files: [String: Data]) throws {
    try? FileManager.default.removeItem(at: scratch)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    for (path, data) in files where (path as NSString).deletingLastPathComponent == place.path {
      try data.write(to: scratch.appendingPathComponent((path as NSString).lastPathComponent))
    }
  }
}
