import ArgumentParser
import Foundation
import SnipBrowser
import SnipCore
import SnippetBase
import SnippetStorage
import TerminalKit

struct BrowseCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Browse snippets full-screen in the terminal.",
    usage: "snip browse [<query> ...] [options]",
    discussion: """
      Move with the arrow keys, Page Up and Page Down, Home and End; hold a key to go faster. \
      / searches as you type, Enter opens, e edits a text in $VISUAL or $EDITOR, m marks \
      several, d moves to the trash, T shows it, ? lists the keys of the current view, q \
      quits. Changes made by other programs appear as they happen. From 110 columns on, a pane \
      shows more of the selected snippet; v shows a gallery.

      Pictures and waveforms are drawn as coloured symbols; --pixels symbols draws them on a \
      terminal without colours too. Opened pictures are drawn in pixels where the terminal offers \
      them: kitty's, or sixels. Within tmux or screen, --pixels sixel or kitty asks for them.

      The wheel of the mouse scrolls, a click chooses, a double click opens. Hold Shift to select \
      text; --no-mouse leaves the mouse to the terminal.

      e edits a file in a private folder beside the store. What others change or delete in the \
      meantime is not overwritten: you choose. A text that could not be saved, or whose browser \
      was killed, is kept, and offered at the next start.

      o opens a copy in another program, from a private folder, and space plays one with mpv, \
      ffplay, afplay, pw-play, paplay or aplay. The copies are removed when the browser ends, or, if \
      one was used in the last minute, when a later browser starts. y copies through the \
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
    help: """
      Browse the sample library of `snip demo`, and make it if it is missing. A store that --store \
      or $SNIP_STORE names gets the samples only if it is empty.
      """
  )
  var isDemo = false

  @OptionGroup var ordering: OrderOptions

  @Option(
    help: ArgumentHelp(
      "Draw pictures: auto, kitty, sixel, symbols or none; pixels for what is opened.",
      valueName: "form"
    )
  )
  var pixels = PixelsChoice.auto

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
    try StartRoom.require(moreThreads: StartRoom.threadCountOfScreen)
    let browser = Browser(
      try options,
      console: context.console,
      interrupts: context.interrupts,
      environment: context.environment
    )
    guard scriptPath != nil || isDumping else {
      return try await browser.run { try await openStore(in: context) }
    }
    var script: BrowseScript?
    if let scriptPath { script = try await readScript(scriptPath, context) }
    try await browser.run(
      script,
      in: openStore(in: context),
      size: size ?? .usual,
      dumpsAtEnd: isDumping
    )
  }

  private var options: Browser.Options {
    get throws {
      var options = Browser.Options()
      options.filter = filter.filter
      options.order = ordering.order(inTrash: filter.isInTrash)
      options.query = try query.query.text
      options.pixels = pixels
      options.cacheByteLimit = cacheMegabytes << 20
      options.takesMouse = !leavesMouse
      return options
    }
  }

  /// Opens the store, with the reason if it can only be read.
  private func openStore(in context: CommandContext) async throws -> Browser.Opened {
    guard isDemo else {
      var reason: String?
      let store = try await store.openForReading(in: context) { reason = $0 }
      return Browser.Opened(store, readOnlyReason: reason)
    }
    let location = try store.location(in: context).ofDemo
    try location.createFolderIfDefault()
    let store = try await store.open(at: location.url, in: context)
    // A store that the user has named does not get the samples.
    if try await store.count() == 0 {
      try await store.save(contentsOf: DemoLibrary.drafts(until: Date()), skipsDuplicates: true)
    }
    return Browser.Opened(store, readOnlyReason: nil)
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
}

extension PixelsChoice: ExpressibleByArgument {}

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
    reason = error.systemReason
  }

  var status: ExitStatus { .badInput }
  var message: String { "could not read \(path): \(reason)" }
  var hint: String? { nil }
}
