public import SnippetStorage

extension SnippetLoader {
  /// The number of rows in the list.
  ///
  /// It belongs to the state of the list that the host knows: it changes in ``rowsDidChange()``, and
  /// just before ``listChangeHandler`` is called. Reads the list the first time; when that fails it
  /// is 0, and ``listError`` says why: ``rowsDidChange()`` tries again. With a
  /// ``listChangeHandler``, a long list shows its first rows before it has been counted: this is
  /// then what is known so far, until the handler is called.
  public var count: Int {
    if window.count == nil, !isClosed { readNow(0..<1) }
    return table.count ?? 0
  }

  /// The row at a position, if it is in memory.
  ///
  /// It reads nothing, so it may be called in any layout pass.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The row, or `nil` far from the viewport and outside of the list.
  public func rowInMemory(at position: Int) -> SnippetRow? {
    table.position(of: position).flatMap(table.row)
  }

  /// Call this when rows were inserted, deleted, moved or edited.
  ///
  /// It reads the rows around the viewport that changed at once. A bound cell shows its changed row,
  /// and loads its blob if that is another. Bindings follow snippets, not positions: bind a cell
  /// again if its position now belongs to another snippet. Where the list says when it changes, as
  /// lists and search results of a store do, the loader does this by itself, off the main actor.
  ///
  /// - Returns: Which rows came, went, moved and changed, and the row that can keep its place on
  ///   screen, with its position now.
  @discardableResult
  public func rowsDidChange() -> ListChange {
    guard !isClosed else { return ListChange() }
    reading.abandon()
    hints = []
    guard !window.range.isEmpty || viewport != nil else {
      table.removeAll()
      trace?.record(.listChanged(listCount: 0))
      return ListChange()
    }
    tally.rowReads += 1
    do {
      let update = noting(try list.update(heldRows, at: heldRange, anchoredAt: anchorCandidates))
      take(update, isAlone: true)
      let batch = tell()
      followViewport()
      refreshBoundRows()
      if isWholeDue { refreshRows() }
      return ListChange(anchor: update.anchor, batch: batch.flatMap { $0.isReset ? nil : $0 })
    } catch {
      noteFailure(error)
      // What is known stays until the list can be read: the next movement tries again.
      reading.isRefreshDue = true
      return ListChange()
    }
  }

  /// The row at a position: from memory, or read at once where the reads ahead have not been yet.
  func row(at position: Int) -> Result<SnippetRow, LoadError> {
    guard !isClosed else {
      return .failure(LoadError(.cancelled, reason: "the loader is closed"))
    }
    guard (0..<RowWindow.longestCount).contains(position) else {
      return .failure(LoadError(.rowUnavailable))
    }
    // A read may find the list changed, and the row further away than was read.
    for _ in 0..<3 {
      guard let now = table.position(of: position) else { break }
      if let row = table.row(at: now) { return .success(row) }
      if isOffScreen(now) {
        if let row = rowAside(at: now) { return .success(row) }
      } else {
        readNow(now..<now + 1)
        trimWindow(around: now..<now + 1)
      }
      if listError != nil { break }
    }
    return .failure(listError ?? LoadError(.rowUnavailable))
  }

  /// Whether reading a row must leave the rows on screen where they are, in the window.
  private func isOffScreen(_ position: Int) -> Bool {
    guard window.isCounted, !isOrderInDoubt, let visible = viewport?.visible else { return false }
    return window.covers(visible) && !window.touches(position)
  }

  /// A row far from those on screen, read with its neighbours, which a list asks for next.
  private func rowAside(at position: Int) -> SnippetRow? {
    guard position < window.count ?? 0 else { return nil }
    var (row, place) = (SnippetRow?.none, position)
    do {
      // Where the list has changed, the row may have moved further than was read.
      for _ in 0..<2 where row == nil {
        tally.rowReads += 1
        let isBelow = place < table.aside.range.lowerBound
        let start = max(0, place - (isBelow ? readAhead : 0))
        var held = heldRows
        held.positions = 0..<0
        let range = start..<place + (isBelow ? 0 : readAhead) + 1
        let update = noting(try list.update(held, at: range, anchoredAt: []))
        noteSuccess(update.rows.count)
        table.keepAside(SnippetPage(update))
        if update.batch.version != window.listVersion { reading.isRefreshDue = true }
        place = update.batch.isReset ? position : update.batch.position(of: position) ?? position
        row = update.rows[place]
      }
    } catch {
      noteFailure(error)
    }
    if reading.isRefreshDue { refreshRows() }
    return row
  }

