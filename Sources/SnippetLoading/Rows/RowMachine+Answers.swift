internal import SnippetStorage

/// The consequence of an answer from a list.
enum RowOutcome {
  /// None: the read failed or came too late.
  case none
  /// The rows are in memory; the host still shows the state of the list that it knows.
  case rows
  /// The rows are in memory, and the host must be notified.
  case change(RowChange)
}

/// The news of a list's new state for its host.
struct RowChange {
  /// The change since the state that the host knew; a reset where it is unknown.
  var batch: ListBatch
  /// The row that can keep its place on screen.
  var anchor: RowMove?
  /// The rows that bound cells may not show yet; `nil` for all rows in memory.
  var rows: [SnippetID: SnippetRow]?
  /// Whether rows were inserted, deleted or moved, or one needs another view.
  var needsOtherCells: Bool
}

extension RowMachine {
  /// Takes in the answer to a request, or the reason why the list could not be read.
  mutating func take(
    _ answer: Result<RowUpdate, LoadError>,
    to request: RowRequest
  ) -> RowOutcome {
    if request.purpose.isApart {
      guard underWay?.serial == request.serial else { return .none }
      underWay = nil
    } else if due == .later {
      due = .now
    }
    switch answer {
    case .failure(let error):
      fail(error, request)
      return .none
    case .success(let update):
      failure = nil
      isOvertaken = true
      defer { if untold == nil { isCounted = window.isCounted } }
      return take(update, to: request)
    }
  }

  private mutating func fail(_ error: LoadError, _ request: RowRequest) {
    switch request.purpose {
    case .ahead, .refresh:
      if !isOvertaken { failure = error }
      if request.purpose == .refresh { due = .later }
    case .change:
      // Known rows stay until the list can be read.
      failure = error
      due = .later
    case .screen, .aside:
      failure = error
      guard window.count == nil else { return }
      // The host shows an empty list until it learns of another.
      if untold == nil {
        let nothing = ListBatch(
          formerVersion: .min,
          version: .min,
          formerCount: 0,
          count: 0,
          isReset: true
        )
        untold = Untold(batch: nothing, needsOtherCells: true)
      }
      due = .now
    }
  }

  private mutating func take(_ update: RowUpdate, to request: RowRequest) -> RowOutcome {
    let newest = [window.listVersion, aside.listVersion].compactMap(\.self).max()
    switch request.purpose {
    case .aside:
      keepAside(update)
      return .rows
    case .ahead, .refresh:
      guard update.batch.version >= newest ?? .min else {
        // The main actor has read a later state in between.
        if request.purpose == .refresh { due = .now }
        return .none
      }
      join(update, to: request.held, leaves: false)
    case .change:
      join(update, to: request.held, leaves: false)
      return .change(tell(anchor: update.anchor))
    case .screen:
      let former = window.listVersion
      join(update, to: request.held, leaves: true)
      let isOther = former != nil && former != window.listVersion
      if isOther || !update.isCounted && underWay?.purpose != .refresh { due = .now }
      return .rows
    }
    if untold == nil { return .rows }
    // The host has scrolled during the read, so another row keeps its place; a reset does not say
    // where that is now.
    if untold?.batch.isReset == true, let toldCandidates,
      toldCandidates.map(\.id) != request.candidates.map(\.id)
    {
      due = .now
    }
    // Another read will notify the host.
    return due == .now ? .rows : .change(tell(anchor: update.anchor))
  }

