import ArgumentParser
import SnippetStorage
import TerminalKit

struct ListCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List snippets, newest first.",
    usage: "snip list [<query> ...] [options]",
    discussion: """
      \(QueryArgument.help) A list takes conditions only; `snip search` finds words.

      Examples:
        snip list --kind image --tag holiday
        snip list 'kind:image size:>1MB -tag:draft' --order size
        snip list --order title --from 1000 --limit 20
        snip list --since 2w
        snip list --json --limit 0 | jq .title
        snip list --trash
      """
  )

  @OptionGroup var query: QueryArgument
  @OptionGroup var store: StoreOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      """
      What to sort by: created, modified or deleted, latest first, size, largest first, or title, \
      from A. (default: created; deleted for the trash)
      """
    )
  )
  var order: OrderArgument?

  @Flag(name: .customLong("reverse"), help: "Reverse the order.")
  var isReversed = false

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("The position to start at, from 0.", valueName: "position")
  )
  var start = 0

  @Option(help: ArgumentHelp("The most rows to print; 0 prints all.", valueName: "count"))
  var limit = 50

  func validate() throws {
    guard start >= 0 else { throw ValidationError("--from must not be negative.") }
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
  }

  func run(in context: CommandContext) async throws {
    let query = try query.query
    guard let filter = filter.filter.narrowed(by: query) else {
      throw WordsInListError(query: query)
    }
    let store = try await store.openForReading(in: context)
    let chosen = order ?? (filter.isInTrash ? .deleted : .created)
    let list = store.list(filter, order: chosen.order(isReversed: isReversed))
    let count = try list.count
    let end = limit == 0 ? count : min(count, start.addingReportingOverflow(limit).partialValue)
    let printer = RowPrinter(console: context.console, isJSON: output.isJSON)
    // JSON goes out in windows, so that a list of any length takes no memory. A table must know
    // all its rows to be laid out.
    let step = output.isJSON ? 1024 : max(1, end - start)
    var position = start
    while position < end {
      let window = position..<min(end, position + step)
      try printer.print(try list.rows(in: window))
      position = window.upperBound
    }
    guard !output.isJSON else { return }
    if count == 0 {
      let reason = try await store.reasonForNone(in: filter)
      context.console.messages.writeLine(reason.sentence)
    } else {
      tell(count, end, context.console.messages)
    }
  }

  private func tell(_ count: Int, _ end: Int, _ messages: MessageStream) {
    if end <= start {
      messages.writeLine("The list ends before position \(start): it has \(count) snippets.")
    } else if end < count {
      messages.writeLine("\(start)–\(end - 1) of \(count). More: --from \(end)")
    }
  }
}
