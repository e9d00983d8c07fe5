internal import SnippetStorage

/// What follows from an answer of a list.
enum RowOutcome {
  /// Nothing: it failed, or comes too late.
  case none
  /// The rows are in memory; the host shows the list as it was, and as it still knows it.
  case rows
  /// The rows are in memory, and the host must be told.
  case change(RowChange)
}

/// What the host is told of a new state of its list.
struct RowChange {
  /// What became of the list since the state that the host knew; a reset where nobody can tell.
  var batch: ListBatch
  /// The row that can keep its place on screen.
  var anchor: RowMove?
  /// The rows that bound cells may not show yet; `nil` for all that are in memory.
  var rows: [SnippetID: SnippetRow]?
  /// Whether rows came, went or moved, or one takes another view.
  var needsOtherCells: Bool
}

extension RowMachine {
  /// Takes in the answer to a request.
  ///
  /// - Parameters:
  ///   - answer: What the list has answered, or why it could not be read.
  ///   - request: What it was asked.
  /// - Returns: What follows from it.
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
      return take(update, to: request)
    }
  }

  private mutating func fail(_ error: LoadError, _ request: RowRequest) {
    switch request.purpose {
    case .ahead, .refresh:
      if !isOvertaken { failure = error }
      if request.purpose == .refresh { due = .later }
    case .change:
      // What is known stays until the list can be read.
      failure = error
      due = .later
    case .screen, .aside:
      failure = error
      guard window.count == nil else { return }
      // The host shows an empty list until it hears of another.
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
        // The main actor has read a later state meanwhile.
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
    // Another read tells it.
    return due == .now ? .rows : .change(tell(anchor: update.anchor))
  }

  /// Joins an answer to what is held.
  ///
  /// - Parameters:
  ///   - update: What the list has answered.
  ///   - held: What was held as it was asked.
  ///   - leaves: Whether rows elsewhere take the place of those that are held.
  private mutating func join(_ update: RowUpdate, to held: HeldRows, leaves: Bool) {
    var updated = window
    if window.held == nil || isWholeDue && update.batch.formerVersion == .min {
      updated.insert(SnippetPage(update))
      if let held = window.held { note(.reset(of: held, update.batch), updated, update) }
      isWholeDue = false
    } else if updated.take(update, leaves: leaves) {
      var batch = update.batch
      // As long as a list is not counted, its length is how far it is known.
      if batch.version == batch.formerVersion, batch.count != batch.formerCount {
        batch = batch.asReset
      }
      note(batch, updated, update)
    } else {
      // The window has gone elsewhere meanwhile, and what became of that is asked next; or the list
      // contradicts itself.
      isWholeDue = window.held == held
      due = .now
    }
    window = updated
    if asideBatch?.formerVersion != window.listVersion { asideBatch = nil }
  }

  /// Holds rows far from the viewport.
  private mutating func keepAside(_ update: RowUpdate) {
    aside.removeAll()
    aside.insert(SnippetPage(update))
    asideBatch = nil
    if update.batch.version != window.listVersion {
      asideBatch = update.batch
      due = .now
    }
  }

  /// Notes what became of the list, which the host does not know yet.
  private mutating func note(_ batch: ListBatch, _ updated: RowWindow, _ update: RowUpdate) {
    guard batch.version != batch.formerVersion || batch.isReset else { return }
    if toldCandidates == nil { toldCandidates = candidatesOnScreen }
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

  /// Has the host know the window's state from now on.
  private mutating func tell(anchor: RowMove?) -> RowChange {
    let (version, count) = (window.listVersion ?? .min, window.count ?? 0)
    let nothing = ListBatch(
      formerVersion: version,
      version: version,
      formerCount: count,
      count: count
    )
    let told = untold.take() ?? Untold(batch: nothing, rows: [:], needsOtherCells: false)
    var anchor = anchor
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
  /// Says that any row may have changed since what is held.
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

extension SnippetPage {
  /// The rows of an answer that has all of them.
  fileprivate init(_ update: RowUpdate) {
    self.init(
      version: update.batch.version,
      count: update.batch.count,
      start: update.positions.lowerBound,
      rows: update.positions.map { update.rows[$0] }.prefix { $0 != nil }.compactMap(\.self),
      isCounted: update.isCounted
    )
  }
}
