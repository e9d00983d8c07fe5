public import ArgumentParser
import SnipCore
import SnippetBase
import SnippetLoading
import SnippetStorage
public import SnippetTesting
import TerminalKit

struct ScrollCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "scroll",
    abstract: "Scroll through the list as a thumb would, and report what the loader did.",
    usage: "snip scroll [options]",
    discussion: """
      Recycles cells, reads rows as they come into view, and loads blobs for what is visible and \
      about to be. --rows makes a temporary store of that many rows; --blob-mb sets the size of its \
      pictures and recordings; --edits has another process edit it all the while. Exits with 1 if a \
      cell ever showed another snippet's content.

      --trace records every step of the loader as JSON lines; --replay repeats the movement.

      Examples:
        snip scroll --pattern fling
        snip scroll --rows 100000 --pattern jump --cache-mb 8 --json
        snip scroll --rows 100000 --blob-mb 10000
        snip scroll --rows 100000 --edits 1000
        snip scroll --trace scroll.jsonl
        snip scroll --replay scroll.jsonl --cache-mb 8
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

  @Option(
    help: ArgumentHelp(
      "With --rows: how many random edits another process makes during the scroll.",
      valueName: "count"
    )
  )
  var edits = 0

  @Option(help: ArgumentHelp("How many rows are visible at a time.", valueName: "count"))
  var viewport = 12

  @Option(help: "How the thumb moves.")
  var pattern = ScrollPattern.fling

  @Option(help: ArgumentHelp("Seed of the random movement.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("How many frames, at 120 per second.", valueName: "count"))
  var frames = 600

  @Option(
    name: .customLong("cache-mb"),
    help: ArgumentHelp("The most memory for loaded blobs.", valueName: "megabytes")
  )
  var cacheMegabytes = 64

  @Option(
    name: .customLong("trace"),
    help: ArgumentHelp(
      "Write every step of the loader to this file, replacing it when complete.",
      valueName: "file"
    ),
    completion: .file()
  )
  var tracePath: String?

  @Option(
    name: .customLong("replay"),
    help: ArgumentHelp(
      "Move as in this trace; ignores --pattern, --seed, --viewport and --frames.",
      valueName: "file"
    ),
    completion: .file()
  )
  var replayPath: String?

  func validate() throws {
    guard rows.map({ (1...100_000_000).contains($0) }) ?? true else {
      throw ValidationError("--rows must be from 1 to 100000000.")
    }
    guard blobMegabytes.map({ rows != nil && (1...1_000_000).contains($0) }) ?? true else {
      throw ValidationError("--blob-mb must be from 1 to 1000000, with --rows.")
    }
    guard edits == 0 || rows != nil && (1...1_000_000).contains(edits) else {
      throw ValidationError("--edits must be from 0 to 1000000, with --rows.")
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
    let movement = try await movement()
    // Find out now that a file cannot be written, before anything is done.
    let traceFile = try tracePath.map { path throws(OutputFileError) in
      try ReplacementFile(path: path)
    }
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
      movement: movement,
      cacheByteLimit: cacheMegabytes << 20,
      editCount: edits
    )
    let report = try await run.run(in: context)
    withExtendedLifetime(generated) {}
    if let traceFile { try await write(run.trace, into: traceFile, in: context) }

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

extension ScrollCommand {
  private func movement() async throws -> ScrollMovement {
    if let replayPath { return try await .recorded(in: replayPath) }
    return .thumb(pattern, seed: seed, viewport: viewport, frameCount: frames)
  }

  private func write(
    _ trace: LoaderTrace,
    into file: ReplacementFile,
    in context: CommandContext
  ) async throws {
    let recording = LoaderRecording(trace)
    let lines = try await OwnThreads.result { try recording.jsonLines() }
    try file.write(lines)
    try file.publish()
    if recording.lostCount > 0 {
      context.console.messages.writeLine(
        "The trace holds the last \(recording.events.count) events."
      )
    }
  }
}

extension ScrollPattern: ExpressibleByArgument {}

extension ConsoleStream {
  /// Writes the report of a scroll.
  ///
  /// - Parameter report: The report.
  /// - Throws: ``ConsoleError``
  func write(_ report: ScrollReport) throws(ConsoleError) {
    for (name, value) in report.lines { try writeLine(value, label: name) }
  }
}

/// A cell showed content of another snippet.
struct WrongDeliveriesError: StatusError {
  let count: Int

  var status: ExitStatus { .failure }
  var message: String { "\(count) cells showed what is not their own" }
  var hint: String? { "This is a fault of the loader; please report it with the seed above." }
}
