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
    if rows.count == nil, !isClosed {
      readNow(rows.request(0..<1, mayBeUncounted: mayBeUncounted))
      readApart(rows.requestRefresh())
    }
    return rows.count ?? 0
  }

  /// The row at a position, if it is in memory.
  ///
  /// It reads nothing, so it may be called in any layout pass.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The row, or `nil` far from the viewport and outside of the list.
  public func rowInMemory(at position: Int) -> SnippetRow? {
    rows.position(of: position).flatMap(rows.row)
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
    hints = []
    guard let request = rows.requestChange() else {
      trace?.record(.listChanged(listCount: 0))
      return ListChange()
    }
    let outcome = readNow(request)
    guard case .change(let change) = outcome else { return ListChange() }
    noteTold()
    followViewport()
    refreshBoundRows()
    readApart(rows.requestRefresh())
    return ListChange(change)
  }

  /// The row at a position: from memory, or read at once where the reads ahead have not been yet.
  package func row(at position: Int) -> Result<SnippetRow, LoadError> {
    guard !isClosed else {
      return .failure(LoadError(.cancelled, reason: "the loader is closed"))
    }
    guard (0..<RowWindow.longestCount).contains(position) else {
      return .failure(LoadError(.rowUnavailable))
    }
    defer { readApart(rows.requestRefresh()) }
    // A read may find the list changed, and the row further away than was read.
    for _ in 0..<3 {
      guard let now = rows.position(of: position) else { break }
      if let row = rows.row(at: now) { return .success(row) }
      guard let request = rows.request(rowAt: now, mayBeUncounted: mayBeUncounted) else { break }
      readNow(request)
      if request.purpose == .screen { rows.trim(around: now..<now + 1) }
      if listError != nil { break }
    }
    return .failure(listError ?? LoadError(.rowUnavailable))
  }

  /// Which snippet stands at a position, for hosts that know their rows by identity.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The snippet; `nil` where it is gone and the host has not been told, and where the
  ///   row cannot be read. No snippet is at two positions.
  package func rowID(at position: Int) -> SnippetID? {
    guard case .success = row(at: position) else { return nil }
    return rows.id(at: position)
  }

  /// Whether the list need not be counted: the host is told when it has been.
  var mayBeUncounted: Bool { listChangeHandler != nil }

  /// Reads rows on the main actor, because they must be there at once.
  @discardableResult
  func readNow(_ request: RowRequest?) -> RowOutcome {
    guard let request else { return .none }
    tally.rowReads += 1
    return take(Result { try request.read(list) }, to: request)
  }

  /// Reads rows on a thread of the loader.
  func readApart(_ request: RowRequest?) {
    guard let request else { return }
    tally.rowReadsAhead += 1
    rowExecutor.execute { [list, mailbox] in
      let answer = Result { try request.read(list) }
      mailbox.post(.rows(answer, request))
    }
  }

  /// Takes in what was read on a thread of the loader.
  func receive(_ answer: Result<RowUpdate, any Error>, to request: RowRequest) {
    guard !isClosed else { return }
    switch take(answer, to: request) {
    case .none: break
    case .rows: followViewport()
    case .change(let change): tell(change)
    }
    readApart(rows.requestRefresh())
  }

  private func take(
    _ answer: Result<RowUpdate, any Error>,
    to request: RowRequest
  ) -> RowOutcome {
    trace?.record(answer, to: request)
    if case .success(let update) = answer {
      tally.rowsRead += update.rows.count
      if request.isForChanges { tally.rowsReadForChanges += update.rows.count }
    }
    let outcome = rows.take(answer.mapError(LoadError.init(readingRows:)), to: request)
    viewport?.keep(rows.shown ?? 0..<0)
    listError = rows.failure
    return outcome
  }

  /// Brings cells in line with a new state of the list, and tells the host.
  private func tell(_ change: RowChange) {
    noteTold()
    hints = []
    refreshBoundRows(after: change)
    // The host says what is visible now before loads are started and cancelled by it.
    let movement = movementCount
    if change.needsOtherCells { listChangeHandler?(ListChange(change)) }
    if movement == movementCount { followViewport() }
  }

  /// Notes that the host knows the state that the rows are of.
  private func noteTold() {
    trace?.record(.listChanged(listCount: rows.count ?? 0))
  }

  /// Forgets all that is known of the list.
  func forgetRows() {
    rows.removeAll()
    hints = []
    forgetNewRows()
  }
}

extension ListChange {
  init(_ change: RowChange) {
    self.init(anchor: change.anchor, batch: change.batch.isReset ? nil : change.batch)
  }
}
