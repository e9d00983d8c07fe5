import SnippetLoading
import TerminalKit

/// The surroundings of a browser.
struct BrowseSurroundings: Sendable {
  /// The limits of its loads.
  var limits = LoadPipeline.Configuration()
  /// Draws the pictures of rows.
  var drawing: any PictureDrawing = FactsOnly()
  /// The form of opened pictures in pixels; `nil` for symbols.
  var pixels: PictureForm?
  /// The forms to use once the terminal reports that it can show them.
  var offeredPixels: Set<PictureForm> = []
  /// The colour of search matches; `nil` where the terminal has none.
  var matchColor: FrameStyle.Color?
  /// The style of the title of the selected row, unlike that of the bar where there are colours: the
  /// user's own cyan, as for waveforms.
  var selectionStyle: FrameStyle {
    FrameStyle(
      isBold: true,
      isReversed: true,
      foreground: matchColor == nil ? nil : .palette(6)
    )
  }
  /// The programs that edit, open and play; `nil` where there is no terminal for them.
  var programs: (any OtherPrograms)?
  /// Threads, turns of the main actor and the clock of the loaders.
  var loaderEnvironment: @Sendable () -> LoaderEnvironment = { LoaderEnvironment() }
  /// Reads the clock for held keys and the times of frames.
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
}
