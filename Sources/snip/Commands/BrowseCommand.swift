import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetLoading
import SnippetMedia
import SnippetStorage
import TerminalKit

struct BrowseCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Browse snippets full-screen in the terminal.",
    usage: "snip browse [<query> ...] [options]",
    discussion: """
      Move with the arrow keys, Page Up and Page Down, Home and End; hold a key to go faster. / \
      searches as you type, Enter opens, e edits a text in $VISUAL or $EDITOR, m marks several, \
      ? lists all keys, q quits. Changes made by other programs appear as they happen. From 110 \
      columns on, a pane shows more of the selected snippet; v shows a gallery.

      Pictures and waveforms are drawn as coloured symbols; --pixels symbols draws them on a \
      terminal without colours too. What is opened is drawn in pixels where the terminal says that \
      it has them: kitty's, or sixels. Within tmux or screen, --pixels sixel or kitty asks for them.

      The wheel of the mouse scrolls, a click chooses, a double click opens. Hold Shift to select \
      text; --no-mouse leaves the mouse to the terminal.

      o opens a copy in another program, from a private folder, and space plays one with mpv, \
      ffplay, afplay, pw-play, paplay or aplay. The copies are removed when the browser ends, or, if \
      one was used in the last minute, when a later browser makes one. y copies through the \
      terminal (OSC 52), which must allow it.

      With --script, keys come from a file. Each line is the name of a key, with a repeat count if \
      the key is held, or one of: type TEXT, paste TEXT, wait, resize 100x30, dump. The line dump \
      prints the screen as plain text.

      \(QueryArgument.help)

      Examples:
        snip browse
        snip browse tag:recipe soup
        snip browse --demo
        snip browse --kind image --order title
        snip browse --dump --size 100x30
        printf 'pagedown 9\\nwait\\ndump\\n' | snip browse --demo --script -
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var query: QueryArgument
  @OptionGroup var store: StoreOptions
  @OptionGroup var color: ColorOptions
  @OptionGroup var filter: FilterOptions

  @Flag(
    name: .customLong("demo"),
    help: "Browse the sample library of `snip demo`, which is made if it is not there."
  )
  var isDemo = false

  @Option(
    help: """
      What to sort by: created, modified or deleted, latest first, size, largest first, or title, \
      from A.
      """
  )
  var order: OrderArgument?

  @Flag(name: .customLong("reverse"), help: "Reverse the order.")
  var isReversed = false

  @Option(
    help: ArgumentHelp(
      "Draw pictures: auto, kitty, sixel, symbols or none; pixels for what is opened.",
      valueName: "form"
    )
  )
  var pixels = BrowsePixels.auto

  @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
  var leavesMouse = false

  @Option(
    name: .customLong("cache-mb"),
    help: ArgumentHelp("The most memory for loaded blobs.", valueName: "megabytes")
  )
  var cacheMegabytes = 64

  @Option(
    name: .customLong("script"),
    help: ArgumentHelp(
      "Read keys from this file, or from standard input with -; needs no terminal.",
      valueName: "file"
    ),
    completion: .file()
  )
  var scriptPath: String?

  @Flag(
    name: .customLong("dump"),
    help: "Print the screen at the end, once everything is loaded; needs no terminal."
  )
  var isDumping = false

  @Option(
    help: ArgumentHelp("The screen size for --script and --dump.", valueName: "columns>x<lines")
  )
  var size: ScreenSize?

  func validate() throws {
    guard (0...1_000_000).contains(cacheMegabytes) else {
      throw ValidationError("--cache-mb must be from 0 to 1000000.")
    }
    guard size == nil || scriptPath != nil || isDumping else {
      throw ValidationError("--size is for --script and --dump; a terminal has its own.")
    }
  }

  var colorChoice: ColorChoice { color.choice }

  func run(in context: CommandContext) async throws {
    guard scriptPath == nil, !isDumping else { return try await runScript(in: context) }
    try await runOnTerminal(in: context)
  }

  @MainActor
  private func runOnTerminal(in context: CommandContext) async throws {
    let query = try query.query
    let abilities = TerminalAbilities(environment: context.environment)
    let asksForPixels =
      pixels == .auto && context.console.output.device.allowsColor
      && TerminalAbilities.libraryVersion != nil
      && !TerminalAbilities.isMultiplexed(context.environment)
    // Sixels are as large as they are, whatever the cells: where those are not known, they could
    // reach beyond the screen.
    let offered: Set<PictureForm> =
      !asksForPixels ? [] : context.console.output.device.tellsCell ? [.kitty, .sixels] : [.kitty]
    let device = try TerminalDevice(
      environment: context.environment,
      takesMouse: !leavesMouse,
      asksForPixels: asksForPixels
    )
    let (store, readOnlyReason) = try await openStore(in: context)
    let events = ScreenEvents()
    context.interrupts.whenRequested { events.post(.interrupted) }
    let hangUps = SignalWatch(context.interrupts, signals: [SIGHUP])
    let signals = SignalWatch([SIGWINCH, SIGCONT, SIGTSTP]) { number in
      switch number {
      case SIGWINCH: events.post(.resized)
      case SIGCONT: events.post(.resumed)
      default: events.post(.suspended)
      }
    }
    let screen = BrowseScreen(
      store: store,
      filter: filter.filter,
      order: chosenOrder.order(isReversed: isReversed),
      size: device.size,
      surroundings: BrowseSurroundings(
        limits: loadLimits,
        drawing: drawing(on: context.console.output.device, in: context),
        pixels: pixels.form ?? (offered.contains(abilities.form) ? abilities.form : nil),
        offeredPixels: offered,
        matchColor: abilities.colors.matchColor,
        programs: UserPrograms(environment: context.environment)
      )
    )
    screen.readOnlyReason = readOnlyReason
    screen.find(query.text)
    defer { hangUps.stop() }
    let loop = BrowseLoop(
      screen: screen,
      device: device,
      events: events,
      input: TerminalInput(events: events),
      writer: FrameWriter(sink: FileDescriptorSink(descriptor: STDOUT_FILENO), events: events),
      allowsStyles: context.console.output.device.allowsColor
    )
    try await show(screen, in: context) {
      defer { signals.stop() }
      try await loop.run()
    }
  }

  /// Shows a screen for as long as some work takes, and ends it once what was changed is so.
  @MainActor
  private func show(
    _ screen: BrowseScreen,
    in context: CommandContext,
    _ body: @MainActor () async throws -> Void
  ) async throws {
    defer { screen.close() }
    do {
      try await body()
    } catch {
      let isInterrupted = ErrorReport(error).status == .interrupted
      if let lost = await finish(screen, isInterrupted: isInterrupted, in: context) {
        _ = context.console.report(lost)
      }
      throw error
    }
    if let lost = await finish(screen, isInterrupted: false, in: context) { throw lost }
  }

  @MainActor
  private func finish(
    _ screen: BrowseScreen,
    isInterrupted: Bool,
    in context: CommandContext
  ) async -> LostChangesError? {
    // Whoever does not want to wait for that can end it.
    if !context.interrupts.isRequested { context.interrupts.endAtFirstRequest() }
    return await screen.finishChanges(isInterrupted: isInterrupted)
  }

  private func runScript(in context: CommandContext) async throws {
    let query = try query.query
    var script: BrowseScript?
    if let scriptPath { script = try await readScript(scriptPath, context) }
    let (store, readOnlyReason) = try await openStore(in: context)
    let output = context.console.output
    let run = await BrowseScriptRun(
      store: store,
      filter: filter.filter,
      order: chosenOrder.order(isReversed: isReversed),
      size: size ?? .usual,
      limits: loadLimits,
      // What is printed is plain text.
      drawing: pixels == .symbols ? drawing(in: .none, cell: .usual) : FactsOnly()
    ) { try output.write($0.text) }
    await MainActor.run {
      run.screen.readOnlyReason = readOnlyReason
      run.screen.find(query.text)
    }
    try await show(run.screen, in: context) {
      if let script { try await run.run(script, interrupts: context.interrupts) }
      guard isDumping else { return }
      try await run.settle(until: context.interrupts)
      try run.dump()
    }
  }

  /// Opens the store; with the reason why it can only be read, if it can.
  private func openStore(
    in context: CommandContext
  ) async throws -> (SnippetStore, readOnlyReason: String?) {
    guard isDemo else {
      var reason: String?
      let store = try await store.openForReading(in: context) { reason = $0 }
      return (store, reason)
    }
    let location = try store.location(in: context).ofDemo
    try location.createFolderIfDefault()
    let store = try await store.open(at: location.url, in: context)
    // What somebody keeps in a store that they have named gets nothing added.
    if try store.list().count == 0 {
      try await store.save(contentsOf: DemoLibrary.drafts(until: Date()), skipsDuplicates: true)
    }
    return (store, nil)
  }

  private func readScript(_ path: String, _ context: CommandContext) async throws -> BrowseScript {
    let bytes: Data
    do {
      bytes = try await OwnThreads.result {
        path == "-"
          ? try context.input.readToEnd()
          : try Data(contentsOf: context.url(path))
      }
    } catch {
      throw UnreadableScriptError(path: path, error)
    }
    return try BrowseScript(String(decoding: bytes, as: UTF8.self))
  }

  private var chosenOrder: OrderArgument { order ?? (filter.isInTrash ? .deleted : .created) }

  /// What draws the rows on a terminal.
  private func drawing(
    on device: OutputDevice,
    in context: CommandContext
  ) -> any PictureDrawing {
    guard pixels != .none, pixels != .auto || device.allowsColor else { return FactsOnly() }
    let abilities = TerminalAbilities(environment: context.environment)
    let colors = device.allowsColor ? abilities.colors : .none
    return drawing(in: colors, cell: device.cell)
  }

  private func drawing(in colors: PictureColors, cell: CellShape) -> any PictureDrawing {
    guard TerminalAbilities.libraryVersion != nil else { return FactsOnly() }
    // One more for what is opened.
    let media = WorkerMedia.ofThisProgram(threadCount: loadLimits.workerCount + 1)
    return RowPictures(media: media, colors: colors, cell: cell)
  }

  private var loadLimits: LoadPipeline.Configuration {
    var limits = LoadPipeline.Configuration()
    limits.cacheByteLimit = cacheMegabytes << 20
    return limits
  }
}

/// How the browser draws pictures.
enum BrowsePixels: String, CaseIterable, Sendable, ExpressibleByArgument {
  case auto, kitty, sixel, symbols, none

  /// The pixels that are asked for, whatever the terminal says; `nil` for others.
  var form: PictureForm? {
    switch self {
    case .kitty: .kitty
    case .sixel: .sixels
    case .auto, .symbols, .none: nil
    }
  }
}

extension ScreenSize: ExpressibleByArgument {
  init?(argument: String) {
    self.init(argument)
  }
}

/// The file of a script cannot be read.
struct UnreadableScriptError: StatusError {
  private let path: String
  private let reason: String

  init(path: String, _ error: any Error) {
    self.path = path
    reason = error.systemNumber.map { String(cString: strerror($0)) } ?? error.localizedDescription
  }

  var status: ExitStatus { .badInput }
  var message: String { "could not read \(path): \(reason)" }
  var hint: String? { nil }
}

extension NoTerminalError: StatusError {
  var status: ExitStatus { .usage }
  var message: String { "browse needs a terminal that it can draw on" }
  var hint: String? { "`snip list` prints the list; `snip browse --dump` prints one screen." }
}
