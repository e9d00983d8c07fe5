import ArgumentParser
import SnipCore
import SnippetBase
import SnippetExchange
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

  @OptionGroup var ordering: OrderOptions

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("The position to start at, from 0.", valueName: "position")
  )
  var start = 0

  @Option(help: ArgumentHelp("The most rows to print; 0 prints all.", valueName: "count"))
  var limit = 50

  /// Enough rows to be worth waking a thread, and few enough for JSON of any length to take little
  /// memory.
  private static let windowSize = 1024

  func validate() throws {
    guard start >= 0 else { throw ValidationError("--from must not be negative.") }
    guard limit >= 0 else { throw ValidationError("--limit must not be negative.") }
  }

  func run(in context: CommandContext) async throws {
    let words = query.words
    let query = try query.query
    guard !query.hasWords else { throw WordsInListError(query: query, words: words) }
    let store = try await store.openForReading(in: context)
    let found = try await store.findingFiles(for: query)
    guard let filter = filter.filter.narrowed(by: found) else {
      throw WordsInListError(query: query, words: words)
    }
    let list = store.list(filter, order: ordering.order(inTrash: filter.isInTrash))
    var printer = RowPrinter(console: context.console, isJSON: output.isJSON)
    let wanted = start.addingReportingOverflow(limit)
    let (end, counted): (Int, Int?)
    if limit > 0, limit <= Self.windowSize, !wanted.overflow {
      // A single window needs no walk along the whole list.
      let page = try list.firstPage(start..<wanted.partialValue)
      (end, counted) = (start + page.rows.count, page.isCounted ? page.count : nil)
      try printer.add(printer.format.piece(page.rows))
    } else {
      let count = try list.count
      end = limit == 0 || wanted.overflow ? count : min(count, wanted.partialValue)
      counted = count
      try await forEachPiece(of: list, in: start..<max(start, end), printer.format) {
        try printer.add($0)
      }
    }
    try printer.finish()
    guard !output.isJSON else { return }
    let count = if let counted { counted } else { try await store.count(filter) }
    if count == 0 {
      let reason = try await store.emptinessReason(in: filter)
      context.console.messages.writeLine(reason.sentence)
    } else {
      tell(count, end, context.console.messages)
    }
  }

  /// Formats windows of rows, two at a time: one is read while the rows of the other become text.
  private func forEachPiece(
    of list: SnippetList,
    in range: Range<Int>,
    _ format: RowFormat,
    _ body: (RowFormat.Piece) throws -> Void
  ) async throws {
    let windows = stride(from: range.lowerBound, to: range.upperBound, by: Self.windowSize)
      .map { $0..<min(range.upperBound, $0 + Self.windowSize) }
    try await withThrowingTaskGroup(of: (Int, RowFormat.Piece).self) { group in
      var finished: [Int: RowFormat.Piece] = [:]
      var (begunCount, endedCount) = (0, 0)
      repeat {
        while begunCount < min(endedCount + 2, windows.count) {
          group.addTask { [number = begunCount] in
            try await OwnThreads.result {
              (number, format.piece(try list.rows(in: windows[number])))
            }
          }
          begunCount += 1
        }
        guard let (number, piece) = try await group.next() else { return }
        finished[number] = piece
        while let next = finished.removeValue(forKey: endedCount) {
          try body(next)
          endedCount += 1
        }
      } while endedCount < windows.count
    }
  }

  private func tell(_ count: Int, _ end: Int, _ messages: MessageStream) {
    if end <= start {
      messages.writeLine("The list ends before position \(start): it has \(count) snippets.")
    } else if end < count {
      messages.writeLine("\(start + 1)–\(end) of \(count). More: --from \(end)")
    }
  }
}
