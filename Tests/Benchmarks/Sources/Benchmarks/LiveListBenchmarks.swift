import Foundation
import SnippetStore

/// From a change to the batch that tells which rows of a long list it concerns.
struct LiveListBenchmarks {
  /// How long it takes until a change is told of.
  struct Report {
    let work: String
    let median: Duration
    let percentile99: Duration
    /// The most that the median may be.
    let goal: Duration
    /// To walk the whole list again, which is the other way to find out.
    let refetch: Duration

    private var isMet: Bool { median <= goal }

    var line: String {
      """
      \(work): median \(text(median)), p99 \(text(percentile99)) (goal: median ≤ \(text(goal)), \
      \(isMet ? "met" : "not met")); to fetch it again: \(text(refetch))
      """
    }

    var json: String {
      """
      {"work":"\(work)","medianMicroseconds":\(median / .microseconds(1)),\
      "p99Microseconds":\(percentile99 / .microseconds(1)),\
      "refetchMicroseconds":\(refetch / .microseconds(1)),\
      "goalMicroseconds":\(goal / .microseconds(1)),"isMet":\(isMet)}
      """
    }

    private func text(_ duration: Duration) -> String {
      String(format: "%.3f ms", duration / .milliseconds(1))
    }
  }

  let store: SnippetStore
  let path: String
  let rowCount: Int

  private let clock = ContinuousClock()

  init(store: SnippetStore, path: String, rowCount: Int) {
    self.store = store
    self.path = path
    self.rowCount = rowCount
  }

  func run() async throws -> [Report] {
    // A row with a new title moves from anywhere to anywhere.
    let list = store.list(order: .byTitle)
    guard try list.count == rowCount else { throw RawError(message: "no such list") }
    let updates = list.updates()
    var batches = updates.makeAsyncIterator()
    var refetches: [Duration] = []
    var own: [Duration] = []
    for round in 0..<200 {
      try await store.update(id(round), SnippetChanges(title: "Row \(round * 7919 % rowCount)"))
      own.append(try clock.measure { _ = try list.count })
      try await expectOne(batches.next())
      guard round % 20 == 0 else { continue }
      refetches.append(try clock.measure { _ = try store.list(order: .byTitle).count })
    }

    let shell = try OtherProcess(path)
    var foreign: [Duration] = []
    for round in 0..<100 {
      // Wherever the store is between two looks.
      try await Task.sleep(for: .milliseconds(round * 7 % 31))
      let start = clock.now
      try shell.run("UPDATE snippet SET title = 'Row \(round)' WHERE id = \(id(round));")
      try await expectOne(batches.next())
      foreign.append(start.duration(to: clock.now))
    }
    try shell.end()
    return [
      report("one change in a list of \(rowCount)", own, refetches, goal: .milliseconds(1)),
      report("one by another process", foreign, refetches, goal: .milliseconds(50)),
    ]
  }

  private func id(_ round: Int) -> SnippetID {
    SnippetID(rawValue: Int64(1 + round * 104_729 % rowCount))
  }

  private func expectOne(_ batch: ListBatch?) throws {
    guard let batch, !batch.isReset, batch.moved.count + batch.updated.count == 1 else {
      throw RawError(message: "not told of one change: \(String(describing: batch))")
    }
  }

  private func report(
    _ work: String,
    _ times: [Duration],
    _ refetches: [Duration],
    goal: Duration
  ) -> Report {
    let sorted = times.sorted()
    return Report(
      work: work,
      median: sorted[sorted.count / 2],
      percentile99: sorted[sorted.count * 99 / 100],
      goal: goal,
      refetch: refetches.sorted()[refetches.count / 2]
    )
  }
}

/// An `sqlite3` shell that stays open.
private struct OtherProcess {
  private let process = Process()
  private let input = Pipe()

  init(_ path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-bail", path]
    process.standardInput = input
    try process.run()
  }

  func run(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n".utf8))
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