  /// Reads rows on the main actor, because they must be there at once.
  func readNow(_ wanted: Range<Int>) {
    let missing = window.missing(from: wanted, slack: readAhead / 2)
    let range = missing.isEmpty ? wanted : missing
    tally.rowReads += 1
    do {
      if window.isCounted, !isWholeDue {
        let wanted = window.stretched(over: range)
        take(noting(try list.update(heldRows, at: wanted, anchoredAt: [])), isAlone: false)
      } else {
        // Who is not told when the list is counted must have it counted at once.
        let mayBeUncounted = listChangeHandler != nil && !isWholeDue
        take(noting(try mayBeUncounted ? list.firstPage(range) : list.page(range)))
      }
    } catch {
      noteFailure(error)
      if window.count == nil {
        // The host shows an empty list until it hears of another.
        table.noteUnread()
        reading.isRefreshDue = true
      }
    }
    if reading.isRefreshDue { refreshRows() }
  }

  /// Sees to it that rows are read apart from the main actor before they are needed.
  func readAhead(_ wanted: Range<Int>) {
    guard reading.purpose == nil else { return }
    let missing = window.missing(from: wanted, slack: readAhead)
    guard !missing.isEmpty else { return }
    read(window.stretched(over: missing), for: .ahead)
  }

  /// Reads the rows around the viewport again, apart from the main actor.
  func refreshRows() {
    guard !isClosed, window.count != nil || listError != nil else { return }
    guard reading.purpose == nil else {
      reading.isRefreshDue = true
      return
    }
    reading.isRefreshDue = false
    read(heldRange, for: .refresh)
  }

  private func read(_ range: Range<Int>, for purpose: RowReading.Purpose) {
    tally.rowReadsAhead += 1
    let serial = reading.begin(purpose)
    let (held, candidates) = (heldRows, anchorCandidates)
    rowExecutor.execute { [list, mailbox] in
      let read = Result { try list.update(held, at: range, anchoredAt: candidates) }
      mailbox.post(.rows(RowDelivery(serial: serial, rows: read)))
    }
  }

  /// What the list is told of the rows in memory; after an update that did not fit, nothing.
  private var heldRows: HeldRows {
    let none = HeldRows(version: .min, count: 0, positions: 0..<0)
    return isWholeDue ? none : window.held ?? none
  }

  /// The rows that stay in memory as the list changes.
  private var heldRange: Range<Int> { window.range.isEmpty ? 0..<1 : window.range }

  private var anchorCandidates: [RowPlace] { table.anchorCandidates(in: viewport?.visible) }

  /// Takes in what was read apart from the main actor.
  func receive(_ delivery: RowDelivery) {
    guard !isClosed, let purpose = reading.end(delivery.serial) else { return }
    trace?.record(delivery)
    switch delivery.rows {
    case .failure(let error):
      if !reading.isOvertaken { listError = LoadError(readingRows: error) }
      if purpose == .refresh {
        // At once it would fail again; the next movement tries.
        reading.isRefreshDue = true
        return
      }
    case .success(let update) where update.batch.version < table.newestVersion ?? .min:
      // The main actor has read a later state meanwhile.
      if purpose == .refresh { reading.isRefreshDue = true }
    case .success(let update):
      let (former, wasInDoubt) = (window, isOrderInDoubt)
      take(update, isAlone: true)
      if window.listVersion == former.listVersion, !isOrderInDoubt {
        followViewport()
      } else if !reading.isRefreshDue {
        showChange(from: wasInDoubt ? nil : former, update)
      }
    }
    if reading.isRefreshDue { refreshRows() }
  }

  /// Tells the host of a new state of the list, and brings cells and loads in line.
  ///
  /// - Parameters:
  ///   - former: What was held in the state before; `nil` where cells may have been bound by a state
  ///     in between.
  ///   - update: What was read last.
  private func showChange(from former: RowWindow?, _ update: RowUpdate) {
    hints = []
    let batch = tell()
    if let former, !update.batch.isReset {
      refreshBoundRows(update.rows.values)
      if !former.hasOtherCells(than: window, after: update.batch) { return followViewport() }
    } else {
      refreshBoundRows()
      if let former, window.hasSameOrder(as: former, in: viewport?.visible ?? window.range) {
        return followViewport()
      }
    }
    // The host says what is visible now before loads are started and cancelled by it.
    let movement = movementCount
    listChangeHandler?(
      ListChange(anchor: update.anchor, batch: batch.flatMap { $0.isReset ? nil : $0 })
    )
    if movement == movementCount { followViewport() }
  }

