import Foundation
import SnippetBase
import SnippetStorage

extension BrowseScreen {
  /// Orders the list by the next key, and keeps the selected snippet in view.
  func orderByNext() {
    let keys = SnippetOrder.Key.allCases.filter { $0 != .deleted || filter.isInTrash }
    let place = keys.firstIndex(of: order.key) ?? 0
    let key = keys[(place + 1) % keys.count]
    // People look for the latest and the largest, and for the start of the alphabet.
    show(SnippetOrder(by: key, isDescending: key != .title))
  }

  /// Reverses the order.
  func reverseOrder() {
    show(SnippetOrder(by: order.key, isDescending: !order.isDescending))
  }

  private func show(_ order: SnippetOrder) {
    self.order = order
    guard results == nil else {
      message = "Search results keep their order; the list has the new one."
      return
    }
    showList(at: list.selectedRow?.id)
    message = "By \(order.words)."
  }

  /// Goes to the first snippet of a period, or to its place.
  ///
  /// - Parameter text: The typed text.
  /// - Returns: Whether it is a date, and the list is ordered by one.
  func jump(to text: String) -> Bool {
    guard let period = DatePeriod(text) else {
      message = "Type a year, a month or a day: 2024, 2024-03, 2024-03-05."
      return false
    }
    guard results == nil else {
      message = "Search results are not ordered by date; esc ends the search."
      return true
    }
    guard order.date != nil else {
      message = "The list is ordered by \(order.key.rawValue); s orders it by date."
      return true
    }
    let (snippets, order, selection) = (snippets, order, list.selection)
    start { [self] in
      let position = try await OwnThreads.result {
        try snippets.firstPosition { order.reaches(period, $0) }
      }
      guard results == nil, snippets === self.snippets, selection == list.selection else { return }
      list.select(position)
    }
    return true
  }
}

extension SnippetOrder {
  /// The order in words.
  var words: String {
    let end = key == .title ? (isDescending ? "from Z" : "from A") : Self.ends[isDescending]
    return "\(key.rawValue), \(end ?? "")"
  }

  private static let ends = [true: "latest or largest first", false: "earliest or smallest first"]

  /// The date that snippets are ordered by; `nil` for other orders.
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
      // The list may have become shorter since.
      guard let row = try page(middle..<middle + 1).rows.first else {
        high = middle
        continue
      }
      if isReached(row) { high = middle } else { low = middle + 1 }
    }
    return min(low, max(0, count - 1))
  }
}
