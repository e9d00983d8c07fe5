import ArgumentParser
import SnippetStorage
import TerminalKit

struct SearchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find snippets that contain every word.",
    usage: "snip search <word> ... [options]",
    discussion: """
      Finds words and phrases in double quotes anywhere in titles, tags and texts, even inside other \
      words, ignoring case and accents. Whole words and word beginnings come first, the most \
      relevant on top.

      Examples:
        snip search potato soup
        snip search '"potato soup" leek'
        snip search 俳句 --kind text --json
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("The words to find.", valueName: "word"))
  var words: [String]

  @Option(help: ArgumentHelp("The most rows to print.", valueName: "count"))
  var limit = 50

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    let (query, filter, limit) = (words.joined(separator: " "), filter.filter, limit)
    let (rows, excerpts) = try await context.cancellable {
      let results = try await store.search(query, in: filter)
      if try results.count < limit { try await results.finish() }
      let rows = try results.rows(in: 0..<limit)
      var excerpts: [SnippetID: SearchExcerpt] = [:]
      for row in rows where row.kind == .text {
        excerpts[row.id] = try await results.excerpt(of: row.id)
      }
      return (rows, excerpts)
    }
    try RowPrinter(console: context.console, isJSON: output.isJSON, query: SearchQuery(query))
      .print(rows, excerpts: excerpts)
    guard !output.isJSON else { return }
    if rows.isEmpty { context.console.messages.writeLine("Nothing found.") }
    if rows.count == limit {
      context.console.messages.writeLine("The first \(limit). More: --limit \(limit * 2)")
    }
  }
}
