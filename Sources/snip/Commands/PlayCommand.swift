import ArgumentParser
import SnipBrowser
import SnipCore
import SnippetStorage
import TerminalKit

struct PlayCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a recording to its end; Ctrl-C stops it.",
    usage: "snip play <id> [options]",
    discussion: """
      Plays with mpv, ffplay, afplay, pw-play, paplay or aplay, the first that is there and can \
      play the recording.

      Examples:
        snip play 3
      """
  )

  // The player must be stopped, and its copy removed.
  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The number of the recording.")
  var id: SnippetID

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let row = try store.row(id) else { throw MissingSnippetsError(ids: [id]) }
    guard row.kind == .voice else { throw NoRecordingError(row: row) }
    let messages = context.console.messages
    if messages.device.isTerminal {
      let title = row.title.isEmpty ? "snippet \(row.id)" : TerminalText(row.title).description
      messages.writeLine("Playing \(title) (\(row.factsText)). Ctrl-C stops it.")
    }
    try await SingleCopy(of: row, in: store, environment: context.environment)
      .play(until: context.interrupts)
    if output.isJSON { try context.console.output.writeLine(row.json) }
  }
}

/// A snippet was to be played that is no recording.
struct NoRecordingError: StatusError {
  let row: SnippetRow

  var status: ExitStatus { .badInput }
  var message: String {
    "could not play snippet \(row.id): it is \(row.kind == .text ? "a text" : "an image")"
  }
  var hint: String? { "To see it: snip \(row.kind == .text ? "show" : "open") \(row.id)" }
}
