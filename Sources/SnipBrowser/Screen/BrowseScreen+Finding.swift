import SnipCore
import SnippetBase
import SnippetLoading
import SnippetStorage
import TerminalKit

/// The reason why a search or list is empty.
struct Emptiness: Equatable {
  let query: String
  let filter: SnippetFilter
  /// The reason, safe to print; `nil` until it is known.
  var words: String?
}

extension BrowseScreen {
  /// Shows everything that passes the filter, without a search.
  func showList() {
    results?.cancel()
    results = nil
    let snippets = store.list(filter.narrowed(by: SearchQuery(query)) ?? filter, order: order)
    self.snippets = snippets
    show(snippets)
  }

  /// Shows the results of a query; each call ends the former search.
  ///
  /// The list on the screen stays until the first results arrive. A query with only conditions
  /// makes a list, in its order.
  ///
  /// - Parameter text: The text typed so far. If it is empty, everything is shown again, at the
  ///   snippet that was selected.
  func find(_ text: String) {
    guard !text.utf8.elementsEqual(query.utf8) else { return }
    let former = SearchQuery(query)
    query = text
    let wanted = SearchQuery(text)
    guard !wanted.hasWords else { return searchAgain() }
    search.cancel()
    if results != nil || wanted != former { showList(at: list.selectedRow?.id) }
  }

  /// Reports a mistake in the query, once the user has finished typing.
  func tellQueryError() {
    guard let error = SearchQuery(query).error else { return }
    tell(error)
    message += ". " + TerminalText(error.advice).description
  }

  /// Finds out why nothing is on show, if nothing is and nothing more can come.
  func explainEmptiness() {
    let isEmpty = list.count == 0 && results?.isComplete != false && searchTrouble == nil
    let wanted = isEmpty ? Emptiness(query: query, filter: filter) : nil
    guard emptiness?.query != wanted?.query || emptiness?.filter != wanted?.filter else { return }
    // It would keep the next search waiting.
    explanation?.cancel()
    (emptiness, explanation) = (wanted, nil)
    guard let wanted else { return }
    let explanation = Task { [store] in
      // If this fails, reading the rows fails too, and that failure is reported.
      try? await store.reasonForNone(of: SearchQuery(wanted.query), in: wanted.filter)
    }
    self.explanation = explanation
    start { [self] in
      let reason = await explanation.value
      guard emptiness == wanted else { return }
      if let reason { emptiness?.words = reason.sentence } else { emptiness = nil }
    }
  }

  /// Shows snippets of a kind or hides them; the last visible kind stays.
  func toggle(_ kind: SnippetKind) {
    var kinds = filter.kinds ?? Set(SnippetKind.allCases)
    kinds.formSymmetricDifference([kind])
    if kinds.isEmpty { kinds = [kind] }
    filter.kinds = kinds.count == SnippetKind.allCases.count ? nil : kinds
    if results == nil {
      showList(at: list.selectedRow?.id)
    } else {
      searchAgain()
    }
  }

  /// The reason why not everything was searched; `nil` where nothing has failed.
  var searchTrouble: String? {
    results?.failure.flatMap { ErrorReport($0).message?.description }
  }

  /// Retries the search, or else the loads that failed for the selected row.
  ///
  /// - Returns: Whether there is something to retry.
  func retry() -> Bool {
    guard searchTrouble != nil else { return list.retry() }
    searchAgain()
    return true
  }

  private func searchAgain() {
    let (text, filter) = (query, filter)
    start { [self] in
      let found = try await search.results(for: text, in: filter)
      guard query == text, self.filter == filter else { return }
      results?.cancel()
      results = found
      show(found, found: found)
    }
  }

  /// Shows the list, then selects a snippet in it, if it is there and no key has come since.
  func showList(at id: SnippetID?) {
    showList()
    if let id { select(id) }
  }

  /// Selects a snippet wherever it is in the list, unless the user selects another one first.
  func select(_ id: SnippetID) {
    guard results == nil else { return }
    let snippets = snippets
    let selection = list.selection
    start { [self] in
      let position = try await OwnThreads.result { try snippets.position(of: id) }
      guard let position, results == nil, snippets === self.snippets,
        selection == list.selection
      else { return }
      list.select(position)
    }
  }
}
