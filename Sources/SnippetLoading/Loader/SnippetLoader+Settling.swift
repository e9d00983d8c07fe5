extension SnippetLoader {
  /// Whether no bound cell waits for a blob, and no rows are being read.
  public var isSettled: Bool {
    reader.machine.underWay == nil && !binder.bindings.isWaiting
  }

  /// Waits until every bound cell has its blob or shows a failure, and no rows are being read.
  ///
  /// Cells whose loads were cancelled do not count. It also returns when the task is cancelled. The
  /// main actor must be free, so that blobs can be delivered.
  public func settled() async {
    // Again, because a cell may have been bound before this task got its turn.
    while !isSettled, !Task.isCancelled {
      let id = settlers.nextID()
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          settlers.add(continuation, id)
          // The task may have been cancelled before the continuation was stored.
          if Task.isCancelled { settlers.resume(id) }
        }
      } onCancel: {
        Task { @MainActor in self.settlers.resume(id) }
      }
    }
  }

  /// Resumes the waiting tasks, if nothing is left to wait for.
  func settleIfPossible() {
    guard !settlers.isEmpty, isSettled else { return }
    settlers.resumeAll()
  }
}

/// The tasks that wait for the loader to settle.
struct Settlers {
  private var lastID = 0
  private var continuations: [Int: CheckedContinuation<Void, Never>] = [:]

  var isEmpty: Bool { continuations.isEmpty }

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func add(_ continuation: CheckedContinuation<Void, Never>, _ id: Int) {
    continuations[id] = continuation
  }

  mutating func resume(_ id: Int) {
    continuations.removeValue(forKey: id)?.resume()
  }

  mutating func resumeAll() {
    let waiting = continuations
    continuations = [:]
    for continuation in waiting.values { continuation.resume() }
  }
}
