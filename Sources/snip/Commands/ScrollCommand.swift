import ArgumentParser
import SnipCore
import SnippetStorage
import TerminalKit

struct ScrollCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "scroll",
    abstract: "Scroll through the list as a thumb would, and report what the loader did.",
    usage: "snip scroll [options]",
    discussion: """
      Recycles cells, reads rows as they come into view, and loads blobs for what is visible and \
      about to be. --rows makes a temporary store of that many rows; --blob-mb sets the size of its \
      pictures and recordings. Exits with 1 if a cell ever showed another snippet's content.

      Examples:
        snip scroll --frames 1200
        snip scroll --rows 100000 --cache-mb 8 --json
        snip scroll --rows 100000 --blob-mb 10000
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Make a temporary store of this many rows and scroll it.",
      valueName: "count"
    )
  )
  var rows: Int?

  @Option(
    name: .customLong("blob-mb"),
    help: ArgumentHelp(
      "With --rows: the size of all pictures and recordings. (default: small ones)",
      valueName: "megabytes"
    )
  )
  var blobMegabytes: Int?

  @Option(help: ArgumentHelp("How many rows are visible at a time.", valueName: "count"))
  var viewport = 12

  @Option(help: ArgumentHelp("Seed of the random movement.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("How many frames, at 120 per second.", valueName: "count"))
  var frames = 600

  @Option(
    name: .customLong("cache-mb"),
    help: ArgumentHelp("The most memory for loaded blobs.", valueName: "megabytes")
  )
  var cacheMegabytes = 64

  func validate() throws {
    guard rows.map({ (1...100_000_000).contains($0) }) ?? true else {
      throw ValidationError("--rows must be from 1 to 100000000.")
    }
    guard blobMegabytes.map({ rows != nil && (1...1_000_000).contains($0) }) ?? true else {
      throw ValidationError("--blob-mb must be from 1 to 1000000, with --rows.")
    }
    guard (1...1000).contains(viewport) else {
      throw ValidationError("--viewport must be from 1 to 1000.")
    }
    guard (1...1_000_000).contains(frames) else {
      throw ValidationError("--frames must be from 1 to 1000000.")
    }
    guard (0...1_000_000).contains(cacheMegabytes) else {
      throw ValidationError("--cache-mb must be from 0 to 1000000.")
    }
  }

  func run(in context: CommandContext) async throws {
    try StartRoom.require(moreThreads: StartRoom.threadCountOfScreen)
    var generated: GeneratedStore?
    if let rows {
      generated = try await GeneratedStore.make(
        rowCount: rows,
        blobByteCount: blobMegabytes.map { $0 * 1_000_000 },
        in: context
      )
    }
    let store: SnippetStore
    if let generated {
      store = generated.store
    } else {
      store = try await self.store.openForReading(in: context)
    }
    let run = ScrollRun(
      store: store,
      list: store.list(),
      movement: ScrollMovement(
        seed: seed,
        viewport: viewport,
        frameCount: frames
      ),
      cacheByteLimit: cacheMegabytes << 20
    )
    let report = try await run.run(in: context)
    withExtendedLifetime(generated) {}

    if output.isJSON {
      try context.console.output.writeLine(report.json)
    } else {
      try context.console.output.write(report)
    }
    if report.wrongDeliveries > 0 {
      throw WrongDeliveriesError(count: report.wrongDeliveries)
    }
  }
}

extension ConsoleStream {
  /// Writes the report on a scroll.
  ///
  /// - Throws: ``ConsoleError``
  func write(_ report: ScrollReport) throws(ConsoleError) {
    for (name, text) in report.lines { try writeLine(text, label: name) }
  }
}

/// A cell showed the content of another snippet.
struct WrongDeliveriesError: StatusError {
  let count: Int

  var status: ExitStatus { .failure }
  var message: String { "\(count) cells showed what is not their own" }
  var hint: String? { "This is a fault of the loader; please report it with the seed above." }
}
