import SnippetBase
import SnippetLoading

/// Surroundings in which nothing happens by itself, so that a script always gives the same frames.
///
/// Reads are done when the script waits, in the order of the requests, and time passes with its
/// lines.
final class ScriptedSurroundings: Sendable {
  private let works = Lock<[@Sendable () -> Void]>([])
  private let instant = Lock(ContinuousClock.now)

  /// The surroundings for a screen.
  ///
  /// - Parameters:
  ///   - limits: The limits of its loads.
  ///   - drawing: Draws the pictures of rows.
  /// - Returns: The surroundings.
  func surroundings(
    limits: LoadPipeline.Configuration,
    drawing: any PictureDrawing
  ) -> BrowseSurroundings {
    BrowseSurroundings(
      limits: limits,
      drawing: drawing,
      loaderEnvironment: {
        var environment = LoaderEnvironment()
        environment.executeLoad = self.execute
        environment.executeRowRead = self.execute
        // The run drains the loader when the script waits, and there are no retries.
        environment.schedule = { _ in }
        environment.wake = { _, _ in }
        environment.now = { self.now }
        environment.randomSeed = 1
        return environment
      },
      now: { self.now }
    )
  }

  /// The time.
  var now: ContinuousClock.Instant { instant.withLock { $0 } }

  /// Lets time pass.
  func advance(by duration: Duration) {
    instant.withLock { $0 += duration }
  }

  /// Does the waiting reads, on a thread that may block.
  ///
  /// - Returns: Whether there were any.
  func work() async throws -> Bool {
    let waiting = works.withLock { works in
      defer { works = [] }
      return works
    }
    guard !waiting.isEmpty else { return false }
    await OwnThreads.result { for work in waiting { work() } }
    return true
  }

  @Sendable private func execute(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
  }
}
