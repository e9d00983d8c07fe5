public import ArgumentParser
public import SnippetLoader
import SnippetStore

struct ScrollCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "scroll",
    abstract: "Scroll through the list as a thumb would, and tell what the loader did.",
    usage: "snip scroll [options]",
    discussion: """
      Cells are recycled, rows are read as they come into view, and blobs are loaded for what is \
      visible and about to be. With --rows, a store of that many rows is made for it and deleted \
      afterwards. Ends with 1 if a cell ever showed what is not its own.

      Examples:
        snip scroll --pattern fling
        snip scroll --rows 100000 --pattern jump --cache-mb 8 --json
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Make a store of so many rows and scroll that.", valueName: "count"))
  var rows: Int?

  @Option(help: ArgumentHelp("How many rows are visible at a time.", valueName: "count"))
  var viewport = 12

  @Option(help: "How the thumb moves.")
  var pattern = ScrollPattern.fling

  @Option(help: ArgumentHelp("Tells movements of one pattern apart.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("How many frames, 120 a second.", valueName: "count"))
  var frames = 600

  @Option(
    name: .customLong("cache-mb"),
    help: ArgumentHelp("The most memory that loaded blobs may take.", valueName: "megabytes")
  )
  var cacheMegabytes = 64

  func validate() throws {
    guard rows.map({ (1...100_000_000).contains($0) }) ?? true else {
      throw ValidationError("--rows must be from 1 to 100000000.")
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
    var generated: GeneratedStore?
    if let rows { generated = try await GeneratedStore.make(rowCount: rows, in: context) }
    let store: SnippetStore
    if let generated {
      store = generated.store
    } else {
      store = try await self.store.openForReading(in: context)
    }
    let report = try await ScrollRun(
      store: store,
      list: store.list(),
      viewport: viewport,
      pattern: pattern,
      seed: seed,
      frameCount: frames,
      cacheByteLimit: cacheMegabytes << 20
    ).run(in: context)
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

extension ScrollPattern: ExpressibleByArgument {}

extension ConsoleStream {
  /// Writes what happened while a list was scrolled.
  ///
  /// - Parameter report: What happened.
  /// - Throws: ``ConsoleError``
  func write(_ report: ScrollReport) throws(ConsoleError) {
    for (name, value) in report.lines {
      try writeLine("\(device.styled(name.padded(toWidth: 9), .faint)) \(value)")
    }
  }
}

/// A cell showed what is not its own.
struct WrongDeliveriesError: StatusError {
  let count: Int

  var status: ExitStatus { .failure }
  var message: String { "\(count) cells showed what is not their own" }
  var hint: String? { "This is a fault of the loader; please report it with the seed above." }
}
