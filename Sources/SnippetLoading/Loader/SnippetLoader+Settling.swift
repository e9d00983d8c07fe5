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
      let (end, settler) = AsyncStream.makeStream(of: Void.self)
      settlers.append(settler)
      for await _ in end {}
    }
  }

  /// Resumes the waiting tasks, if nothing is left to wait for.
  func settleIfPossible() {
    guard !settlers.isEmpty, isSettled else { return }
    for settler in settlers { settler.finish() }
    settlers = []
  }
}