  /// Joins an answer to the rows in memory, given those at the time of the request; `leaves` says
  /// whether rows elsewhere replace them.
  private mutating func join(_ update: RowUpdate, to held: HeldRows, leaves: Bool) {
    var updated = window
    if window.held == nil || isWholeDue && update.batch.formerVersion == .min {
      updated = RowWindow(update)
      if let held = window.held { note(.reset(of: held, update.batch), updated, update) }
      isWholeDue = false
    } else if updated.take(update, leaves: leaves) {
      var batch = update.batch
      // Until a list is counted, its length is the part known so far.
      if batch.version == batch.formerVersion, batch.count != batch.formerCount {
        batch = batch.asReset
      }
      note(batch, updated, update)
    } else {
      // The window has moved elsewhere since, and its changes are asked for next; or the list
      // contradicts itself.
      isWholeDue = window.held == held
      due = .now
    }
    window = updated
    if asideBatch?.formerVersion != window.listVersion { asideBatch = nil }
  }

  /// Keeps rows far from the viewport.
  private mutating func keepAside(_ update: RowUpdate) {
    aside = RowWindow(update)
    asideBatch = nil
    if update.batch.version != window.listVersion {
      asideBatch = update.batch
      due = .now
    }
  }

  /// Notes a change of the list that the host does not know yet.
  private mutating func note(_ batch: ListBatch, _ updated: RowWindow, _ update: RowUpdate) {
    guard batch.version != batch.formerVersion || batch.isReset else { return }
    if toldCandidates == nil || untold?.onlyCounts == true { toldCandidates = candidatesOnScreen }
    let rows = batch.isReset ? nil : update.rows.values.map { ($0.id, $0) }
    let changesViews =
      !batch.isReset && window.changesViews(to: updated, after: batch, by: takesSameView)
    let needsOtherCells =
      changesViews || window.hasOtherCells(than: updated, after: batch, by: takesSameView)
    guard let former = untold else {
      untold = Untold(
        batch: batch,
        rows: rows.map { Dictionary($0) { _, new in new } },
        needsOtherCells: needsOtherCells,
        changesViews: changesViews
      )
      return
    }
    untold?.batch = former.batch.joined(with: batch) ?? former.batch.asReset
    untold?.needsOtherCells = former.needsOtherCells || needsOtherCells
    untold?.changesViews = former.changesViews || changesViews
    if let rows { untold?.rows?.merge(rows) { _, new in new } } else { untold?.rows = nil }
  }

  /// The first row on screen that is still in the list after a change, if it is known to be.
  private func anchorOnScreen(after batch: ListBatch) -> RowMove? {
    guard let visible else { return nil }
    for position in visible.rawValues.prefix(maximumRowCount) {
      guard let place = Self.place(of: position, after: batch), let row = window[place] else {
        continue
      }
      return RowMove(id: row.id, from: position, to: place)
    }
    return nil
  }

  /// Marks the window's state as known to the host.
  private mutating func tell(anchor: RowMove?) -> RowChange {
    let (version, count) = (window.listVersion ?? .min, window.count ?? 0)
    let nothing = ListBatch(
      formerVersion: version,
      version: version,
      formerCount: count,
      count: count
    )
    let told = untold.take() ?? Untold(batch: nothing, rows: [:], needsOtherCells: false)
    // A host that has scrolled to the start since the request sees what is new there.
    let isAtStart = visible?.lowerBound.rawValue == 0
    var anchor = isAtStart ? nil : anchorOnScreen(after: told.batch) ?? anchor
    // The former position is the one that the host knows.
    if let known = toldCandidates?.first(where: { $0.id == anchor?.id }) {
      anchor?.from = known.position
    }
    toldCandidates = nil
    visible = visible?.clamped(to: Range(0..<count))
    return RowChange(
      batch: told.changesViews ? told.batch.asReset : told.batch,
      anchor: anchor,
      rows: told.rows,
      needsOtherCells: told.needsOtherCells
    )
  }
}

extension ListBatch {
  /// A change by which any row may differ from the ones in memory.
  fileprivate static func reset(of held: HeldRows, _ batch: ListBatch) -> ListBatch {
    ListBatch(
      formerVersion: held.version,
      version: batch.version,
      formerCount: held.count,
      count: batch.count,
      isReset: true
    )
  }
}
