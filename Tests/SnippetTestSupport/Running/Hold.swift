import Foundation
import SnippetBase
import SnippetTesting

/// Something that a thread of its own holds until a test lets go of it.
package final class Hold: Sendable {
  private let (isHeld, mayEnd, hasEnded) = (Gate(), Gate(), Gate())
  private let failure = Lock<(any Error)?>(nil)

  /// Takes something, and returns once it is held.
  ///
  /// - Parameter take: Takes it, and has it while it calls what it is given.
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
      // What could not be taken is not waited for.
      isHeld.open()
      hasEnded.open()
    }
    await isHeld.untilOpen()
  }

  deinit {
    mayEnd.open()
  }

  /// Lets go, and waits until it is free; throws what taking it threw.
  package func end() async throws {
    mayEnd.open()
    await hasEnded.untilOpen()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
