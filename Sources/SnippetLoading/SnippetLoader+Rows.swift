public import SnippetStorage

extension SnippetLoader {
  /// The number of rows in the list.
  ///
  /// It belongs to the same state of the list as the rows in memory. It changes in
  /// ``rowsDidChange()``, before ``listChangeHandler`` is called, and when a jump finds that the list
  /// has changed; the handler is called soon after that. Reads the list the first time; when that
  /// fails it is 0, and ``listError`` says why: ``rowsDidChange()`` tries again. With a ``listChangeHandler``, a long list shows its first rows before
  /// it has been counted: this is then what is known so far, until the handler is called.
  public var count: Int {
    if window.count == nil, !isClosed { readNow(0..<1) }
    return window.count ?? 0
  }

  /// The row at a position, if it is in memory.
  ///
  /// It reads nothing, so it may be called in any layout pass.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The row, or `nil` far from the viewport and outside of the list.
  public func rowInMemory(at position: Int) -> SnippetRow? {
    window[position] ?? (aside.listVersion == window.listVersion ? aside[position] : nil)
  }

  /// Call this when rows were inserted, deleted, moved or edited.
  ///
  /// It reads the rows around the viewport again at once. A bound cell shows its changed row, and
  /// loads its blob if that is another. Bindings follow snippets, not positions: bind a cell again
  /// if its position now belongs to another snippet. Where the list says when it changes, as lists
  /// and search results of a store do, the loader does this by itself, off the main actor.
  ///
  /// - Returns: The row that can keep its place on screen, and its position now.
  @discardableResult
  public func rowsDidChange() -> ListChange {
    guard !isClosed else { return ListChange() }
    reading.abandon()
    hints = []
    guard !window.range.isEmpty || viewport != nil else {
      window.removeAll()
      isOrderInDoubt = false
      trace?.record(.listChanged(listCount: 0))
      return ListChange()
    }
    let anchors = anchors.places(window, in: viewport?.visible)
    let range = window.range.isEmpty ? 0..<1 : window.range
    tally.rowReads += 1
    do {
      let anchored = noting(try list.page(range, anchoredAt: anchors))
      replaceWindow(with: anchored.page)
      followViewport()
      refreshBoundRows()
      return ListChange(anchor: anchored.anchor)
    } catch {
      noteFailure(error)
      // What is known stays until the list can be read: the next movement tries again.
      isOrderInDoubt = true
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
    if let row = rowInMemory(at: position) { return .success(row) }
    let row = isOffScreen(position) ? rowAside(at: position) : rowNow(at: position)
    return row.map { .success($0) } ?? .failure(listError ?? LoadError(.rowUnavailable))
  }

  private func rowNow(at position: Int) -> SnippetRow? {
    readNow(position..<position + 1)
    trimWindow(around: position..<position + 1)
    return window[position]
  }

  /// Whether reading a row must leave the rows on screen where they are, in the window.
  private func isOffScreen(_ position: Int) -> Bool {
    guard window.isCounted, !isOrderInDoubt, let visible = viewport?.visible else { return false }
    return window.covers(visible) && !window.touches(position)
  }

  /// A row far from those on screen, read with its neighbours, which a list asks for next.
  private func rowAside(at position: Int) -> SnippetRow? {
    guard position < window.count ?? 0 else { return nil }
    tally.rowReads += 1
    do {
      let isBelow = position < aside.range.lowerBound
      let start = max(0, position - (isBelow ? readAhead : 0))
      let page = noting(try list.page(start..<position + (isBelow ? 0 : readAhead) + 1))
      noteSuccess(page)
      aside.removeAll()
      aside.insert(page)
      if page.version != window.listVersion {
        isOrderInDoubt = true
        reading.isRefreshDue = true
      }
    } catch {
      noteFailure(error)
    }
    if reading.isRefreshDue { refreshRows() }
    return aside[position]
  }

  /// Reads rows on the main actor, because they must be there at once.
  func readNow(_ wanted: Range<Int>) {
    let missing = window.missing(from: wanted, slack: readAhead / 2)
    let range = missing.isEmpty ? wanted : missing
    tally.rowReads += 1
    do {
      // Who is not told when the list is counted must have it counted at once.
      let mayBeUncounted = !window.isCounted && listChangeHandler != nil
      take(noting(try mayBeUncounted ? list.firstPage(range) : list.page(range)))
    } catch {
      noteFailure(error)
      if window.count == nil {
        // The host shows an empty list until it hears of another.
        isOrderInDoubt = true
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
    read(missing, for: .ahead)
  }

  /// Reads the rows around the viewport again, apart from the main actor.
  func refreshRows() {
    guard !isClosed, window.count != nil || listError != nil else { return }
    guard reading.purpose == nil else {
      reading.isRefreshDue = true
      return
    }
    reading.isRefreshDue = false
    read(window.range.isEmpty ? 0..<1 : window.range, for: .refresh)
  }

  private func read(_ range: Range<Int>, for purpose: RowReading.Purpose) {
    tally.rowReadsAhead += 1
    let serial = reading.begin(purpose)
    let anchors = anchors.places(window, in: viewport?.visible)
    rowExecutor.execute { [list, mailbox] in
      let read = Result {
        switch purpose {
        case .ahead: AnchoredPage(page: try list.page(range), anchor: nil)
        case .refresh: try list.page(range, anchoredAt: anchors)
        }
      }
      mailbox.post(.rows(RowDelivery(serial: serial, rows: read)))
    }
  }

  /// Takes in what was read apart from the main actor.
  func receive(_ delivery: RowDelivery) {
    guard !isClosed, let purpose = reading.end(delivery.serial) else { return }
    trace?.record(delivery)
    switch (delivery.rows, purpose) {
    case (.failure(let error), _):
      if !reading.isOvertaken { listError = LoadError(readingRows: error) }
      if purpose == .refresh {
        // At once it would fail again; the next movement tries.
        reading.isRefreshDue = true
        return
      }
    case (.success(let read), _) where read.page.version < newestVersion ?? read.page.version:
      // The main actor has read a later state meanwhile.
      if purpose == .refresh { reading.isRefreshDue = true }
    case (.success(let read), .ahead):
      if read.page.version == window.listVersion {
        noteSuccess(read.page)
        window.extend(with: read.page)
      } else {
        take(read.page)
      }
      followViewport()
    case (.success(let read), .refresh)
    where read.page.version != window.listVersion || isOrderInDoubt:
      replaceRows(with: read)
    case (.success, .refresh):
      break
    }
    if reading.isRefreshDue { refreshRows() }
  }

  /// The latest state of the list that anything was read of; `nil` before the first read.
  private var newestVersion: Int64? {
    [window.listVersion, aside.listVersion].compactMap(\.self).max()
  }

  /// Takes in a page of the same list, or finds out that the list is another by now.
  private func take(_ page: SnippetPage) {
    noteSuccess(page)
    // The cells that are bound know nothing of a change yet; a refresh tells them.
    if let version = window.listVersion, version != page.version {
      anchors.keep(window, in: viewport?.visible)
      isOrderInDoubt = true
      reading.isRefreshDue = true
    }
    if !page.isCounted, reading.purpose != .refresh { reading.isRefreshDue = true }
    window.insert(page)
  }

  /// Puts a new version of the list in place of the old, and brings cells and loads in line.
  private func replaceRows(with read: AnchoredPage) {
    let former = window
    let wasInDoubt = isOrderInDoubt
    hints = []
    replaceWindow(with: read.page)
    // Cells may have been bound by a version in between, whose order nobody knows any more.
    let isAnother =
      wasInDoubt || !window.hasSameOrder(as: former, in: viewport?.visible ?? window.range)
    guard isAnother, let listChangeHandler else {
      followViewport()
      return refreshBoundRows()
    }
    refreshBoundRows()
    // The host says what is visible now before loads are started and cancelled by it.
    let movement = movementCount
    listChangeHandler(ListChange(anchor: read.anchor))
    if movement == movementCount { followViewport() }
  }

  /// Holds the rows of a new version of the list, just before the host is told.
  private func replaceWindow(with page: SnippetPage) {
    isOrderInDoubt = false
    anchors.forget()
    noteSuccess(page)
    window.removeAll()
    window.insert(page)
    trace?.record(.listChanged(listCount: page.count))
    viewport?.clamp(toCount: page.count)
  }

  private func noteSuccess(_ page: SnippetPage) {
    tally.rowsRead += page.rows.count
    listError = nil
    reading.overtake()
  }

  private func noteFailure(_ error: any Error) {
    trace?.record(.rowReadFailed(isAhead: false))
    listError = LoadError(readingRows: error)
  }

  /// Shows what has changed in the cells that are bound to the rows of the window.
  func refreshBoundRows() {
    var rowByID: [SnippetID: SnippetRow] = [:]
    for position in window.range {
      guard let row = window[position] else { continue }
      rowByID[row.id] = row
    }
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
    window.removeAll()
    aside.removeAll()
    anchors.forget()
    reading.abandon()
    isOrderInDoubt = false
    hints = []
  }

  /// Drops the rows far from what is needed.
  func trimWindow(around needed: Range<Int>) {
    let reach = max(configuration.maximumRowCount, 4 * readAhead)
    window.trim(to: max(0, needed.lowerBound - reach)..<needed.upperBound + reach)
  }
}
