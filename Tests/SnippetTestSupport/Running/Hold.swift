import Foundation
import SnippetBase
import SnippetTesting

/// Something that a thread of its own holds until a test releases it.
package final class Hold: Sendable {
  private let (isHeld, mayEnd, hasEnded) = (Gate(), Gate(), Gate())
  private let failure = Lock<(any Error)?>(nil)

  /// Takes something, and returns once it is held.
  ///
  /// - Parameter take: Takes it, and holds it while it calls its argument.
  package init(_ take: @escaping @Sendable (_ hold: () -> Void) throws -> Void) async {
    Thread.detachNewThread { [isHeld, mayEnd, hasEnded, failure] in
      do {
        try take {
          isHeld.open()
          mayEnd.blockUntilOpen()
        }
      } catch {
        failure.withLock { $0 = error }
      }
      // If it could not be taken, waiting would never end.
      isHeld.open()
      hasEnded.open()
    }
    await isHeld.untilOpen()
  }

  deinit {
    mayEnd.open()
  }

  /// Releases it, and waits until it is free; throws the error of taking it.
  package func end() async throws {
    mayEnd.open()
    await hasEnded.untilOpen()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
