internal import SnippetStorage

/// The rows on screen in the order that the host knows; the first that is still in the list is the
/// anchor of a change.
struct AnchorCandidates {
  /// Those of the state that the host knows, while a later one has been read; `nil` while the rows
  /// held are of that state.
  private var told: [RowPlace]?

  /// Keeps the rows on screen, the first time after the host was told.
  mutating func keep(_ window: RowWindow, in visible: Range<Int>?) {
    if told == nil { told = Self.places(window, visible) }
  }

  /// The candidates for a change of what the host knows.
  func places(_ window: RowWindow, in visible: Range<Int>?) -> [RowPlace] {
    told ?? Self.places(window, visible)
  }

  /// An anchor with the position that the host knows as the former one.
  func asTold(_ anchor: RowMove) -> RowMove {
    var anchor = anchor
    if let place = told?.first(where: { $0.id == anchor.id }) { anchor.from = place.position }
    return anchor
  }

  /// Notes that the host has been told.
  mutating func forget() {
    told = nil
  }

  private static func places(_ window: RowWindow, _ visible: Range<Int>?) -> [RowPlace] {
    guard let visible, visible.lowerBound > 0 else { return [] }
    return window.range.clamped(to: visible).compactMap { position in
      window[position].map { RowPlace(id: $0.id, position: position) }
    }
  }
}
