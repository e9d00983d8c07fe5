import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import TerminalKit

/// The snippets on show: their filter, their order and the query that finds them.
@MainActor
final class BrowseListing {
  /// The reason why the list is empty.
  struct Emptiness: Equatable {
    let query: String
    let filter: SnippetFilter
    /// The reason, safe to print; `nil` until it is known.
    var words: String?
  }

  /// The conditions for the list, beside the query.
  private(set) var filter: SnippetFilter
  private(set) var order: SnippetOrder
  /// The words and conditions to search for; empty for no search.
  private(set) var query = ""
  /// The results on show; `nil` without a search.
  private(set) var results: SearchResults? {
    didSet {
      // A search can fail without a change of its rows.
      resultsObservation = results?.observeChanges { [weak self] in
        Task { @MainActor in
          self?.explainEmptiness()
          self?.work.changeHandler?()
        }
      }
    }
  }
  /// The reason why nothing is on show; `nil` if something is.
  private(set) var emptiness: Emptiness?

  private let store: SnippetStore
  private let lists: BrowseLists
  private let work: BrowseWork
  private let search: SnippetSearch
  /// The filter and the order before the trash was shown; `nil` while it is not, or was from the
  /// start.
  private var outsideTrash: (SnippetFilter, SnippetOrder)?
  /// The snippets on show without a search.
  private var snippets: SnippetList
  private var resultsObservation: ChangeObservation?
  private var explanation: Task<EmptinessReason?, Never>?

  private var list: BrowseList { lists.list }

  init(
    _ snippets: SnippetList,
    of store: SnippetStore,
    _ filter: SnippetFilter,
    _ order: SnippetOrder,
    in lists: BrowseLists,
    _ work: BrowseWork
  ) {
    (self.snippets, self.store, self.filter, self.order) = (snippets, store, filter, order)
    (self.lists, self.work) = (lists, work)
    search = SnippetSearch(store) { try await store.findingFiles(for: $0) }
    lists.dateKey = order.key
  }

  /// Ends the search.
  func close() {
    search.cancel()
    explanation?.cancel()
    results?.cancel()
  }

  // MARK: - Finding

  /// Shows what a query asks for; each call gives up the search before.
  ///
  /// The list on the screen stays until the first results arrive. A query with only conditions
  /// makes a list, in its order.
  ///
  /// - Parameter text: The query as typed so far; an empty one shows all again, at the snippet that
  ///   was selected.
  func find(_ text: String) {
    guard !text.utf8.elementsEqual(query.utf8) else { return }
    let former = SearchQuery(query)
    query = text
    let wanted = SearchQuery(text)
    guard !wanted.hasWords, !wanted.asksForFiles else { return searchAgain() }
    search.cancel()
    if results != nil || wanted != former { showList() }
  }

  /// Tells the mistake in the query, once it has been typed to its end.
  func tellQueryError() {
    guard let error = SearchQuery(query).error else { return }
    work.tell(error)
    work.message += ". " + TerminalText(error.advice).description
  }

  /// Shows snippets of a kind or hides them; the last visible kind stays.
  func toggle(_ kind: SnippetKind) {
    var kinds = filter.kinds ?? Set(SnippetKind.allCases)
    kinds.formSymmetricDifference([kind])
    if kinds.isEmpty { kinds = [kind] }
    filter.kinds = kinds.count == SnippetKind.allCases.count ? nil : kinds
    if results == nil { showList() } else { searchAgain() }
  }

  /// Shows the trash, latest first, or what was shown before it.
  func toggleTrash() {
    if let former = outsideTrash {
      (filter, order) = former
      outsideTrash = nil
    } else if filter.isInTrash {
      (filter, order) = (.all, .newestFirst)
    } else {
      outsideTrash = (filter, order)
      (filter, order) = (.trash, .recentlyDeletedFirst)
    }
    if results == nil { showList() } else { searchAgain() }
  }

  /// The reason why not everything was searched; `nil` without a failure.
  var searchTrouble: String? {
    results?.failure.flatMap { ErrorReport($0).message?.description }
  }

  /// Tries again what has failed: the search, else what the selected row lacks.
  func retry() {
    if searchTrouble != nil {
      searchAgain()
    } else if !list.retry() {
      work.message = "Nothing has failed here."
    }
  }

  private func searchAgain() {
    let (text, filter) = (query, filter)
    work.start { [self] in
      let found = try await search.results(for: SearchQuery(text), in: filter)
      guard query == text, self.filter == filter else { return }
      results?.cancel()
      results = found
      lists.dateKey = .created
      lists.show(found, found: found)
      explainEmptiness()
    }
  }

