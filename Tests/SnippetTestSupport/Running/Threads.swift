import Foundation
import SnippetBase
import SnippetTesting

/// Threads of a test, which may block.
package enum Threads {
  /// Runs `body` on several threads that start together, and returns their results.
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

  /// The same for asynchronous work: each thread waits for its own.
  package static func atOnce<Result: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (_ number: Int) async throws -> Result
  ) async throws -> [Result] {
    try await atOnce(count) { number in try wait { try await body(number) } }
  }

  /// Runs an asynchronous `body` and blocks until its end: for threads that may, such as those of
  /// ``atOnce(_:_:)`` and those on which a store calls handlers.
  @discardableResult
  package static func wait<Result: Sendable>(
    for body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let outcome = Lock<Swift.Result<Result, any Error>?>(nil)
    let ended = Gate()
    Task {
      do {
        let result = try await body()
        outcome.withLock { $0 = .success(result) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
      ended.open()
    }
    ended.blockUntilOpen()
    guard let outcome = outcome.withLock({ $0 }) else { throw CancellationError() }
    return try outcome.get()
  }
}

extension Sequence {
  /// Maps the elements one after the other with a call that may wait.
  package func asyncMap<Result>(
    isolation actor: isolated (any Actor)? = #isolation,
    _ transform: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
