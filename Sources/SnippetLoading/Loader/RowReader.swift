import SnippetBase
internal import SnippetStorage

/// Reads the rows of a list, and mirrors what the host knows of it.
@MainActor
final class RowReader {
  /// The list.
  private(set) var list: any RowList
  /// The rows in memory, what is being read, and what the host knows of the list.
  private(set) var machine: RowMachine
  /// Why the list could not be read the last time; `nil` once it has been read again.
  private(set) var error: LoadError? {
    didSet { if error != oldValue { errorHandler?(error) } }
  }
  /// Called when the list cannot be read, with the reason, and with `nil` when it can again.
  var errorHandler: (@MainActor (LoadError?) -> Void)?
  /// Whether the list need not be counted, because the host learns of its count later.
  var mayBeUncounted = false

  /// Rows read.
  private(set) var rowCount = 0
  /// Rows read because they came or changed, where rows were in memory.
  private(set) var changedRowCount = 0
  /// Reads on the main actor.
  private(set) var readCount = 0
  /// Reads off the main actor.
  private(set) var readAheadCount = 0

  private var changes: ChangeInbox
  private let executor: any LoadExecutor
  private let mailbox: MainMailbox
  private let trace: LoaderEventRecorder?

  init(
    _ list: any RowList,
    maximumRowCount: Int,
    _ executor: any LoadExecutor,
    _ mailbox: MainMailbox,
    _ trace: LoaderEventRecorder?
  ) {
    self.list = list
    self.executor = executor
    self.mailbox = mailbox
    self.trace = trace
    machine = RowMachine(maximumRowCount: maximumRowCount)
    changes = ChangeInbox(list, mailbox: mailbox)
  }

  /// Says whether the view that shows a row can show another row.
  func setSameView(_ takesSameView: @escaping RowWindow.SameView) {
    machine.takesSameView = takesSameView
  }

  // MARK: - The list

  /// Reads another list from now on.
  func show(_ list: any RowList) {
    let former = changes
    self.list = list
    changes = ChangeInbox(list, mailbox: mailbox)
    former.close()
    forget()
    error = nil
  }

  /// Forgets all that is known of the list.
  func forget() {
    machine.removeAll()
  }

  /// Follows the list no longer.
  func close() {
    forget()
    changes.close()
  }

  /// The list says that it has changed.
  func listDidChange() {
    changes.reopen()
    machine.listDidChange()
    refresh()
  }

  // MARK: - Rows

  /// The length of the list that the host knows, read the first time.
  var count: Int {
    if machine.count == nil {
      readNow(machine.request(Range(0..<1), mayBeUncounted: mayBeUncounted))
      refresh()
    }
    return machine.count ?? 0
  }

  /// The host says what is visible.
  ///
  /// - Returns: The same, in the window's state.
  func look(at visible: Range<HostPosition>) -> Range<WindowPosition> {
    machine.look(at: visible)
    return machine.shown ?? Range(visible.rawValues)
  }

  /// The row at a position: from memory, or read at once where the reads ahead have not been yet.
  func row(at position: HostPosition) -> Result<SnippetRow, LoadError> {
    guard (0..<RowWindow.longestCount).contains(position.rawValue) else {
      return .failure(LoadError(.rowUnavailable))
    }
    defer { refresh() }
    // A read may find the list changed, and the row further away than was read.
    for _ in 0..<3 {
      guard let now = machine.position(of: position) else { break }
      if let row = machine.row(at: now) { return .success(row) }
      guard let request = machine.request(rowAt: now, mayBeUncounted: mayBeUncounted) else {
        break
      }
      readNow(request)
      if request.purpose == .screen { machine.trim(around: now..<now.advanced(by: 1)) }
      if error != nil { break }
    }
    return .failure(error ?? LoadError(.rowUnavailable))
  }

  /// Reads what has changed at once.
  ///
  /// - Returns: What the host is told; `nil` where nothing of the list was needed, or it could not
  ///   be read.
  func reload() -> RowChange? {
    guard let request = machine.requestChange() else {
      trace?.record(.listChanged(listCount: 0))
      return nil
    }
    guard case .change(let change) = readNow(request) else { return nil }
    return change
  }

  // MARK: - Reading

  /// Reads at once what is missing on screen.
  ///
  /// - Returns: Whether something was read.
  func readMissing(_ wanted: Range<WindowPosition>, needing needed: Range<WindowPosition>) -> Bool {
    let request = machine.request(wanted, needing: needed, mayBeUncounted: mayBeUncounted)
    if case .rows = readNow(request) { return true }
    return false
  }

  /// Reads the rows around a plan apart, and drops those far from it.
  func follow(_ bounds: Range<WindowPosition>) {
    readApart(machine.requestAhead(bounds))
    machine.trim(around: bounds)
  }

  /// Reads apart what is due.
  func refresh() {
    readApart(machine.requestRefresh())
  }

  /// Reads rows on the main actor, because they must be there at once.
  @discardableResult
  private func readNow(_ request: RowRequest?) -> RowOutcome {
    guard let request else { return .none }
    readCount += 1
    return take(Result { try request.read(list) }, to: request)
  }

  /// Reads rows on a thread of the loader.
  private func readApart(_ request: RowRequest?) {
    guard let request else { return }
    readAheadCount += 1
    executor.execute { [list, mailbox] in
      mailbox.post(.rows(Result { try request.read(list) }, request))
    }
  }

  /// Takes in what was read.
  func take(_ answer: Result<RowUpdate, any Error>, to request: RowRequest) -> RowOutcome {
    trace?.record(answer, to: request)
    if case .success(let update) = answer {
      rowCount += update.rows.count
      if request.isForChanges { changedRowCount += update.rows.count }
    }
    let outcome = machine.take(answer.mapError(LoadError.init(readingRows:)), to: request)
    error = machine.failure
    return outcome
  }
}

/// Takes word of changes from any thread to the main actor, once for a burst of them.
final class ChangeInbox: Sendable {
  private let isOpen = Lock(true)
  private let mailbox: MainMailbox
  private let observation = Lock<ChangeObservation?>(nil)

  init(_ list: any RowList, mailbox: MainMailbox) {
    self.mailbox = mailbox
    let observed = list.observeChanges { [weak self] in self?.note() }
    observation.withLock { $0 = observed }
  }

  /// Ends the observation.
  func close() {
    let observed = observation.withLock { observation in
      defer { observation = nil }
      return observation
    }
    // Outside of the lock: the feed may take one of its own.
    withExtendedLifetime(observed) {}
  }

  /// Lets the next change through, after the last one has been taken.
  func reopen() {
    isOpen.withLock { $0 = true }
  }

  private func note() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { mailbox.post(.change) }
  }
}
