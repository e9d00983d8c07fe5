extension LoadTable {
  /// Whether a load has a worker or a task, and has not been told to stop.
  func isRunning(_ id: LoadID) -> Bool {
    running[id].map { entries[$0]?.phase == .running(id) } ?? false
  }

  /// The loads that wait for a load to be made from it.
  func derived(from key: LoadKey) -> [LoadKey] { entries[key]?.derived ?? [] }

  /// How far a load is: its own bytes, or those of what it is made from.
  func progress(of key: LoadKey) -> LoadProgress {
    guard let entry = entries[key] else { return LoadProgress() }
    var progress = entry.progress
    progress.failure = delay(of: key)
    if case .waiting(let input) = entry.phase {
      let reading = self.progress(of: input)
      progress.byteCountRead = reading.byteCountRead
      progress.byteCount = reading.byteCount
    }
    return progress
  }

  /// A running load has come further.
  ///
  /// - Returns: The lists that must be told, of this load and of those that are made from it.
  mutating func advance(_ id: LoadID, by step: LoadStep, of key: LoadKey) -> Audience {
    guard isRunning(id) else { return [] }
    entries[key]?.progress.byteCountRead = step.byteCountRead
    entries[key]?.progress.byteCount = step.byteCount
    if let standIn = step.standIn { entries[key]?.progress.standIn = standIn.blob(for: key) }
    var audience: Audience = []
    address(key, &audience)
    return audience
  }

  /// Something stands in for a load that waits for what it is made from.
  ///
  /// - Returns: The lists that must be told.
  mutating func setStandIn(_ standIn: LoadedBlob, of key: LoadKey) -> Audience {
    guard case .waiting = entries[key]?.phase else { return [] }
    entries[key]?.progress.standIn = standIn
    var audience: Audience = []
    address(key, &audience)
    return audience
  }

  /// Takes note that a list looks at the progress of a load; the next step is mailed again.
  ///
  /// - Returns: Whether there is something to see: the load has not come to anything since.
  mutating func takeProgressMail(of key: LoadKey) -> Bool {
    guard let entry = entries[key] else { return false }
    entries[key]?.isProgressMailed = false
    switch entry.phase {
    case .waiting, .queued, .running: return true
    case .new, .stopping, .delayed, .ended: return false
    }
  }

  /// The lists that must be told of the progress of a load.
  typealias Audience = [(key: LoadKey, lists: Set<ListID>)]

  /// Finds those who wait for a load and have no word of its progress on the way yet.
  private mutating func address(_ key: LoadKey, _ audience: inout Audience) {
    guard let entry = entries[key] else { return }
    if !entry.isProgressMailed, !entry.tokens.isEmpty {
      entries[key]?.isProgressMailed = true
      audience.append((key, Set(entry.tokens.map(\.list))))
    }
    for derived in entry.derived { address(derived, &audience) }
  }
}
