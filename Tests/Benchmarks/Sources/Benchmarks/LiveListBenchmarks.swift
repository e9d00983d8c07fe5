import CoreBenchmarks
import Foundation
import SnippetStorage

/// From a change to the batch that tells which rows of a long list it concerns.
struct LiveListBenchmarks {
  let file: ListFile

  private let clock = ContinuousClock()

  private var rowCount: Int { file.rowCount }

  init(file: ListFile) {
    self.file = file
  }

  func run(into table: Table) async throws {
    let store = try await file.open()
    // A row with a new title moves from anywhere to anywhere.
    let list = store.list(order: .byTitle)
    guard try list.count == rowCount else { throw RawError(message: "no such list") }
    let updates = list.updates()
    var batches = updates.makeAsyncIterator()
    var refetches: [Duration] = []
    var own: [Duration] = []
    for round in 0..<200 {
      try await store.apply(
        SnippetEdit(title: "Row \(round * 7919 % rowCount)"),
        to: id(round)
      )
      own.append(try clock.measure { _ = try list.count })
      try await expectOne(batches.next())
      guard round % 20 == 0 else { continue }
      refetches.append(try clock.measure { _ = try store.list(order: .byTitle).count })
    }
    try table.add(
      row("one change in a list of \(rowCount)", own, refetches, goal: .microseconds(200))
    )

    let shell = try OtherProcess(file.url.path)
    // It starts and reads the schema with its first change.
    try shell.run("UPDATE snippet SET title = 'First row' WHERE id = \(id(0));")
    try await expectOne(batches.next())
    var foreign: [Duration] = []
    for round in 0..<200 {
      // Wherever the store is between two looks.
      try await Task.sleep(for: .milliseconds(round * 7 % 31))
      let start = clock.now
      try shell.run("UPDATE snippet SET title = 'Row \(round)' WHERE id = \(id(round));")
      try await expectOne(batches.next())
      foreign.append(start.duration(to: clock.now))
    }
    try shell.end()
    try table.add(
      row("one change by another process, p99", foreign, refetches, 99, goal: .milliseconds(20))
    )
  }

  private func id(_ round: Int) -> SnippetID {
    SnippetID(rawValue: Int64(1 + round * 104_729 % rowCount))
  }

  private func expectOne(_ batch: ListBatch?) throws {
    guard let batch, !batch.isReset, batch.moved.count + batch.updated.count == 1 else {
      throw RawError(message: "one change was not reported: \(String(describing: batch))")
    }
  }

  private func row(
    _ work: String,
    _ times: [Duration],
    _ refetches: [Duration],
    _ percent: Int = 50,
    goal: Duration
  ) -> TableRow {
    TableRow(
      work,
      Quantity(times.sorted()[times.count * percent / 100]),
      against: "fetch it again",
      Quantity(refetches.sorted()[refetches.count / 2]),
      goal: .atMost(Quantity(goal))
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
