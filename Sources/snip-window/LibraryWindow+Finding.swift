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
      focusList()
    }
    // The down key leads from the search field to the results.
    onSignal("activate", of: builder.object("search")) { [unowned self] _ in
      focusList()
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
    showFilter()
    find()
  }

  /// Shows everything outside the trash again.
  func showAll() {
    for name in ["texts", "images", "voices"] { setOn(name, true) }
    for name in ["pinned", "in-trash"] { setOn(name, false) }
    for name in ["search", "tags", "from", "to"] {
      gtk_editable_set_text(builder.object(name), "")
    }
  }

  private func setOn(_ button: String, _ isOn: Bool) {
    gtk_check_button_set_active(UnsafeMutablePointer(builder.object(button)), isOn ? 1 : 0)
  }

  /// Says what is left out of the list.
  private func showFilter() {
    let isActive = filter != .all
    gtk_widget_set_visible(builder.widget("filter-notice"), isActive ? 1 : 0)
    gtk_widget_set_visible(builder.widget("empty-trash"), filter.isInTrash ? 1 : 0)
    let button = builder.widget("filter")
    if isActive { gtk_widget_add_css_class(button, "filtering") }
    if !isActive { gtk_widget_remove_css_class(button, "filtering") }
    let kinds: [(SnippetKind, String)] = [
      (.text, localized("texts")), (.image, localized("pictures")),
      (.voice, localized("recordings")),
    ]
    var words = kinds.filter { filter.kinds?.contains($0.0) == true }.map(\.1)
    if filter.kinds?.isEmpty == true { words.append(localized("nothing")) }
    if filter.isPinned == true { words.append(localized("pinned")) }
    words += filter.tags.sorted().map { "#\($0)" }
    if day("from") != nil { words.append(localized("from {1}", builder.text(of: "from"))) }
    if day("to") != nil { words.append(localized("to {1}", builder.text(of: "to"))) }
    if filter.isInTrash { words.append(localized("in the trash")) }
    gtk_label_set_text(
      builder.object("filter-words"),
      localized("Only: {1}", words.joined(separator: ", "))
    )
  }

  /// The day in an entry; `nil` if there is none, or it cannot be read.
  private func day(_ entry: String) -> Date? {
    let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
    let text = builder.text(of: entry)
    // The style also reads the beginning of a longer text.
    guard let date = try? style.parse(text), style.format(date) == text else { return nil }
    return date
  }

  /// Marks the entries of days that cannot be read.
  private func showUnreadableDays() {
    var isReadable = true
    for entry in ["from", "to"] {
      let isDay = builder.text(of: entry).isEmpty || day(entry) != nil
      isReadable = isReadable && isDay
      if isDay { gtk_widget_remove_css_class(builder.widget(entry), "error") }
      if !isDay { gtk_widget_add_css_class(builder.widget(entry), "error") }
    }
    gtk_widget_set_visible(builder.widget("date-hint"), isReadable ? 0 : 1)
  }

  /// The range of days; a date that is not complete counts as none.
  private var days: Range<Date>? {
    showUnreadableDays()
    let (from, last) = (day("from"), day("to"))
    guard from != nil || last != nil else { return nil }
    let start = from ?? .distantPast
    let end = last.map { Calendar.current.date(byAdding: .day, value: 1, to: $0) ?? $0 }
    return start..<max(start, end ?? .distantFuture)
  }

  /// Shows the snippets of the search, the filter and the order; each call ends the one before.
  func find() {
    let (query, filter, order) = (query, filter, order)
    let wanted = SearchQuery(query)
    // A search alone looks the files up.
    let conditions = wanted.asksForFiles ? nil : filter.narrowed(by: wanted)
    gtk_widget_set_visible(builder.widget("order"), conditions == nil ? 0 : 1)
    gtk_widget_set_visible(builder.widget("order-hint"), conditions == nil ? 1 : 0)
    // Conditions alone make a list, in the chosen order.
    if let filter = conditions {
      search.cancel()
      return show(store.list(filter, order: order))
    }
    Task {
      do throws(SnippetStoreError) {
        let results = try await search.results(for: wanted, in: filter)
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
