// Only a loader with a trace calls the code below.

extension LoaderEventRecorder {
  func record(_ answer: LoadPipeline.Answer, to token: BindingToken, asking key: LoadKey) {
    let slot = Int(token.slot)
    switch answer {
    case .hit(let blob):
      record(.hit(slot: slot, key, byteCount: blob.byteCount))
    case .pending:
      record(.pending(slot: slot, key))
    case .failed:
      // Recorded when it is shown, because a cell may show it already.
      break
    }
  }

  func record(
    _ key: LoadKey,
    _ result: Result<LoadedBlob, LoadError>,
    _ conclusion: LoadConclusion,
    after duration: Duration?
  ) {
    switch result {
    case _ where !conclusion.isWanted:
      record(.loadCancelled(key), duration: duration)
    case .success(let blob):
      record(.loadFinished(key, byteCount: blob.byteCount), duration: duration)
    case .failure(let error):
      let attempt = conclusion.failure(of: key)?.attemptCount ?? 1
      record(
        .loadFailed(key, code: error.code.description, attempt: attempt),
        duration: duration,
        error: error
      )
      if let retry = conclusion.retry { record(.loadDelayed(key, by: retry.delay)) }
    }
  }

  /// Records a result that a cell is about to show.
  func record(_ result: LoadResult, of key: LoadKey, deliveredTo slot: Int) {
    let state: LoaderEvent.State =
      switch result {
      case .loaded: .loaded
      case .delayed: .loading
      case .failed: .failed
      }
    record(.delivered(slot: slot, key, state))
  }
}

extension LoadConclusion {
  /// The failure of a load that has ended.
  fileprivate func failure(of key: LoadKey) -> LoadFailure? {
    for delivery in deliveries where delivery.key == key {
      switch delivery.result {
      case .delayed(let failure), .failed(let failure): return failure
      case .loaded: continue
      }
    }
    return nil
  }
}
