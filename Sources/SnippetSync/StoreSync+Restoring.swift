import Foundation

extension StoreSync {
  /// Decides what counts in a store that was restored from a backup: the backup, or what other devices
  /// have.
  ///
  /// Until then ``synchronize(allowingManyRemovals:onProgress:)`` throws
  /// ``SyncError/Code/restored``. The next one does what was decided. In both cases the store becomes a
  /// device of its own. If it has the file of the store that the backup replaced, the others hear that the
  /// former device has left, as far as the place can be reached.
  ///
  /// It waits for a synchronization of another process, as
  /// ``synchronize(allowingManyRemovals:onProgress:)`` does.
  ///
  /// - Parameter keepsBackup: `false` to receive all that was edited or deleted since the backup, on
  ///   any device. `true` to keep every snippet as the backup had it, on all devices: edits since then
  ///   are replaced, and snippets that were made since then are deleted, unless a device edits them
  ///   again before it hears of this.
  /// - Throws: ``SyncError``: ``SyncError/Code/invalidInput`` if the store was not restored, or that was
  ///   decided before.
  public func settleRestore(keepingBackup keepsBackup: Bool) async throws(SyncError) {
    try await waitForCurrent(to: "decide what counts")
    let (records, repository) = (records, repository)
    try await SyncTurn.hold(of: records.store, to: "decide what counts") { () throws(SyncError) in
      try await Self.settleRestore(of: records, repository, keepingBackup: keepsBackup)
    }
  }

  private static func settleRestore(
    of records: SyncRecords,
    _ repository: Repository,
    keepingBackup keepsBackup: Bool
  ) async throws(SyncError) {
    guard let state = try await records.state() else { throw .notJoined }
    guard state.isRestored || (state.keepsBackup && keepsBackup) else {
      throw SyncError(
        .invalidInput,
        "decide what counts",
        because: state.keepsBackup
          ? "the backup was chosen, and some of the logs have been read for that"
          : "the store was not restored from a backup"
      )
    }
    guard keepsBackup else {
      try await records.takeNewName(isCopy: false)
      return try await tellReplaced(state, records, repository)
    }
    try await records.write { db in
      guard var state = try SyncState(in: db) else { return }
      state.keepBackup()
      try state.write(in: db)
      // Its own log since the backup, and whatever a reading of before has applied.
      for var device in try KnownDevice.all(in: db) {
        (device.applied, device.headTag) = (0, "")
        try device.write(in: db)
      }
    }
  }

  /// Tells the other devices that the one has left whose store the backup replaced.
  ///
  /// Where the store has another file than that one, it may be a copy, and tells nothing.
  static func tellReplaced(
    _ state: SyncState,
    _ records: SyncRecords,
    _ repository: Repository
  ) async throws(SyncError) {
    guard let replaced = state.replacedDevice(in: try await records.place()) else { return }
    await repository.tellLeft(replaced.device, wroteAt: replaced.wroteAt, now: records.now())
  }
}

extension SyncError {
  static let restored = SyncError(
    .restored,
    "synchronize",
    because: "the store was restored from a backup",
    do: """
      Decide what counts: what other devices have (snip sync --theirs), or the backup \
      (snip sync --mine).
      """
  )
}
