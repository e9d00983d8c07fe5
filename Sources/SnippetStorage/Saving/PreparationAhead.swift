import Dispatch
import Foundation
import SnippetBase

/// Prepares the next file on another thread while the previous one is written.
///
/// Reading and hashing it then takes no extra time.
final class PreparationAhead: Sendable {
  private let outcome = Lock<Result<PreparedSnippet, SnippetStoreError>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)
  private let flag = CancellationFlag()

  /// Begins to prepare a draft.
  ///
  /// - Parameters:
  ///   - draft: The draft; must be a file, because other content cannot be read on any thread.
  ///   - now: The present time.
  ///   - operation: The operation, for errors.
  init?(_ draft: SnippetDraft, now: Date, operation: String) {
    guard case .file = draft.content.source else { return nil }
    OwnThreads.start { [self] in
      let preparation = DraftPreparation(now: now, operation: operation, check: flag.check)
      let prepared = Result { () throws(SnippetStoreError) in try preparation.prepare(draft) }
      outcome.withLock { $0 = prepared }
      isDone.signal()
    }
  }

  /// Waits for the prepared draft.
  ///
  /// Call this once, unless you call ``cancel()``.
  ///
  /// - Parameter check: Throws if the draft is no longer needed.
  /// - Returns: The prepared draft.
  /// - Throws: ``SnippetStoreError`` about the draft, or the error of `check`; the work has then
  ///   ended.
  func finish(_ check: () throws -> Void) throws -> PreparedSnippet {
    while isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      do {
        try check()
      } catch {
        cancel()
        throw error
      }
    }
    guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("signalled before") }
    return try outcome.get()
  }

  /// Stops the work and waits for its end; its result is lost.
  func cancel() {
    flag.cancel()
    isDone.wait()
  }
}
