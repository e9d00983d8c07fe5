import Foundation
package import SnipCore
import SnippetBase
import SnippetLoading
import SnippetMedia
package import SnippetStorage
import SnippetSync
package import TerminalKit

/// Shows the snippets of a store full-screen in the terminal, or runs a script of keys without one.
package struct Browser: Sendable {
  /// The choices for a browser.
  package struct Options: Sendable {
    /// The conditions that select the snippets of the list.
    package var filter = SnippetFilter.all
    /// The order of the list.
    package var order = SnippetOrder.newestFirst
    /// The words to search for; empty for none.
    package var query = ""
    /// The way in which pictures are drawn.
    package var pixels = PixelsChoice.auto
    /// The most memory for loaded blobs, in bytes.
    package var cacheByteLimit = 64 << 20
    /// Whether the mouse scrolls and selects; otherwise the terminal keeps it.
    package var takesMouse = true

    package init() {}
  }

  /// An open store.
  package struct Opened: Sendable {
    fileprivate let store: SnippetStore
    fileprivate let readOnlyReason: String?

    /// Takes a store.
    ///
    /// - Parameters:
    ///   - store: The store; it is not closed.
    ///   - readOnlyReason: The reason why nothing can be changed in it; `nil` where it can.
    package init(_ store: SnippetStore, readOnlyReason: String?) {
      (self.store, self.readOnlyReason) = (store, readOnlyReason)
    }
  }

  private let options: Options
  private let console: Console
  private let interrupts: Interrupts
  private let environment: [String: String]

  /// Makes a browser that shows nothing yet.
  ///
  /// - Parameters:
  ///   - options: The choices for the browser.
  ///   - console: The terminal to show it on.
  ///   - interrupts: The signals that end it.
  ///   - environment: The environment variables, which tell the abilities of the terminal and name
  ///     the user's editor.
  package init(
    _ options: Options,
    console: Console,
    interrupts: Interrupts,
    environment: [String: String]
  ) {
    self.options = options
    self.console = console
    self.interrupts = interrupts
    self.environment = environment
  }

  // MARK: - On a terminal

  /// Runs on the terminal until the user quits.
  ///
  /// - Parameter open: Opens the store, once there is a terminal.
  /// - Throws: `NoTerminalError`, before the store is opened; errors of `open`;
  ///   ``InterruptedError`` when the program was asked to end; `ConsoleError` when the terminal
  ///   accepts no frame; ``LostChangesError`` when a change failed after the screen had been left.
  @MainActor
  package func run(_ open: () async throws -> Opened) async throws {
    let device = console.output.device
    let abilities = TerminalAbilities(environment: environment)
    let asksForPixels =
      options.pixels == .auto && device.allowsColor && TerminalAbilities.libraryVersion != nil
      && !TerminalAbilities.isMultiplexed(environment)
    // The size of sixels does not depend on cells: where the size of a cell is unknown, they could
    // reach beyond the screen.
    let offered: Set<PictureForm> =
      !asksForPixels ? [] : device.tellsCell ? [.kitty, .sixels] : [.kitty]
    let terminal = try TerminalDevice(
      environment: environment,
      takesMouse: options.takesMouse,
      asksForPixels: asksForPixels
    )
    let opened = try await open()
    let events = ScreenEvents()
    interrupts.whenRequested { events.post(.interrupted) }
    let signals = SignalWatch([SIGWINCH, SIGCONT, SIGTSTP]) { number in
      switch number {
      case SIGWINCH: events.post(.resized)
      case SIGCONT: events.post(.resumed)
      default: events.post(.suspended)
      }
    }
    let screen = BrowseScreen(
      store: opened.store,
      filter: options.filter,
      order: options.order,
      size: terminal.size,
      surroundings: BrowseSurroundings(
        limits: loadLimits,
        drawing: drawing(on: device),
        pixels: options.pixels.form ?? (offered.contains(abilities.form) ? abilities.form : nil),
        offeredPixels: offered,
        matchColor: abilities.colors.matchColor,
        programs: UserPrograms(environment: environment)
      )
    )
    screen.readOnlyReason = opened.readOnlyReason
    screen.listing.find(options.query)
    let loop = BrowseLoop(
      screen: screen,
      device: terminal,
      events: events,
      input: TerminalInput(events: events),
      writer: FrameWriter(sink: FileDescriptorSink(descriptor: STDOUT_FILENO), events: events),
      allowsStyles: device.allowsColor
    )
    if opened.readOnlyReason == nil { screen.kept.offer() }
    OwnThreads.start { PrivateCopies.removeLeftovers() }
    let syncing = Task {
      for await status in StoreSync.statuses(of: opened.store) {
        screen.syncWords = status?.words ?? ""
        screen.work.changeHandler?()
      }
    }
    defer { syncing.cancel() }
    try await show(screen) {
      defer { signals.stop() }
      try await loop.run()
    }
  }

  // MARK: - Without a terminal

  /// Runs a script on a screen without a terminal, and prints the frames that it dumps.
  ///
  /// - Parameters:
  ///   - script: The script; `nil` for none.
  ///   - opened: The store.
  ///   - size: The size of the screen. The default is that of most terminals.
  ///   - dumpsAtEnd: Whether to print the frame at the end, once everything is loaded.
  /// - Throws: ``InterruptedError`` when the program was asked to end; `ConsoleError` when a frame
  ///   cannot be printed; ``LostChangesError`` when a change failed at the end.
  package func run(
    _ script: BrowseScript?,
    in opened: Opened,
    size: ScreenSize = .usual,
    dumpsAtEnd: Bool
  ) async throws {
    let output = console.output
    let run = await BrowseScriptRun(
      store: opened.store,
      filter: options.filter,
      order: options.order,
      size: size,
      limits: loadLimits,
      // The output is plain text.
      drawing: options.pixels == .symbols ? drawing(in: .none, cell: .usual) : FactsOnly()
    ) { try output.write($0.text) }
    let status = try? await StoreSync.status(of: opened.store)
    await MainActor.run {
      run.screen.syncWords = status?.words ?? ""
      run.screen.readOnlyReason = opened.readOnlyReason
      run.screen.listing.find(options.query)
    }
    try await show(run.screen) {
      if let script { try await run.run(script, interrupts: interrupts) }
      guard dumpsAtEnd else { return }
      try await run.settle(until: interrupts)
      try run.dump()
    }
  }

  // MARK: - The end

  /// Shows a screen while some work runs, and ends it once all changes are made.
  @MainActor
  private func show(
    _ screen: BrowseScreen,
    _ body: @MainActor () async throws -> Void
  ) async throws {
    defer { screen.close() }
    do {
      try await body()
    } catch {
      let isInterrupted = ErrorReport(error).status == .interrupted
      if let lost = await finish(screen, isInterrupted: isInterrupted) {
        _ = console.report(lost)
      }
      throw error
    }
    if let lost = await finish(screen, isInterrupted: false) { throw lost }
  }

  @MainActor
  private func finish(_ screen: BrowseScreen, isInterrupted: Bool) async -> LostChangesError? {
    // A user who does not want to wait for the changes can end the program.
    if !interrupts.isRequested { interrupts.endAtFirstRequest() }
    return await screen.finishChanges(isInterrupted: isInterrupted)
  }

  // MARK: - Pictures and limits

  /// Makes the drawing of rows for a terminal.
  private func drawing(on device: OutputDevice) -> any PictureDrawing {
    guard options.pixels != .none, options.pixels != .auto || device.allowsColor else {
      return FactsOnly()
    }
    let abilities = TerminalAbilities(environment: environment)
    return drawing(in: device.allowsColor ? abilities.colors : .none, cell: device.cell)
  }

  private func drawing(in colors: PictureColors, cell: CellShape) -> any PictureDrawing {
    guard TerminalAbilities.libraryVersion != nil else { return FactsOnly() }
    // One more thread for opened snippets.
    let media = WorkerMedia.ofThisProgram(threadCount: loadLimits.workerCount + 1)
    return RowPictures(media: media, colors: colors, cell: cell)
  }

  private var loadLimits: LoadPipeline.Configuration {
    var limits = LoadPipeline.Configuration()
    limits.cacheByteLimit = options.cacheByteLimit
    return limits
  }
}

extension NoTerminalError: StatusError {
  package var status: ExitStatus { .usage }
  package var message: String { "browse needs a terminal that it can draw on" }
  package var hint: String? {
    "`snip list` prints the list; `snip browse --dump` prints one screen."
  }
}
