import SnippetLoading
import SnippetStorage
import TerminalKit

/// What a browser takes from its surroundings.
struct BrowseSurroundings: Sendable {
  /// The limits of its loads.
  var limits = LoadPipeline.Configuration()
  /// Draws the pictures of rows.
  var drawing: any PictureDrawing = FactsOnly()
  /// The colour of what was looked for; `nil` where the terminal has none.
  var matchColor: FrameStyle.Color?
  /// Threads, turns of the main actor and the clock of the loaders.
  var loaderEnvironment: @Sendable () -> SnippetLoader.Environment = { SnippetLoader.Environment() }
  /// Reads the clock by which keys are held and frames are timed.
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
}
