import Dispatch
import Foundation
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LogWatchTests {
  private let queue = DispatchQueue(label: "test")
  private let log = TemporaryDirectory.file("log")

  /// The number of looks after a write that finds no commit.
  private static let rowLength = 9

  @Test func `a commit of another program is reported long before the next look at an interval`()
    async throws
  {
    let store = try TemporaryStore.open()
    let other = try TemporaryStore.open()
    let file = OpenStoreFile(path: try #require(store.url).path)
    let reports = Told<Int>()
    let watch = RecordWatch(
      of: file,
      queue: queue,
      interval: .seconds(86_400),
      report: { reports.take(1) },
      events: .none,
      foreignCommits: nil,
      mark: try store.connections.rows.snapshot { try ChangeMark(knownEndIn: $0) }
    ) {
      try Connections.openReader(file.path, of: file, busyTimeout: .seconds(1))
    }
    // As after a commit of the store itself.
    queue.sync { _ = watch.look() }
    queue.sync { watch.lookAndStart() }

    for _ in 0..<3 {
      try await other.save(SnippetDraft(.text("milk")))
      #expect(await reports.next() == 1)
    }
    watch.end()
  }

  @Test func `looks end when a row of them has found nothing, and a write begins another row`()
    async throws
  {
    let looks = Told<Int>()
    try Data().write(to: log)
    let watch = try watch(looks) { _ in false }
    #expect(!watch.hasReported)

    for row in 1...2 {
      try write()
      for number in 1...Self.rowLength {
        #expect(await looks.next() == (row - 1) * Self.rowLength + number)
      }
      queue.sync {}
      #expect(looks.all.count == row * Self.rowLength)
    }
    #expect(watch.hasReported)
  }

  @Test func `a look that finds a commit is followed by another row`() async throws {
    let looks = Told<Int>()
    try Data().write(to: log)
    let watch = try watch(looks) { $0 == 3 }

    try write()

    for number in 1...3 + Self.rowLength { #expect(await looks.next() == number) }
    queue.sync {}
    #expect(looks.all.count == 3 + Self.rowLength)
    watch.cancel()
  }

  @Test func `a watch that was cancelled looks no more`() async throws {
    let (cancelled, looks) = (Told<Int>(), Told<Int>())
    try Data().write(to: log)
    let first = try watch(cancelled) { _ in false }
    let second = try watch(looks) { _ in false }

    first.cancel()
    try write()

    for number in 1...Self.rowLength { #expect(await looks.next() == number) }
    #expect(cancelled.all.isEmpty && second.hasReported)
  }

  @Test func `there is no watch of a log that is not there`() {
    #expect(LogWatch(path: log.path, queue: queue) { false } == nil)
  }

  private func watch(
    _ looks: Told<Int>,
    _ finds: @escaping @Sendable (Int) -> Bool
  ) throws -> LogWatch {
    try #require(
      LogWatch(path: log.path, queue: queue) {
        let number = looks.all.count + 1
        looks.take(number)
        return finds(number)
      }
    )
  }

  private func write() throws {
    let handle = try FileHandle(forWritingTo: log)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("frame".utf8))
    try handle.close()
  }
}
