internal import SnippetStorage

extension RowMachine {
  /// The read that must happen at once so that rows are in memory.
  ///
  /// A list that jumps binds its cells before it reports the visible range: the rows aside then
  /// become those around the screen.
  ///
  /// The needed positions, by default all, make a read necessary. There is no request where they
  /// are in memory.
  mutating func request(
    _ wanted: Range<WindowPosition>,
    needing needed: Range<WindowPosition>? = nil,
    mayBeUncounted: Bool
  ) -> RowRequest? {
    let needed = (needed ?? wanted).rawValues
    let wanted = wanted.rawValues
    if !window.covers(needed), aside.listVersion == window.listVersion, aside.covers(needed) {
      swap(&window, &aside)
    }
    guard !window.covers(needed) else { return nil }
    let missing = window.missing(from: wanted, slack: margin / 2)
    let range = missing.isEmpty ? wanted : missing
    if window.isCounted, !isWholeDue {
      return request(.screen, .update, window.stretched(over: range))
    }
    // A host that is not notified of the count later needs it at once.
    return request(.screen, mayBeUncounted && !isWholeDue ? .firstPage : .page, range)
  }

  /// The read that must happen at once so that the row at a position is in memory.
  ///
  /// Far from the screen it is read aside, so that the rows on screen stay in memory.
  ///
  /// There is no request where it is in memory, or outside of the list.
  mutating func request(rowAt position: WindowPosition, mayBeUncounted: Bool) -> RowRequest? {
    guard row(at: position) == nil else { return nil }
    guard window.isCounted, untold == nil, let shown, window.covers(shown.rawValues),
      !window.touches(position.rawValue)
    else {
      return request(position..<position.advanced(by: 1), mayBeUncounted: mayBeUncounted)
    }
    guard position.rawValue < window.count ?? 0 else { return nil }
    // With its neighbours, which a list asks for next.
    let place = placeAside(of: position).rawValue
    let isBelow = place < aside.range.lowerBound
    let start = max(0, place - (isBelow ? margin : 0))
    return request(.aside, .update, start..<place + (isBelow ? 0 : margin) + 1)
  }

  /// The read that must happen at once because the host says that rows have changed; the read under
  /// way no longer counts.
  ///
  /// Where nothing of the list is needed, the list is forgotten, and there is no request.
  mutating func requestChange() -> RowRequest? {
    underWay = nil
    due = nil
    guard !window.range.isEmpty || visible != nil else {
      removeAll()
      return nil
    }
    return request(.change, .update, heldRange)
  }

  /// The rows around the plan for the screen to read on another thread before they are needed;
  /// `nil` where they are in memory, or another read is under way.
  mutating func requestAhead(_ wanted: Range<WindowPosition>) -> RowRequest? {
    // A due refresh comes first: these rows may have moved by then.
    guard underWay == nil, due == nil else { return nil }
    let wanted = wanted.rawValues
    let range = max(0, wanted.lowerBound - margin)..<wanted.upperBound + margin
    let missing = window.missing(from: range, slack: margin)
    guard !missing.isEmpty else { return nil }
    return beginApart(.ahead, window.stretched(over: missing))
  }

  /// The refresh to read on another thread because the rows in memory may be outdated.
  ///
  /// Call it after every event. There is no request where nothing is due, or another read is under
  /// way.
  mutating func requestRefresh() -> RowRequest? {
    guard due == .now, underWay == nil else { return nil }
    due = nil
    return beginApart(.refresh, heldRange)
  }

  /// The rows that stay in memory as the list changes.
  private var heldRange: Range<Int> { window.range.isEmpty ? 0..<1 : window.range }

  private mutating func beginApart(
    _ purpose: RowRequest.Purpose,
    _ positions: Range<Int>
  ) -> RowRequest {
    let request = request(purpose, .update, positions)
    underWay = request
    isOvertaken = false
    return request
  }

  private mutating func request(
    _ purpose: RowRequest.Purpose,
    _ form: RowRequest.Form,
    _ positions: Range<Int>
  ) -> RowRequest {
    lastSerial += 1
    // After an update that did not fit, the request says that no rows are in memory.
    var held = isWholeDue ? nil : window.held
    if purpose == .aside { held?.positions = 0..<0 }
    return RowRequest(
      serial: lastSerial,
      purpose: purpose,
      form: form,
      held: held ?? HeldRows(version: .min, count: 0, positions: 0..<0),
      positions: positions,
      candidates: purpose == .screen || purpose == .aside ? [] : candidates
    )
  }

  /// The rows on screen that the host knows, with their positions in the window's state.
  private var candidates: [RowPlace] {
    (toldCandidates ?? candidatesOnScreen).map {
      RowPlace(
        id: $0.id,
        position: position(of: HostPosition($0.position))?.rawValue ?? $0.position
      )
    }
  }
}

/// One read of a list, with its form and its purpose.
struct RowRequest: Sendable {
  /// The reason for the read.
  enum Purpose: Sendable {
    /// The main actor waits: the screen, or a row near it, lacks rows.
    case screen
    /// The main actor waits for a row far from the screen.
    case aside
    /// The main actor waits: the host says that rows have changed.
    case change
    /// Nothing waits yet: the movement will reach these rows soon.
    case ahead
    /// The screen shows a former state of the list.
    case refresh

    /// Whether the rows are read on a thread of the loader.
    var isApart: Bool { self == .ahead || self == .refresh }
  }

  /// The form of the answer.
  enum Form: Sendable {
    /// The changes that bring the rows in memory to the latest state.
    case update
    /// All rows at the positions.
    case page
    /// The rows at the positions, even before the list is counted.
    case firstPage
  }

  /// Distinguishes the answer to this request from others.
  let serial: UInt64
  let purpose: Purpose
  let form: Form
  /// The rows in memory at the time of the request.
  let held: HeldRows
  let positions: Range<Int>
  /// The rows on screen that the host knows, with their positions in the state in memory.
  let candidates: [RowPlace]

  /// Whether it only asks for changes to rows in memory.
  var isForChanges: Bool {
    (purpose == .change || purpose == .refresh) && form == .update && !held.positions.isEmpty
  }

  /// Reads the list.
  func read(_ list: any RowList) throws -> RowUpdate {
    switch form {
    case .update: try list.readUpdate(of: held, at: positions, anchoredAt: candidates)
    case .page: RowUpdate(try list.page(positions), from: held)
    case .firstPage: RowUpdate(try list.firstPage(positions), from: held)
    }
  }
}
