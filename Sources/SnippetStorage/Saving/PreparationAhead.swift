import Dispatch
import Foundation
import SnippetBase

/// Prepares the file that comes next on another thread, while the one before it is written.
///
/// That it is read and hashed then takes no time of its own.
final class PreparationAhead: Sendable {
  private let outcome = Lock<Result<PreparedSnippet, SnippetStoreError>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)
  private let flag = CancellationFlag()

  /// Begins to prepare a draft.
  ///
  /// - Parameters:
  ///   - draft: What to prepare; only a file can be read on any thread.
  ///   - now: The time.
  ///   - operation: What an error says could not be done.
  init?(_ draft: SnippetDraft, now: Date, operation: String) {
    guard case .file = draft.content.source else { return nil }
    OwnThreads.start { [self] in
      let preparation = DraftPreparation(now: now, operation: operation, check: flag.check)
      let prepared = Result { () throws(SnippetStoreError) in try preparation.prepare(draft) }
      outcome.withLock { $0 = prepared }
      isDone.signal()
    }
  }

  /// Waits for the draft; to be called once, unless ``cancel()`` is.
  ///
  /// - Parameter check: Throws when nobody waits for the draft any more.
  /// - Returns: The draft, prepared.
  /// - Throws: ``SnippetStoreError`` about the draft, or what `check` throws; the work has ended then.
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

  /// Ends the work, of which nobody wants the result any more.
  func cancel() {
    flag.cancel()
    isDone.wait()
  }
}
