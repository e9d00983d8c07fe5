internal import SnippetStorage

/// The rows of a list that are in memory, what is being read of it, and which state of it the host
/// knows.
///
/// A pure state machine: events come in as calls, and what is to be read or told comes back; nothing
/// is done here.
///
/// - The rows are of the latest state that was read. The host is told of it a moment later. Until
///   then it speaks of positions in the state that it knows, and ``position(of:)`` says where those
///   are now.
/// - What the main actor reads may be of a later state. The host is not told from within its own
///   call: another read apart tells it.
/// - One read apart is under way at a time. A change that is announced meanwhile is read after it.
/// - A read that fails apart is tried again with the next event of the host, one that fails on the
///   main actor at once, apart.
struct RowMachine {
  /// What the host has not been told.
  struct Untold {
    /// What became of the list since the state that the host knows.
    var batch: ListBatch
    /// The rows that were read since; `nil` where any row may have changed.
    var rows: [SnippetID: SnippetRow]?
    /// Whether rows came, went or moved, or one takes another view.
    var needsOtherCells: Bool
    /// Whether one takes another view: no batch can say so, and a reload is told.
    var changesViews = false
  }

  /// When the rows must be read again.
  enum Due {
    /// As soon as nothing else is read.
    case now
    /// With the next event of the host: at once it would fail again.
    case later
  }

  /// The most rows that are planned for around the screen.
  let maximumRowCount: Int
  /// Whether the view that shows a row can show what became of it.
  var takesSameView: RowWindow.SameView = { $0.kind == $1.kind }
  /// The rows around the viewport.
  var window = RowWindow()
  /// Rows far from the viewport that were asked for, of the window's state or of a later one.
  var aside = RowWindow()
  /// What became of the list from the window's state to that of the rows aside; `nil` where they are
  /// of the same.
  var asideBatch: ListBatch?
  var untold: Untold?
  /// The rows that were on screen in the state that the host knows, while a later one has been read;
  /// `nil` while the rows held are of that state.
  var toldCandidates: [RowPlace]?
  /// What is visible, as the host has said, in the state that it knows.
  var visible: Range<HostPosition>?
  /// Why the list could not be read the last time; `nil` once it has been read again.
  var failure: LoadError?

  var lastSerial: UInt64 = 0
  /// The read apart that is under way.
  var underWay: RowRequest?
  /// Whether rows were read since the read under way began: its failure says nothing any more.
  var isOvertaken = false
  var due: Due?
  /// Whether an update did not fit what is held, so that all rows must be read again.
  var isWholeDue = false

  init(maximumRowCount: Int) {
    self.maximumRowCount = maximumRowCount
  }

  // MARK: - What is known

  /// The length of the list that the host knows; `nil` before anything was read.
  var count: Int? { untold?.batch.formerCount ?? window.count }

  /// Where a row that the host knows stands in the window's state; the next one, if it is gone.
  ///
  /// - Parameter told: A position in the state that the host knows.
  /// - Returns: The position; `nil` outside of that state. After a reset nobody can tell, and it is
  ///   the same.
  func position(of told: HostPosition) -> WindowPosition? {
    let told = told.rawValue
    guard let batch = untold?.batch, !batch.isReset else { return WindowPosition(told) }
    return batch.position(of: told).map { WindowPosition($0) }
  }

  /// What is visible, in the window's state; `nil` until the host has said.
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

  /// The rows on screen in their order; the first that is still in the list is the anchor of a change.
  var candidatesOnScreen: [RowPlace] {
    guard let shown = shown?.rawValues, shown.lowerBound > 0 else { return [] }
    return window.range.clamped(to: shown).compactMap { position in
      window[position].map { RowPlace(id: $0.id, position: position) }
    }
  }

  /// The row at a position that the host knows, if there is nothing more to it than to look it up.
  func rowAtOnce(_ told: HostPosition) -> SnippetRow? {
    untold == nil && due == nil ? window[told.rawValue] : nil
  }

  /// The row at a position in the window's state, if it is in memory.
  func row(at position: WindowPosition) -> SnippetRow? {
    if let row = window[position.rawValue] { return row }
    guard aside.listVersion == window.listVersion || asideBatch != nil else { return nil }
    return aside[placeAside(of: position).rawValue]
  }

  /// Where what stands at a position in the window's state does in that of the rows aside.
  func placeAside(of position: WindowPosition) -> AsidePosition {
    AsidePosition(asideBatch?.position(of: position.rawValue) ?? position.rawValue)
  }

  /// Which snippet stands at a position that the host knows, if that is in memory.
  ///
  /// - Parameter told: A position in the state that the host knows.
  /// - Returns: The snippet; `nil` where it is gone by now, which the host will be told, and where
  ///   nobody can tell. So no snippet is at two positions.
  func id(at told: HostPosition) -> SnippetID? {
    guard let place = Self.place(of: told.rawValue, after: untold?.batch) else { return nil }
    if let row = window[place] { return row.id }
    guard row(at: WindowPosition(place)) != nil else { return nil }
    return Self.place(of: place, after: asideBatch).flatMap { aside[$0]?.id }
  }

  private static func place(of position: Int, after batch: ListBatch?) -> Int? {
    guard let batch else { return position }
    guard !batch.isReset, !batch.removed.contains(where: { $0.position == position }) else {
      return nil
    }
    return batch.position(of: position)
  }

  /// How many rows are read beyond what is needed, so that a fast scroll never waits for one.
  var margin: Int { max(32, 2 * (shown?.count ?? 0)) }

  // MARK: - What the host does

  /// The host says what is visible.
  mutating func look(at positions: Range<HostPosition>) {
    visible = positions.clamped(to: Range(0..<(count ?? RowWindow.longestCount)))
    if due == .later { due = .now }
  }

  /// The list says that it has changed.
  mutating func listDidChange() {
    if window.count != nil || failure != nil { due = .now }
  }

  /// Drops the rows far from what is needed.
  mutating func trim(around needed: Range<WindowPosition>) {
    let needed = needed.rawValues
    let reach = max(maximumRowCount, 4 * margin)
    window.trim(to: max(0, needed.lowerBound - reach)..<needed.upperBound + reach)
  }

  /// Forgets the list; what is being read of it counts for nothing.
  mutating func removeAll() {
    var emptied = RowMachine(maximumRowCount: maximumRowCount)
    emptied.takesSameView = takesSameView
    emptied.lastSerial = lastSerial
    self = emptied
  }
}

/// A position in one state of a list.
///
/// Positions of different states are of different types, so that none is taken for another.
protocol RowPosition: Strideable, Hashable, Sendable where Stride == Int {
  /// The position from 0.
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
