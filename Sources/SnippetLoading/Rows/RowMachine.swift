internal import SnippetStorage

/// The rows of a list in memory, the reads under way, and the state of the list that the host
/// knows.
///
/// A pure state machine: events come in as calls, and it returns the reads and news to act on
/// without acting itself.
///
/// - The rows have the latest state that was read. The host learns of it a moment later. Until then
///   it uses positions of the state that it knows, and ``position(of:)`` translates them.
/// - A read on the main actor may get a later state. The host is not notified from within its own
///   call: another read on a thread of the loader does that.
/// - One such read is under way at a time. A change announced during it is read afterwards.
/// - If such a read fails, it is tried again with the next event of the host. If a read on the main
///   actor fails, it is tried again at once on a thread of the loader.
struct RowMachine {
  /// The news that the host has not got yet.
  struct Untold {
    /// The change since the state that the host knows.
    var batch: ListBatch
    /// The rows read since; `nil` where any row may have changed.
    var rows: [SnippetID: SnippetRow]?
    /// Whether rows were inserted, deleted or moved, or one needs another view.
    var needsOtherCells: Bool
    /// Whether a row needs another view: a batch cannot say so, so the host reloads.
    var changesViews = false
    /// Whether more of the list has been counted, and its rows are those that the host knows.
    var onlyCounts: Bool { batch.version == batch.formerVersion }
  }

  /// The time at which the rows must be read again.
  enum Due {
    /// As soon as no other read is under way.
    case now
    /// With the next event of the host: at once it would fail again.
    case later
  }

  /// The most rows that are planned around the screen.
  let maximumRowCount: Int
  /// Whether the view of a row can show the row's new form.
  var takesSameView: RowWindow.SameView = { $0.kind == $1.kind }
  /// The rows around the viewport.
  var window = RowWindow()
  /// Rows far from the viewport that were asked for, in the window's state or a later one.
  var aside = RowWindow()
  /// The change from the window's state to that of the rows aside; `nil` where both are the same.
  var asideBatch: ListBatch?
  var untold: Untold?
  /// Whether the length of the list that the host knows is that of the whole list.
  var isCounted = false
  /// The rows that were on screen in the state that the host knows, while a later one has been
  /// read; `nil` while the rows held are of that state.
  var toldCandidates: [RowPlace]?
  /// The visible range as the host reported it, in the state that it knows.
  var visible: Range<HostPosition>?
  /// The reason why the last read of the list failed; `nil` once a read succeeds again.
  var failure: LoadError?

  var lastSerial: UInt64 = 0
  /// The read under way on a thread of the loader.
  var underWay: RowRequest?
  /// Whether other rows were read since the read under way began, so that its failure means
  /// nothing.
  var isOvertaken = false
  var due: Due?
  /// Whether an update did not fit the rows in memory, so that all rows must be read again.
  var isWholeDue = false

  init(maximumRowCount: Int) {
    self.maximumRowCount = maximumRowCount
  }

  // MARK: - What is known

  /// The length of the list that the host knows; `nil` before the first read.
  var count: Int? { untold?.batch.formerCount ?? window.count }

  /// The window position of a row that the host knows; that of the next row if it is gone.
  ///
  /// - Parameter told: A position in the state that the host knows.
  /// - Returns: The position; `nil` outside of that state. After a reset the position is returned
  ///   unchanged.
  func position(of told: HostPosition) -> WindowPosition? {
    let told = told.rawValue
    guard let batch = untold?.batch, !batch.isReset else { return WindowPosition(told) }
    return batch.position(of: told).map { WindowPosition($0) }
  }

  /// The visible range in the window's state; `nil` until the host has reported it.
  var shown: Range<WindowPosition>? {
    guard let visible else { return nil }
    let list = Range<WindowPosition>(0..<(window.count ?? RowWindow.longestCount))
    let unmoved = Range<WindowPosition>(visible.rawValues)
    guard untold != nil else { return unmoved.clamped(to: list) }
    guard let start = position(of: visible.lowerBound), let last = visible.last else {
      return (unmoved.lowerBound..<unmoved.lowerBound).clamped(to: list)
    }
    let end = position(of: last).map { $0.advanced(by: 1) } ?? list.upperBound
    return (start..<max(start, end)).clamped(to: list)
  }

