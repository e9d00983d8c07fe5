import GRDB
import SnippetBase
import Testing

@testable import SnippetStorage

struct LockWaitTests {
  private let clock = Lock(WorkClock.now)
  private let pauses = Lock<[Duration]>([])

  @Test func `who waits looks at the lock at least every 10 milliseconds, until the time is over`()
    throws
  {
    let callback = try callback(.milliseconds(1234))

    // Each wait begins anew.
    for _ in 0..<2 {
      var tryCount = 0
      while callback(tryCount) { tryCount += 1 }

      let pauses = pauses.withLock { pauses in
        defer { pauses = [] }
        return pauses
      }
      #expect(pauses.prefix(11).map(\.milliseconds) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10])
      #expect(pauses.allSatisfy { $0 <= .milliseconds(10) && $0 > .zero })
      #expect(pauses.reduce(.zero, +) == .milliseconds(1234))
    }
  }

  @Test func `who has no time does not wait`() throws {
    #expect(try !callback(.zero)(0))
    #expect(pauses.withLock { $0 } == [])
  }

  private func callback(_ timeout: Duration) throws -> Database.BusyCallback {
    var wait = LockWait(timeout: timeout)
    wait.now = { [clock] in clock.withLock { $0 } }
    wait.sleep = { [clock, pauses] pause in
      clock.withLock { $0 += pause }
      pauses.withLock { $0.append(pause) }
    }
    guard case .callback(let callback) = wait.mode else { throw NoCallback() }
    return callback
  }

  private struct NoCallback: Error {}
}
