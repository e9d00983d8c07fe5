import ArgumentParser
import SnipCore
import SnippetExchange
import SnippetStorage
import TerminalKit

/// The snippets of a query, in place of their numbers.
struct QueryOption: ParsableArguments {
  // Unconditional, because a query may start with a condition that excludes.
  @Option(
    name: .customLong("query"),
    parsing: .unconditional,
    help: ArgumentHelp("All snippets that `snip search` would find.", valueName: "query"),
    completion: .conditions
  )
  var text: String?

  func validate() throws {
    guard text.map({ !$0.allSatisfy(\.isWhitespace) }) ?? true else {
      throw ValidationError("The query is empty.")
    }
  }

  /// Whether a query was given.
  var isGiven: Bool { text != nil }

  /// Returns the numbers of the found snippets, and tells if there are none.
  ///
  /// - Throws: ``SearchQueryError``; ``SnippetStoreError``.
  func ids(in store: SnippetStore, _ context: CommandContext) async throws -> [SnippetID] {
    let query = try await store.findingFiles(for: SearchQuery(parsing: text ?? ""))
    let results = try await context.cancellable {
      let results = try await store.search(query)
      try await results.finish()
      return results
    }
    var ids: [SnippetID] = []
    let count = try results.count
    for start in stride(from: 0, to: count, by: 1000) {
      ids += try results.rows(in: start..<min(count, start + 1000)).map(\.id)
    }
    if ids.isEmpty {
      let messages = context.console.messages
      messages.writeLine(try await store.emptinessReason(for: query).sentence)
      if let doubt = QueryArgument.mistakenCondition(in: [text ?? ""]) { messages.writeLine(doubt) }
    }
    return ids
  }
}
