import ArgumentParser
import SnipCore
import SnippetBase
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
    let wanted = start.addingReportingOverflow(limit)
    let end = limit == 0 || wanted.overflow ? count : min(count, wanted.partialValue)
    var printer = RowPrinter(console: context.console, isJSON: output.isJSON)
    // Each window of rows is read while the previous one is printed. They are small enough for their
    // memory to be reused, so that JSON of any length takes none.
    let step = 256
    var rows = start < end ? try list.rows(in: start..<min(end, start + step)) : []
    for position in stride(from: start, to: end, by: step) {
      let next = min(end, position + step)..<min(end, position + step + step)
      async let following = OwnThreads.result { next.isEmpty ? [] : try list.rows(in: next) }
      try printer.add(rows)
      rows = try await following
    }
    try printer.finish()
    guard !output.isJSON else { return }
    if count == 0 {
      let reason = try await store.emptinessReason(in: filter)
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
