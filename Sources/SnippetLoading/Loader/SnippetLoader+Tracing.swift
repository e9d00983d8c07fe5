internal import SnippetStorage

// Only a loader with a trace calls the code below.

extension LoaderEventRecorder {
  func record(_ answer: Result<RowUpdate, any Error>, to request: RowRequest) {
    switch answer {
    case .success(let update):
      record(
        .rowsRead(
          update.positions,
          isAhead: request.purpose.isApart,
          listCount: update.batch.count
        )
      )
    case .failure(let error):
      record(.rowReadFailed(isAhead: request.purpose.isApart), error: error)
    }
  }
}

extension BindOutcome {
  var name: LoaderEvent.Outcome {
    switch self {
    case .hit: .hit
    case .pending: .pending
    case .unchanged: .unchanged
    case .rowOnly: .rowOnly
    case .failed: .failed
    }
  }
}
