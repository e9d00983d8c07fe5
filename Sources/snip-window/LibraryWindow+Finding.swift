#if GTK
import CGTK
import Foundation
import SnipCore
import SnippetGTK
import SnippetLoading
import SnippetStorage

/// Search, filter and order.
extension LibraryWindow {
  var query: String { builder.text(of: "search") }

  func connectFinding() {
    onSignal("search-changed", of: builder.object("search")) { [unowned self] _ in find() }
    onSignal("stop-search", of: builder.object("search")) { [unowned self] _ in
      gtk_editable_set_text(builder.object("search"), "")
      gtk_widget_grab_focus(current.widget)
    }
    // The down key leads from the search field to the results.
    onSignal("activate", of: builder.object("search")) { [unowned self] _ in
      gtk_widget_grab_focus(current.widget)
      if let error = SearchQuery(query).error { tell(error) }
    }
    for name in ["texts", "images", "voices", "pinned", "in-trash"] {
      onSignal("toggled", of: builder.object(name)) { [unowned self] _ in filterDidChange() }
    }
    for name in ["tags", "from", "to"] {
      onSignal("changed", of: builder.object(name)) { [unowned self] _ in filterDidChange() }
    }
    onSignal("notify::selected", of: builder.object("order")) { [unowned self] _ in find() }
  }

  private var order: SnippetOrder {
    let orders: [SnippetOrder] = [
      .newestFirst, .oldestFirst, .recentlyModifiedFirst, .byTitle, .largestFirst,
    ]
    return orders[min(Int(gtk_drop_down_get_selected(builder.object("order"))), orders.count - 1)]
  }

  private func filterDidChange() {
    let chosen: [SnippetKind] = [
      builder.isOn("texts") ? .text : nil, builder.isOn("images") ? .image : nil,
      builder.isOn("voices") ? .voice : nil,
    ].compactMap(\.self)
    var filter = SnippetFilter(isInTrash: builder.isOn("in-trash"))
    filter.kinds = chosen.count == 3 ? nil : Set(chosen)
    filter.isPinned = builder.isOn("pinned") ? true : nil
    filter.tags = Set(builder.text(of: "tags").tagWords)
    filter.createdAt = days
    self.filter = filter
    find()
  }

  /// The range of days; a date that is not complete counts as none.
  private var days: Range<Date>? {
    let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
    func date(_ entry: String) -> Date? { try? style.parse(builder.text(of: entry)) }
    let (from, last) = (date("from"), date("to"))
    guard from != nil || last != nil else { return nil }
    let start = from ?? .distantPast
    let end = last.map { Calendar.current.date(byAdding: .day, value: 1, to: $0) ?? $0 }
    return start..<max(start, end ?? .distantFuture)
  }

  /// Shows the snippets of the search, the filter and the order; each call ends the one before.
  func find() {
    let (query, filter, order) = (query, filter, order)
    // Conditions alone make a list, in the chosen order.
    if let filter = filter.narrowed(by: SearchQuery(query)) {
      search.cancel()
      return show(store.list(filter, order: order))
    }
    Task {
      do throws(SnippetStoreError) {
        let results = try await search.results(for: SearchQuery(query), in: filter)
        guard query == self.query, filter == self.filter else { return }
        show(results)
      } catch {
        // A cancelled search was replaced by the next.
        if error.code != .cancelled { tell(error) }
      }
    }
  }

  private func show(_ list: any RowList) {
    shownList = list
    model.show(list)
    showPage()
    if let selected = model.selectedPositions.first { current.scroll(to: selected) }
  }
}

extension String {
  /// The tags in a typed text.
  var tagWords: [String] {
    split { $0.isWhitespace || $0 == "," }.map { String($0.hasPrefix("#") ? $0.dropFirst() : $0) }
      .filter { !$0.isEmpty }
  }
}
#endif
