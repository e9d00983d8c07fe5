#if os(Linux)
import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// Code of this process opens and closes the files of a store without end, while two stores, a
/// connection of the app and `sqlite3` shells write.
///
/// With `SNIP_LONG_TESTS` set it goes on for ten minutes.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(30)))
struct KeptLocksRaceTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let end = ContinuousClock.now + .seconds(600)

  @Test func `nothing that was acknowledged is lost while the files are opened and closed`()
    async throws
  {
    let stores = [try TemporaryStore.open(), try TemporaryStore.open()]
    let own = try appConnection()
    let isOver = Lock(false)
    let closer = await closing(until: isOver)

    let titles = try await withThrowingTaskGroup(of: [String].self) { group in
      for (lane, store) in stores.enumerated() {
        group.addTask { try await write("store \(lane)") { try await save($0, in: store) } }
      }
      group.addTask {
        try await write("app") { title in
          try await own.write { db in
            try db.execute(
              sql: "INSERT INTO snippet (kind, title) VALUES (1, ?)",
              arguments: [title]
            )
          }
        }
      }
      for lane in 0..<2 {
        group.addTask { try await write("shell \(lane)", inShell) }
      }
      group.addTask { try await write("opened anew", openAnew) }
      var titles: [String] = []
      for try await part in group { titles += part }
      return titles
    }

    isOver.withLock { $0 = true }
    let count = try await closer.value
    #expect(count > 0)
    let rows = try stores[0].list().rows(in: 0..<titles.count + 1)
    #expect(rows.map(\.title).sorted() == titles.sorted())
    let integrity = try await Shell.sqlite3(file, "PRAGMA integrity_check")
    #expect(integrity.standardOutput == "ok\n")
    try own.close()
    print("\(titles.count) writes were acknowledged while the files were closed \(count) times.")
  }

  // MARK: - Those who take part

  /// Opens and closes all files on a thread of its own, and returns how often.
  private func closing(until isOver: Lock<Bool>) async -> Task<Int, any Error> {
    let paths = ["", "-wal", "-shm"].map { file.path + $0 }
    return Task {
      try await Threads.run {
        var count = 0
        while !isOver.withLock({ $0 }) {
          for path in paths {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { close(descriptor) }
          }
          count += 1
          // Others need the processor too.
          sched_yield()
        }
        return count
      }
    }
  }

  /// Writes round by round, and returns the titles that were acknowledged.
  private func write(
    _ name: String,
    _ body: @Sendable (String) async throws -> Void
  ) async throws -> [String] {
    var titles: [String] = []
    while LongTests.isOn ? ContinuousClock.now < end : titles.count < 12 {
      let title = "\(name) \(titles.count)"
      try await body(title)
      titles.append(title)
    }
    return titles
  }

  private func save(_ title: String, in store: SnippetStore) async throws {
    try await store.save(SnippetDraft(.text(title), title: title))
  }

  /// Writes in a shell that ends, and would delete the log if it took itself for the last.
  private func inShell(_ title: String) async throws {
    let sql = "INSERT INTO snippet (kind, title) VALUES (1, '\(title)')"
    let arguments = ["-bail", "-cmd", ".timeout 60000", file.path, sql]
    let output = try await Shell.run("sqlite3", arguments)
    #expect(output == Shell.Output(standardOutput: ""))
  }

  private func openAnew(_ title: String) async throws {
    let store = try SnippetStore(at: file)
    try await save(title, in: store)
    try await store.close()
  }

  private func appConnection() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }
}
#endif
