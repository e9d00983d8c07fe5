internal import SnippetStorage

// What stands here is only called by a loader with a trace.

extension SnippetLoader.Environment {
  /// The hand of one loader on the trace.
  var recorder: LoaderEventRecorder? {
    trace.map { LoaderEventRecorder($0, now: now) }
  }
}

extension SnippetLoader {
  /// Records what a bind came to, and passes that on.
  func noting(
    _ outcome: BindOutcome,
    of cell: any SnippetCell,
    to position: Int
  ) -> BindOutcome {
    guard let trace else { return outcome }
    let slot = bindings.slot(of: cell)
    let row = slot.flatMap { bindings.slots[$0].row }
    trace.record(.bound(slot: slot, row?.id, position: position, outcome.name))
    return outcome
  }

  /// Records what was read on the main actor, and passes it on.
  func noting(_ page: SnippetPage) -> SnippetPage {
    trace?.record(page, isAhead: false)
    return page
  }

  /// Records what was read on the main actor of a list that is known, and passes it on.
  func noting(_ update: RowUpdate) -> RowUpdate {
    trace?.record(update, isAhead: false)
    return update
  }
}

extension LoaderEventRecorder {
  func record(_ page: SnippetPage, isAhead: Bool) {
    let range = page.start..<page.start + page.rows.count
    record(.rowsRead(range, isAhead: isAhead, listCount: page.count))
  }

  func record(_ update: RowUpdate, isAhead: Bool) {
    record(.rowsRead(update.positions, isAhead: isAhead, listCount: update.batch.count))
  }

  func record(_ delivery: RowDelivery) {
    switch delivery.rows {
    case .success(let update): record(update, isAhead: true)
    case .failure: record(.rowReadFailed(isAhead: true))
    }
  }
}

extension BindOutcome {
  fileprivate var name: LoaderEvent.Outcome {
    switch self {
    case .hit: .hit
    case .pending: .pending
    case .unchanged: .unchanged
    case .noBlob: .noBlob
    case .failed: .failed
    }
  }
}
