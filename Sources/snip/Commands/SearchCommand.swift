import ArgumentParser
import SnipCore
import SnippetExchange
import SnippetStorage
import TerminalKit

struct SearchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find snippets by words and conditions.",
    usage: "snip search <query> ... [options]",
    discussion: """
      Finds words and phrases anywhere in titles, tags and texts, even inside other words, and at the \
      beginning of words in the names of files, ignoring \
      case and accents. Whole words and word beginnings come first, the most relevant on top.

      \(QueryArgument.help)

      Examples:
        snip search potato soup
        snip search '"potato soup" OR stew' -leek
        snip search 'in:title soup tag:recipe after:2024'
        snip search 俳句 --kind text --json
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("The words and conditions to find, as described above.", valueName: "query"),
    completion: .conditions
  )
  var words: [String]

  @Option(help: ArgumentHelp("The most rows to print; 0 prints all.", valueName: "count"))
  var limit = 50

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
  }

  func run(in context: CommandContext) async throws {
    let typed = try QueryArgument.query(words)
    let store = try await store.openForReading(in: context)
    let query = try await store.findingFiles(for: typed)
    let (filter, limit) = (filter.filter, limit == 0 ? .max : limit)
    var printer = RowPrinter(console: context.console, isJSON: output.isJSON, query: query)
    let results = try await context.cancellable {
      let results = try await store.search(query, in: filter)
      if try results.count < limit { try await results.finish() }
      return results
    }
    let count = min(limit, try results.count)
    let step = 1000
    for start in stride(from: 0, to: count, by: step) {
      let (rows, excerpts) = try await context.cancellable {
        let rows = try results.rows(in: start..<min(count, start + step))
        var excerpts: [SnippetID: SearchExcerpt] = [:]
        for row in rows where row.kind == .text {
          let excerpt = try await results.excerpt(of: row.id)
          // Without a match a list's beginning of the text says more.
          guard output.isJSON || excerpt?.matches.isEmpty == false else { continue }
          excerpts[row.id] = excerpt
        }
        return (rows, excerpts)
      }
      try printer.add(printer.format.piece(rows, excerpts: excerpts))
    }
    try printer.finish()
    guard !output.isJSON else { return }
    let messages = context.console.messages
    if count == 0, query.isEmpty {
      messages.writeLine("Nothing found: the query is empty. `snip list` shows all snippets.")
    } else if count == 0 {
      messages.writeLine(try await store.emptinessReason(for: query, in: filter).sentence)
      if let doubt = QueryArgument.doubt(about: words) { messages.writeLine(doubt) }
    } else if count == limit {
      messages.writeLine(
        "The first \(limit). More: --limit \(limit.multipliedReportingOverflow(by: 2).partialValue)"
      )
    }
  }
}