  /// Has the host know the state that the rows are of, just before it is told.
  private func tell() -> ListBatch? {
    let batch = table.tell()
    trace?.record(.listChanged(listCount: window.count ?? 0))
    hostVisible = hostVisible.clamped(to: 0..<(window.count ?? 0))
    viewport?.keep(hostVisible)
    return batch
  }

  /// Takes in what was read of a list that is known.
  ///
  /// - Parameters:
  ///   - update: What was read.
  ///   - isAlone: Whether the host is told right after it. Otherwise another read tells it.
  private func take(_ update: RowUpdate, isAlone: Bool) {
    noteSuccess(update.rows.count)
    let former = window.listVersion
    if isWholeDue || former == nil, update.batch.isReset {
      isWholeDue = false
      table.take(SnippetPage(update), visible: viewport?.visible)
    } else if !table.take(update, leaves: !isAlone, visible: viewport?.visible) {
      // The window has gone on meanwhile, or the list contradicts itself.
      isWholeDue = former == update.batch.formerVersion
      reading.isRefreshDue = true
    }
    if let former, former != window.listVersion { followHost(isAlone) }
  }

  /// Takes in a page of the same list, or finds out that the list is another by now.
  private func take(_ page: SnippetPage) {
    noteSuccess(page.rows.count)
    let former = window.listVersion
    table.take(page, visible: viewport?.visible)
    if !page.isCounted, reading.purpose != .refresh { reading.isRefreshDue = true }
    if let former, former != page.version { followHost(false) }
  }

  /// Stays with the rows that the host shows, until it is told of another state.
  private func followHost(_ isToldNow: Bool) {
    viewport?.keep(table.positions(of: hostVisible))
    if !isToldNow { reading.isRefreshDue = true }
  }

  private func noteSuccess(_ rowCount: Int) {
    tally.rowsRead += rowCount
    listError = nil
    reading.overtake()
  }

  private func noteFailure(_ error: any Error) {
    trace?.record(.rowReadFailed(isAhead: false))
    listError = LoadError(readingRows: error)
  }

  /// Shows what has changed in the cells that are bound to the rows of the window.
  func refreshBoundRows() {
    refreshBoundRows(window.range.lazy.compactMap { self.window[$0] })
  }

  /// Shows rows in the cells that are bound to their snippets.
  private func refreshBoundRows(_ rows: some Collection<SnippetRow>) {
    var rowByID: [SnippetID: SnippetRow] = [:]
    for row in rows { rowByID[row.id] = row }
    // A cell may say from within that the list has changed once more; that has read newer rows.
    refreshRound += 1
    let round = refreshRound
    for slot in bindings.openSlots {
      guard round == refreshRound else { return }
      guard let bound = bindings.slots[slot].row, let row = rowByID[bound.id], row != bound,
        let cell = bindings.slots[slot].cell
      else { continue }
      _ = present(row, in: cell)
    }
  }

  /// How many rows are read beyond what is needed, so that a fast scroll never waits for one.
  var readAhead: Int {
    max(32, 2 * (viewport?.visible.count ?? 0))
  }

  /// Forgets all that is known of the list.
  func forgetRows() {
    table.removeAll()
    reading.abandon()
    isWholeDue = false
    hostVisible = 0..<0
    hints = []
  }

  /// Drops the rows far from what is needed.
  func trimWindow(around needed: Range<Int>) {
    let reach = max(configuration.maximumRowCount, 4 * readAhead)
    table.trim(to: max(0, needed.lowerBound - reach)..<needed.upperBound + reach)
  }
}

extension SnippetPage {
  /// The rows of an update that has all of them.
  fileprivate init(_ update: RowUpdate) {
    self.init(
      version: update.batch.version,
      count: update.batch.count,
      start: update.positions.lowerBound,
      rows: update.positions.map { update.rows[$0] }.prefix { $0 != nil }.compactMap(\.self)
    )
  }
}