  /// The rows on screen in their order; the first that is still in the list is the anchor of a
  /// change.
  var candidatesOnScreen: [RowPlace] {
    guard let shown = shown?.rawValues, shown.lowerBound > 0 else { return [] }
    return window.range.clamped(to: shown).compactMap { position in
      window[position].map { RowPlace(id: $0.id, position: position) }
    }
  }

  /// The row at a position that the host knows, if a look-up is enough.
  func rowAtOnce(_ told: HostPosition) -> SnippetRow? {
    untold == nil && due == nil ? window[told.rawValue] : nil
  }

  /// The row at a position in the window's state, if it is in memory.
  func row(at position: WindowPosition) -> SnippetRow? {
    if let row = window[position.rawValue] { return row }
    guard aside.listVersion == window.listVersion || asideBatch != nil else { return nil }
    return aside[placeAside(of: position).rawValue]
  }

  /// Translates a position in the window's state to that of the rows aside.
  func placeAside(of position: WindowPosition) -> AsidePosition {
    AsidePosition(asideBatch?.position(of: position.rawValue) ?? position.rawValue)
  }

  /// The snippet at a position that the host knows, if it is in memory.
  ///
  /// - Parameter told: A position in the state that the host knows.
  /// - Returns: The snippet; `nil` where it is gone and the host will be notified, and where it is
  ///   unknown. So no snippet is at two positions.
  func id(at told: HostPosition) -> SnippetID? {
    guard let place = Self.place(of: told.rawValue, after: untold?.batch) else { return nil }
    if let row = window[place] { return row.id }
    guard row(at: WindowPosition(place)) != nil else { return nil }
    return Self.place(of: place, after: asideBatch).flatMap { aside[$0]?.id }
  }

  static func place(of position: Int, after batch: ListBatch?) -> Int? {
    guard let batch else { return position }
    guard !batch.isReset, !batch.removed.contains(where: { $0.position == position }) else {
      return nil
    }
    return batch.position(of: position)
  }

  /// The number of rows to read beyond the needed ones, so that a fast scroll never waits for one.
  var margin: Int { max(32, 2 * (shown?.count ?? 0)) }

  // MARK: - What the host does

  /// Sets the visible range that the host reports.
  mutating func look(at positions: Range<HostPosition>) {
    visible = positions.clamped(to: Range(0..<(count ?? RowWindow.longestCount)))
    if due == .later { due = .now }
  }

  /// Notes that the list has changed.
  mutating func listDidChange() {
    if window.count != nil || failure != nil { due = .now }
  }

  /// Drops the rows far from the needed ones.
  mutating func trim(around needed: Range<WindowPosition>) {
    let needed = needed.rawValues
    let reach = max(maximumRowCount, 4 * margin)
    window.trim(to: max(0, needed.lowerBound - reach)..<needed.upperBound + reach)
  }

  /// Forgets the list; the read under way no longer counts.
  mutating func removeAll() {
    var emptied = RowMachine(maximumRowCount: maximumRowCount)
    emptied.takesSameView = takesSameView
    emptied.lastSerial = lastSerial
    self = emptied
  }
}

/// A position in one state of a list.
///
/// Positions of different states have different types, so that they cannot be mixed up.
protocol RowPosition: Strideable, Hashable, Sendable where Stride == Int {
  /// The position, counted from 0.
  var rawValue: Int { get }

  init(_ rawValue: Int)
}

extension RowPosition {
  func distance(to other: Self) -> Int { other.rawValue - rawValue }

  func advanced(by distance: Int) -> Self { Self(rawValue + distance) }
}

/// A position in the state that the host knows.
struct HostPosition: RowPosition {
  let rawValue: Int

  init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A position in the state of the rows around the viewport, which the host may not know yet.
struct WindowPosition: RowPosition {
  let rawValue: Int

  init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A position in the state of the rows aside, which may be later than that of the window.
struct AsidePosition: RowPosition {
  let rawValue: Int

  init(_ rawValue: Int) { self.rawValue = rawValue }
}

extension Range where Bound: RowPosition {
  init(_ rawValues: Range<Int>) {
    self = Bound(rawValues.lowerBound)..<Bound(rawValues.upperBound)
  }

  var rawValues: Range<Int> { lowerBound.rawValue..<upperBound.rawValue }
}
