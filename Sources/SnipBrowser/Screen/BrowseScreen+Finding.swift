import SnipCore
import SnippetBase
import SnippetLoading
import SnippetStorage
import TerminalKit

/// Why nothing is on show of what was looked for.
struct Emptiness: Equatable {
  let query: String
  let filter: SnippetFilter
  /// The reason, safe to print; `nil` until it is known.
  var words: String?
}

extension BrowseScreen {
  /// Shows all that the filter lets through, without a search.
  func showList() {
    results?.cancel()
    results = nil
    let snippets = store.list(filter.narrowed(by: SearchQuery(query)) ?? filter, order: order)
    self.snippets = snippets
    show(snippets)
  }

  /// Shows what a query asks for; each call gives up what was looked for before.
  ///
  /// The list on the screen stays until the first results are there. A query of conditions only is
  /// a list, in its order.
  ///
  /// - Parameter text: What has been typed so far; with nothing in it all is shown again, at the
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

  /// Tells what is wrong with the query, once it has been typed to its end.
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
      // What keeps the reason from being read keeps the rows from it too, and is told of them.
      try? await store.emptinessReason(for: SearchQuery(wanted.query), in: wanted.filter)
    }
    self.explanation = explanation
    start { [self] in
      let reason = await explanation.value
      guard emptiness == wanted else { return }
      if let reason { emptiness?.words = reason.sentence } else { emptiness = nil }
    }
  }

  /// Lets snippets of a kind through, or no longer; the last kind that is let through stays.
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

  /// Why not everything was searched; `nil` where nothing has failed.
  var searchTrouble: String? {
    results?.failure.flatMap { ErrorReport($0).message?.description }
  }

  /// Makes another attempt at what has failed: the search, else what the selected row lacks.
  ///
  /// - Returns: Whether there is something to try again.
  func retry() -> Bool {
    guard searchTrouble != nil else { return list.retry() }
    searchAgain()
    return true
  }

  private func searchAgain() {
    let (text, filter) = (query, filter)
    start { [self] in
      let found = try await search.results(for: SearchQuery(text), in: filter)
      guard query == text, self.filter == filter else { return }
      results?.cancel()
      results = found
      show(found, found: found)
    }
  }

  /// Shows the list, and then selects a snippet in it, if it is there and no key has come since.
  func showList(at id: SnippetID?) {
    showList()
    if let id { select(id) }
  }

  /// Selects a snippet wherever it stands in the list, if nobody selects another one meanwhile.
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
