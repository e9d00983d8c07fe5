import ArgumentParser
import SnipBrowser
import SnippetStorage
import TerminalKit

struct OpenCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open a snippet in the desktop's program for it.",
    usage: "snip open <id> [options]",
    discussion: """
      The program, found by xdg-open, or by open on macOS, gets a copy in a private folder. \
      Changes to the copy are not read back: `snip edit` edits a text. The copy is removed \
      when `snip open`, `play` or `browse` starts again, more than a minute later.

      Examples:
        snip open 7
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The number of the snippet.")
  var id: SnippetID

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let row = try store.row(id) else { throw MissingSnippetsError(ids: [id]) }
    try await SingleCopy(of: row, in: store, environment: context.environment).open()
    if output.isJSON { try context.console.output.writeLine(row.json) }
  }
}
