import Foundation
import SnippetBase
import SnippetStorage
import SnippetTesting

/// Threads of a test's own, which may block as they like.
package enum Threads {
  /// Runs `body` on several threads that start together, and gives what each one came to.
  package static func atOnce<Result: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (_ number: Int) throws -> Result
  ) async throws -> [Result] {
    let start = Gate()
    let outcomes = Lock<[Int: Swift.Result<Result, any Error>]>([:])
    let ended = (0..<count).map { number in
      let ended = Gate()
      Thread.detachNewThread {
        start.blockUntilOpen()
        let outcome = Swift.Result { try body(number) }
        outcomes.withLock { $0[number] = outcome }
        ended.open()
      }
      return ended
    }
    start.open()
    for gate in ended { await gate.untilOpen() }
    let results = outcomes.withLock { $0 }
    return try (0..<count).compactMap { try results[$0]?.get() }
  }

  /// Runs `body` on a thread of its own and waits for it.
  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await atOnce(1) { _ in try body() }[0]
  }
}
