extension LoadTable {
  /// Whether a load has a worker or a task, and was not asked to stop.
  func isRunning(_ id: LoadID) -> Bool {
    running[id].map { entries[$0]?.phase == .running(id) } ?? false
  }

  /// The loads that wait to be made from a load.
  func derived(from key: LoadKey) -> [LoadKey] { entries[key]?.derived ?? [] }

  /// The progress of a load: its own bytes, or those of its input.
  func progress(of key: LoadKey) -> LoadProgress<LoadedBlob> {
    guard let entry = entries[key] else { return LoadProgress() }
    var progress = entry.progress
    progress.note(delay(of: key))
    if case .waiting(let input) = entry.phase {
      let reading = self.progress(of: input)
      progress.byteCountRead = reading.byteCountRead
      progress.byteCount = reading.byteCount
    }
    return progress
  }

  /// Notes progress of a running load, for the lists that wait for it and for those made from it.
  mutating func advance(_ id: LoadID, by step: LoadStep, of key: LoadKey) -> Audience {
    guard isRunning(id) else { return [] }
    entries[key]?.progress.byteCountRead = step.byteCountRead
    entries[key]?.progress.byteCount = step.byteCount
    if let standIn = step.standIn { entries[key]?.progress.standIn = standIn.blob(for: key) }
    var audience: Audience = []
    address(key, &audience)
    return audience
  }

  /// Sets a stand-in for a load that waits for its input.
  mutating func setStandIn(_ standIn: LoadedBlob, of key: LoadKey) -> Audience {
    guard case .waiting = entries[key]?.phase else { return [] }
    entries[key]?.progress.standIn = standIn
    var audience: Audience = []
    address(key, &audience)
    return audience
  }

  /// Notes that a list looks at the progress of a load; the next step is mailed again.
  ///
  /// - Returns: Whether there is progress to see, because the load has not ended since.
  mutating func takeProgressMail(of key: LoadKey) -> Bool {
    guard let entry = entries[key] else { return false }
    entries[key]?.isProgressMailed = false
    switch entry.phase {
    case .waiting, .queued, .running: return true
    case .new, .stopping, .delayed, .ended: return false
    }
  }

  /// The lists to notify of the progress of loads.
  typealias Audience = [(key: LoadKey, lists: Set<ListID>)]

  /// Finds the lists that wait for a load and have no mail about its progress yet.
  private mutating func address(_ key: LoadKey, _ audience: inout Audience) {
    guard let entry = entries[key] else { return }
    if !entry.isProgressMailed, !entry.tokens.isEmpty {
      entries[key]?.isProgressMailed = true
      audience.append((key, Set(entry.tokens.map(\.list))))
    }
    for derived in entry.derived { address(derived, &audience) }
  }
}
