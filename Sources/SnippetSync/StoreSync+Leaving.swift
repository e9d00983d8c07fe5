import GRDB
public import SnippetStorage

extension StoreSync {
  /// Ends the synchronization of a store; its snippets stay, and so does the repository.
  ///
  /// The store keeps what it knew of the repository. Once it joins that again, edits and deletions
  /// of both sides come together as those of a device that was away for a while. A store that
  /// forgets, or joins another repository, meets others as a new one: it brings back what they have
  /// deleted in between, and gets back what was deleted here.
  ///
  /// Nothing is read or sent, so the other devices go on listing this one. ``leave(forgetting:)`` tells
  /// them.
  ///
  /// It waits for a synchronization of another process, as
  /// ``synchronize(allowingManyRemovals:onProgress:)`` does.
  ///
  /// - Parameters:
  ///   - store: The store. Nothing happens if it has not joined a repository, unless it has left one
  ///     and forgets that.
  ///   - forgets: Whether to forget what was known of the repository. The default is `false`.
  /// - Throws: ``SyncError``.
  public static func leave(
    _ store: SnippetStore,
    forgetting forgets: Bool = false
  ) async throws(SyncError) {
    try await SyncTurn.hold(of: store, to: "leave the repository") { () throws(SyncError) in
      _ = try await end(SyncRecords(store: store), forgetting: forgets)
    }
  }

  /// Ends the synchronization as ``leave(_:forgetting:)`` does, and tells the other devices.
  ///
  /// The store has left on return, also where the place cannot be reached. Then the other devices go on
  /// listing it as one that takes part, until it joins again. Otherwise ``SyncDevice/leftAt`` tells them.
  ///
  /// A store that was moved or restored tells nothing. It may be a copy, and the others list the store
  /// that it was copied from.
  ///
  /// - Parameter forgets: Whether to forget what was known of the repository. The default is `false`.
  /// - Returns: Whether the other devices can know; a store that has sent nothing is unknown to them.
  /// - Throws: ``SyncError``, if the store could not leave.
  public func leave(forgetting forgets: Bool = false) async throws(SyncError) -> Bool {
    try await waitForCurrent(to: "leave the repository")
    let (records, repository) = (records, repository)
    return try await SyncTurn.hold(of: records.store, to: "leave the repository") {
      () throws(SyncError) in
      guard let head = try await Self.end(records, forgetting: forgets) else { return true }
      guard head.isInPlace else { return false }
      do throws(SyncError) {
        let name = head.file.header.object
        // Another one must not be replaced: that of a clone, or of another repository.
        guard try await repository.file(name)?.header.wrote == head.replaced else { return false }
        try await repository.write(head.file)
        return true
      } catch {
        return false
      }
    }
  }

  /// A head that tells that its device has left, and when the head was written that it replaces.
  private struct LastHead: Sendable {
    let file: LogFile
    let replaced: Int64
    /// Whether the store is where it joined; otherwise it may be a copy, with the name of another store.
    let isInPlace: Bool
  }

  /// Ends the log of this device, and returns its last head; `nil` if it has never written one.
  private static func end(
    _ records: SyncRecords,
    forgetting forgets: Bool
  ) async throws(SyncError) -> LastHead? {
    let now = records.now()
    let isInPlace = try await records.isInPlace()
    return try await records.write { db in
      let state = try SyncState(in: db)
      let head = try state.flatMap { try Self.lastHead($0, isInPlace, now: now, in: db) }
      if forgets {
        try SyncState.erase(in: db)
      } else if var state, state.isJoined {
        // Its log may have what a backup has not.
        let isKnown = !state.isRestored && !state.keepsBackup
        state.leavePlace()
        try state.endLog(isKnown: isKnown, in: db)
        // The head may be that of another store, so it must not be replaced later either.
        if !isInPlace { try KnownDevice.noteLostHead(of: state.device, in: db) }
      }
      return head
    }
  }

  private static func lastHead(
    _ state: SyncState,
    _ isInPlace: Bool,
    now: Int64,
    in db: Database
  ) throws -> LastHead? {
    let devices = try KnownDevice.all(in: db)
    guard state.isJoined,
      let replaced = devices.first(where: { $0.device == state.device })?.wroteAt
    else { return nil }
    var header = Push.header(.head(state.device), state, devices, now: now)
    header.head = LogHeader.Head(number: state.sent, first: 1, left: true)
    return LastHead(
      file: LogFile(header: header, entries: []),
      replaced: replaced,
      isInPlace: isInPlace
    )
  }

  /// Counts the snippets that were deleted for good since a store left a repository.
  ///
  /// Joining that again deletes them on all its devices.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - repository: The identity of the repository, in hexadecimal digits.
  /// - Returns: The number; `nil` if the store has not left this repository, or has forgotten it.
  /// - Throws: ``SyncError``.
  /// - Complexity: O(*n*) in the number of snippets.
  public static func deletionCount(
    of store: SnippetStore,
    sinceLeaving repository: String
  ) async throws(SyncError) -> Int? {
    try await SyncRecords(store: store).read { db in
      guard let state = try SyncState(in: db), !state.isJoined, state.hasEntries,
        state.repository == repository
      else { return nil }
      let count = try db.number(
        """
        SELECT (SELECT count(*) FROM sync_absent WHERE pending = 1)
          + (
            SELECT count(*) FROM sync_row
            WHERE published = 1 AND NOT EXISTS (SELECT 1 FROM snippet WHERE id = snippet_id)
          )
        """
      )
      return Int(count ?? 0)
    }
  }
}

extension Repository {
  /// Tells that a device has left, if that could not be told when its store left or was replaced.
  ///
  /// - Parameters:
  ///   - former: The device.
  ///   - wroteAt: The time of its last head, as the store knew it; a later one is of another store.
  ///   - now: The time, in milliseconds since 1970.
  func tellLeft(_ former: DeviceID, wroteAt: Int64?, now: Int64) async {
    // It is for people only, and must not keep the store from joining.
    guard var head = try? await file(.head(former)),
      head.header.wrote == wroteAt, head.header.head?.left != true
    else { return }
    head.header.wrote = now
    head.header.head?.left = true
    try? await write(head)
  }
}
