import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetMedia

/// Workers that say that they are ready, and that they were started.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct WorkerPoolTests {
  private let log = TemporaryDirectory.file("started")

  private func pool(patience: Duration) -> WorkerPool {
    let ready = "\\001" + String(repeating: "\\000", count: 23)
    let script = "echo started >> '\(log.path)'; printf '\(ready)' >&0; exec sleep 600"
    return WorkerPool(
      .init(executable: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script]),
      patience: patience
    )
  }

  private var startedCount: Int {
    ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n").count
  }

  @Test func `a worker that has done its job gets the next one`() throws {
    let pool = pool(patience: .zero)

    for _ in 0..<3 { pool.keep(try pool.take()) }

    #expect(startedCount == 1)
  }

  @Test func `a worker that was started ahead gets the first job`() throws {
    let pool = pool(patience: .zero)

    pool.start()
    pool.start()
    #expect(startedCount == 1)
    _ = try pool.take()

    #expect(startedCount == 1)
  }

  @Test func `a call waits a moment for a worker that is busy`() async throws {
    let pool = pool(patience: .seconds(600))
    let first = try pool.take()

    async let second = Task.detached { try pool.take() }.value
    pool.keep(first)

    #expect(try await second.process === first.process)
    #expect(startedCount == 1)
  }

  @Test func `a call that has waited gets a worker of its own`() throws {
    let pool = pool(patience: .milliseconds(1))
    let first = try pool.take()

    let second = try pool.take()

    #expect(second.process !== first.process)
    #expect(startedCount == 2)
  }

  @Test func `a call does not wait for a worker that is gone`() async throws {
    let pool = pool(patience: .seconds(600))
    _ = try pool.take()

    async let second = Task.detached { try pool.take() }.value
    pool.drop()

    _ = try await second
    #expect(startedCount == 2)
  }

  @Test func `a worker that says byte by byte that it is ready is ended at the limit`() {
    let script = "printf '\\001' >&0; while sleep 0.05; do printf '\\000' >&0; done"

    let error = #expect(throws: MediaError.self) {
      _ = try WorkerProcess(
        executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script],
        startLimit: .milliseconds(200)
      )
    }

    #expect(error?.code == .workerUnavailable)
  }
}
