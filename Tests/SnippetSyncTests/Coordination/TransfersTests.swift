import SnippetBase
import Testing

@testable import SnippetSync

struct TransfersTests {
  @Test(arguments: [1, 3, 100])
  func `results come in the order of the items, and no more run at once than may`(
    limit: Int
  ) async throws {
    let running = Lock((now: 0, most: 0))

    let squares = try await Transfers.map(Array(0..<40), limit: limit) {
      number async throws(SyncError) in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      await Task.yield()
      running.withLock { $0.now -= 1 }
      return number * number
    }

    #expect(squares == (0..<40).map { $0 * $0 })
    #expect(running.withLock(\.most) <= limit)
    #expect(running.withLock(\.now) == 0)
  }

  @Test(arguments: [1, 3])
  func `the first failure is thrown, and nothing else begins`(limit: Int) async {
    let begun = Lock(0)

    let error = await #expect(throws: SyncError.self) {
      try await Transfers.map(Array(0..<40), limit: limit) { number async throws(SyncError) in
        begun.withLock { $0 += 1 }
        // Those behind it too, so that however threads take turns the first to end is a failure.
        if number >= 5 { throw SyncError(.unreachable, "send \(number)", because: "it is gone") }
        return number
      }
    }

    #expect(error?.operation == "send 5")
    #expect(begun.withLock { $0 } <= 5 + limit)
  }
}