  /// Shows the list without a search, at the snippet that is selected.
  private func showList() {
    let selected = list.selectedRow?.id
    results?.cancel()
    results = nil
    snippets = store.list(filter.narrowed(by: SearchQuery(query)) ?? filter, order: order)
    lists.dateKey = order.key
    lists.show(snippets)
    explainEmptiness()
    if let selected { select(selected) }
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
      // A failure to read the reason is one to read the rows, which is told.
      try? await store.emptinessReason(for: SearchQuery(wanted.query), in: wanted.filter)
    }
    self.explanation = explanation
    work.start { [self] in
      let reason = await explanation.value
      guard emptiness == wanted else { return }
      if let reason { emptiness?.words = reason.sentence } else { emptiness = nil }
    }
  }

  // MARK: - Positions

  /// Selects a snippet wherever it stands in the list.
  func select(_ id: SnippetID) {
    selectPosition { try $0.position(of: id) }
  }

  /// Selects a position of the list that takes a while to find, unless another one is selected by
  /// then.
  private func selectPosition(_ find: @escaping @Sendable (SnippetList) throws -> Int?) {
    guard results == nil else { return }
    let (snippets, selection) = (snippets, list.selection)
    work.start { [self] in
      let position = try await OwnThreads.result { try find(snippets) }
      guard let position, results == nil, snippets === self.snippets, selection == list.selection
      else { return }
      list.select(position)
    }
  }

  /// Orders the list by the next key.
  func orderByNext() {
    let keys = SnippetOrder.Key.allCases.filter { $0 != .deleted || filter.isInTrash }
    let place = keys.firstIndex(of: order.key) ?? 0
    let key = keys[(place + 1) % keys.count]
    // People look for the latest and the largest most, and for the first of the alphabet.
    show(SnippetOrder(by: key, isDescending: key != .title))
  }

  /// Reverses the order.
  func reverseOrder() {
    show(SnippetOrder(by: order.key, isDescending: !order.isDescending))
  }

  private func show(_ order: SnippetOrder) {
    self.order = order
    guard results == nil else {
      work.message = "Search results keep their order; the list has the new one."
      return
    }
    showList()
    work.message = order.words.prefix(1).uppercased() + order.words.dropFirst() + "."
  }

  /// Goes to the first snippet of a period, or to its place.
  ///
  /// - Parameter text: The period, as typed.
  /// - Returns: Whether it is one.
  func jump(to text: String) -> Bool {
    guard let period = DatePeriod(text) else {
      work.message = "Type a year, a month or a day: 2024, 2024-03, 2024-03-05."
      return false
    }
    if results != nil {
      work.message = "Search results are not ordered by date; esc ends the search."
    } else if order.date == nil {
      work.message = "The list is ordered by \(order.key.rawValue); s orders it by date."
    } else {
      selectPosition { [order] in try $0.firstPosition { order.reaches(period, $0) } }
    }
    return true
  }
}

extension SnippetOrder {
  /// The order in words, such as `by size, largest first`.
  var words: String {
    switch key {
    case .created: isDescending ? "newest first" : "oldest first"
    case .modified: "by last change, \(isDescending ? "latest" : "earliest") first"
    case .title: "by title, from \(isDescending ? "Z" : "A")"
    case .size: "by size, \(isDescending ? "largest" : "smallest") first"
    case .deleted: "by deletion, \(isDescending ? "latest" : "earliest") first"
    }
  }

  /// The date that snippets are ordered by; `nil` for an order by anything else.
  fileprivate var date: (@Sendable (SnippetRow) -> Date)? {
    switch key {
    case .created: { $0.createdAt }
    case .modified: { $0.modifiedAt }
    case .deleted: { $0.deletedAt ?? $0.createdAt }
    default: nil
    }
  }

  /// Whether a snippet is in a period, or after it.
  fileprivate func reaches(_ period: DatePeriod, _ row: SnippetRow) -> Bool {
    guard let date = date?(row) else { return true }
    return isDescending ? date < period.end : date >= period.start
  }
}

extension SnippetList {
  /// The first position whose row fulfils a condition that all later rows fulfil too; the last
  /// position where none does.
  ///
  /// - Complexity: O(log² *n*), one row read for each step.
  fileprivate func firstPosition(where isReached: (SnippetRow) -> Bool) throws -> Int {
    let count = try count
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      // A list may become shorter on the way.
      guard let row = try page(middle..<middle + 1).rows.first else {
        high = middle
        continue
      }
      if isReached(row) { high = middle } else { low = middle + 1 }
    }
    return min(low, max(0, count - 1))
  }
}
