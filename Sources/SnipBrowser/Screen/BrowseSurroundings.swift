import SnippetLoading
import SnippetStorage
import TerminalKit

/// What a browser takes from its surroundings.
struct BrowseSurroundings: Sendable {
  /// The limits of its loads.
  var limits = LoadPipeline.Configuration()
  /// Draws the pictures of rows.
  var drawing: any PictureDrawing = FactsOnly()
  /// The pixels that opened pictures are drawn in; `nil` for symbols.
  var pixels: PictureForm?
  /// The pixels that are taken when the terminal says that it can show them.
  var offeredPixels: Set<PictureForm> = []
  /// The colour of what was looked for; `nil` where the terminal has none.
  var matchColor: FrameStyle.Color?
  /// The programs that edit, open and play; `nil` where there is no terminal for them.
  var programs: (any OtherPrograms)?
  /// Threads, turns of the main actor and the clock of the loaders.
  var loaderEnvironment: @Sendable () -> LoaderEnvironment = { LoaderEnvironment() }
  /// Reads the clock by which keys are held and frames are timed.
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
}
