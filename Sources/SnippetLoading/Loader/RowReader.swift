internal import SnippetStorage

/// Reads the rows of a list, and keeps track of the state that the host knows.
@MainActor
final class RowReader {
  /// The list.
  private(set) var list: any RowList
  /// The rows in memory, the reads under way, and the state that the host knows.
  private(set) var machine: RowMachine
  /// The reason why the last read of the list failed; `nil` once a read succeeds again.
  private(set) var error: LoadError? {
    didSet { if error != oldValue { errorHandler?(error) } }
  }
  /// Called with the reason when the list cannot be read, and with `nil` when it can again.
  var errorHandler: (@MainActor (LoadError?) -> Void)?
  /// Whether the list need not be counted, because the host learns of its count later.
  private let mayBeUncounted: Bool

  /// The number of rows read.
  private(set) var rowCount = 0
  /// The number of rows read because they were new or changed, while others were in memory.
  private(set) var changedRowCount = 0
  /// The number of reads on the main actor.
  private(set) var readCount = 0
  /// The number of reads off the main actor.
  private(set) var readAheadCount = 0

  private var observation: ChangeObservation?
  private let execute: LoaderEnvironment.Execute
  private let mailbox: MainMailbox

  init(
    _ list: any RowList,
    maximumRowCount: Int,
    mayBeUncounted: Bool,
    _ execute: @escaping LoaderEnvironment.Execute,
    _ mailbox: MainMailbox
  ) {
    self.list = list
    self.mayBeUncounted = mayBeUncounted
    self.execute = execute
    self.mailbox = mailbox
    machine = RowMachine(maximumRowCount: maximumRowCount)
    observe()
  }

  /// Sets how to decide whether the view of a row can show another row.
  func setSameView(_ takesSameView: @escaping RowWindow.SameView) {
    machine.takesSameView = takesSameView
  }

  // MARK: - The list

  /// Reads another list from now on.
  func show(_ list: any RowList) {
    self.list = list
    observe()
    forget()
    error = nil
  }

  /// Follows the changes of the list, and those of a former list no longer.
  private func observe() {
    observation = list.observeChanges { [mailbox] in mailbox.post(.change) }
  }

  /// Forgets everything known of the list.
  func forget() {
    machine.removeAll()
  }

  /// Stops following the list.
  func close() {
    forget()
    observation = nil
  }

  /// Notes that the list has changed.
  func listDidChange() {
    machine.listDidChange()
    refresh()
  }

  // MARK: - Rows

  /// The length of the list as the host knows it, read at first use.
  var count: Int {
    if machine.count == nil {
      readNow(machine.request(Range(0..<1), mayBeUncounted: mayBeUncounted))
      refresh()
    }
    return machine.count ?? 0
  }

  /// Notes the positions that are visible.
  ///
  /// - Returns: The same positions in the window's state.
  func look(at visible: Range<HostPosition>) -> Range<WindowPosition> {
    machine.look(at: visible)
    return machine.shown ?? Range(visible.rawValues)
  }

  /// The row at a position: from memory, or read at once where reading ahead has not got to it.
  func row(at position: HostPosition) -> Result<SnippetRow, LoadError> {
    guard (0..<RowWindow.longestCount).contains(position.rawValue) else {
      return .failure(LoadError(.rowUnavailable))
    }
    defer { refresh() }
    // A read may find that the list changed, and that the row is further away than was read.
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

  /// Reads all changes at once.
  ///
  /// - Returns: The change for the host; `nil` where nothing of the list was needed, or it could
  ///   not be read.
  func reload() -> RowChange? {
    guard case .change(let change) = readNow(machine.requestChange()) else { return nil }
    return change
  }

  // MARK: - Reading

  /// Reads at once the rows that are missing on screen.
  ///
  /// - Returns: Whether something was read.
  func readMissing(_ wanted: Range<WindowPosition>, needing needed: Range<WindowPosition>) -> Bool {
    let request = machine.request(wanted, needing: needed, mayBeUncounted: mayBeUncounted)
    if case .rows = readNow(request) { return true }
    return false
  }

  /// Reads the rows around a plan on another thread, and drops those far from it.
  func follow(_ bounds: Range<WindowPosition>) {
    readApart(machine.requestAhead(bounds))
    machine.trim(around: bounds)
  }

  /// Reads on another thread whatever is due.
  func refresh() {
    readApart(machine.requestRefresh())
  }

  /// Reads rows on the main actor, where they are needed at once.
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
    execute { [list, mailbox] in
      mailbox.post(.rows(Result { try request.read(list) }, request))
    }
  }

  /// Takes in the rows that were read.
  func take(_ answer: Result<RowUpdate, any Error>, to request: RowRequest) -> RowOutcome {
    if case .success(let update) = answer {
      rowCount += update.rows.count
      if request.isForChanges { changedRowCount += update.rows.count }
    }
    let outcome = machine.take(answer.mapError(LoadError.init(readingRows:)), to: request)
    error = machine.failure
    return outcome
  }
}
