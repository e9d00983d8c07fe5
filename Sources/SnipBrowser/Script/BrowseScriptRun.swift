import SnipCore
import SnippetLoading
import SnippetStorage
import TerminalKit

/// Runs a script on a screen without a terminal.
@MainActor
final class BrowseScriptRun {
  /// The time between two repeats of a held key.
  private static let keyInterval = Duration.milliseconds(33)
  /// The time between two lines.
  private static let lineInterval = Duration.seconds(1)

  let screen: BrowseScreen
  private let scripted: ScriptedSurroundings
  private let print: (Frame) throws -> Void

  /// Makes a screen.
  ///
  /// - Parameters:
  ///   - store: The store to browse.
  ///   - filter: The conditions of the list.
  ///   - order: The order of the list.
  ///   - size: The screen.
  ///   - limits: The limits of the loads.
  ///   - drawing: Draws the pictures of rows. The default draws none.
  ///   - matchColor: The colour of search matches. The default is none.
  ///   - programs: The programs that edit, open and play. The default is none.
  ///   - print: Prints the frames that the script dumps.
  init(
    store: SnippetStore,
    filter: SnippetFilter = .all,
    order: SnippetOrder = .newestFirst,
    size: ScreenSize = .usual,
    limits: LoadPipeline.Configuration = LoadPipeline.Configuration(),
    drawing: any PictureDrawing = FactsOnly(),
    matchColor: FrameStyle.Color? = nil,
    programs: (any OtherPrograms)? = nil,
    print: @escaping (Frame) throws -> Void
  ) {
    scripted = ScriptedSurroundings()
    var surroundings = scripted.surroundings(limits: limits, drawing: drawing)
    surroundings.matchColor = matchColor
    surroundings.programs = programs
    screen = BrowseScreen(
      store: store,
      filter: filter,
      order: order,
      size: size,
      surroundings: surroundings
    )
    self.print = print
  }

  /// Runs the lines of a script up to its end, or to a key that quits.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - interrupts: Checked before each line, and while a line waits.
  /// - Throws: ``InterruptedError``, also for the key that interrupts; errors of printing.
  func run(_ script: BrowseScript, interrupts: Interrupts) async throws {
    for step in script.steps {
      try interrupts.throwIfRequested()
      scripted.advance(by: Self.lineInterval)
      switch step {
      case .key(let key, let count):
        for repeatNumber in 0..<count {
          if repeatNumber > 0 { scripted.advance(by: Self.keyInterval) }
          if try take(key) { return }
        }
      case .type(let text):
        for character in text where try take(.character(character)) { return }
      case .paste(let text): screen.paste(text)
      case .wait: try await settle(until: interrupts)
      case .resize(let size): screen.resize(to: size)
      case .dump: try print(screen.frame())
      }
    }
  }

  /// Waits until no work is running and everything on screen is loaded, or the program is asked to
  /// end.
  ///
  /// - Parameter interrupts: The requests to end.
  /// - Throws: ``InterruptedError`` after such a request; running work is not awaited then.
  func settle(until interrupts: Interrupts) async throws {
    try await interrupts.value(of: Task { try await settle() })
  }

  /// Waits until no work is running and everything on screen is loaded.
  ///
  /// - Throws: `CancellationError`
  func settle() async throws {
    screen.rest()
    var finished: SearchResults?
    var isAtRest = false
    while !isAtRest || !screen.work.isEmpty {
      try Task.checkCancellation()
      if let task = screen.work.any {
        await task.value
        continue
      }
      if let results = screen.listing.results, finished !== results {
        finished = results
        // A cancelled search brings nothing more, and the reason of a failure is on the screen.
        try? await results.finish()
        screen.list.refresh()
      }
      isAtRest = try await !scripted.work()
      for loader in screen.lists.loaders { loader.drain() }
    }
  }

  /// Prints the present frame.
  func dump() throws {
    try print(screen.frame())
  }

  /// Gives the screen a key.
  ///
  /// - Returns: Whether it ends the run.
  private func take(_ key: Key) throws -> Bool {
    switch screen.take(key) {
    case .quit: return true
    case .interrupt: throw InterruptedError()
    case .suspend, .redraw, nil: return false
    }
  }
}
