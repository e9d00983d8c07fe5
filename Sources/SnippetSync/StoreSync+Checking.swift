import Foundation
import SnippetStorage

extension StoreSync {
  /// Checks whether the repository is complete.
  ///
  /// All log files up to the head of each device must be there, and all blobs that this store's snippets
  /// have or wait for, with their lengths. The length of a log file is compared only while this store
  /// still keeps its copy, and not where another device replaced it; of others, only that they are not
  /// too short. With `readsAll` every object is decrypted too, every entry is decoded and every blob
  /// compared with its hash, apart from those of versions that were replaced or deleted for good. Objects
  /// that another device is just sending, or that a folder has not received yet, count as missing.
  ///
  /// What cannot be read is a fault, and the check goes on with everything else.
  ///
  /// Nothing is changed, unless `repairs` is `true`. Then log files and the head of this device are
  /// written again, and every blob that this store has. The next call of
  /// ``synchronize(allowingManyRemovals:onProgress:)`` sends the entries of log files that this store no
  /// longer keeps. Where another device's log file is lost that this store had received and merged, it
  /// synchronizes to send all its snippets, and writes a log file without entries, so that new devices
  /// read on: that other device may be gone. Its head is written as it was last known here, or as its log
  /// tells where nothing of that has come. The object `format` is written again where it is missing or
  /// damaged among heads that the key opens, and a damaged notice for all devices.
  ///
  /// Log files of another device that have not come here stay faults, and every store waits for them, unless
  /// `acceptsLoss` is `true`. Then they are given up: log files without entries take their place. All
  /// other devices that come back, that one among them, notice and send all their snippets anew, once.
  ///
  /// - Parameters:
  ///   - readsAll: Whether to read every object. The default is `false`.
  ///   - repairs: Whether to mend what this store has. The default is `false`.
  ///   - acceptsLoss: Whether a repair gives up log files of other devices that are lost and have not come
  ///     here, ``SyncCheck/lostLogCount``. The default is `false`.
  ///   - onProgress: Receives the number of objects that were read and the number to read, so far as
  ///     it is known.
  /// - Returns: The faults, and the number of objects.
  /// - Throws: ``SyncError``, for example ``SyncError/Code/unreachable``, after which a retry can
  ///   help, or ``SyncError/Code/wrongKey``.
  /// - Complexity: One listing of all objects, and a request for each head, each notice and, up to a
  ///   bound, each object that is missing. With `readsAll` all bytes of the repository are read.
  public func check(
    readingAll readsAll: Bool = false,
    repairing repairs: Bool = false,
    acceptingLoss acceptsLoss: Bool = false,
    onProgress: @escaping @Sendable (_ completed: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(SyncError) -> SyncCheck {
    try await waitForCurrent(to: "check the repository")
    let lostMark = try await requireMark(mending: repairs)
    var check = RepositoryCheck(
      repository: repository,
      records: records,
      readsAll: readsAll,
      onProgress: onProgress
    )
    try await check.run()
    let (losses, repository, records) = (check.losses, repository, records)
    guard repairs else {
      check.result.isMendable = try await losses.canBeMended(repository, from: records)
      return check.result
    }
    check.result.mendedCount = try await SyncTurn.hold(of: records.store, to: "repair") {
      () throws(SyncError) in
      try await losses.mend(repository, from: records)
    }
    try await replaceLogsOfOthers(losses, noting: &check.result)
    if acceptsLoss {
      check.result.mendedCount += try await SyncTurn.hold(of: records.store, to: "repair") {
        () throws(SyncError) in
        try await losses.giveUpLogsOfOthers(repository, records)
      }
      check.result.lostLogs = []
    }
    if let lostMark {
      check.result.faults.append(lostMark)
      check.result.mendedCount += 1
    }
    return check.result
  }

  /// Replaces lost log files of other devices, once this store has sent what stood in them.
  ///
  /// Notes the faults that this mends, the report, and what stands against it.
  private func replaceLogsOfOthers(
    _ losses: RepositoryLosses,
    noting check: inout SyncCheck
  ) async throws(SyncError) {
    let (repository, records) = (repository, records)
    guard try await losses.sendInPlaceOfOthers(repository, records) else { return }
    let report: SyncReport
    do throws(SyncError) {
      report = try await synchronize()
    } catch {
      // A person decides on that, and what was mended before stays so.
      guard error.code == .manyRemovals else { throw error }
      check.hindrance = error
      return
    }
    check.report = report
    let mendedCount = try await SyncTurn.hold(of: records.store, to: "repair") {
      () throws(SyncError) in
      try await losses.replaceLogsOfOthers(repository, records)
    }
    check.mendedCount += mendedCount
    guard mendedCount == 0, report.unreadBlobCount > 0 else { return }
    let count = report.unreadBlobCount
    check.hindrance = SyncError(
      .damaged,
      "replace lost log files of other devices",
      because: """
        not all snippets could be sent, since this store cannot read \(count) \
        \(count == 1 ? "blob" : "blobs")
        """,
      do: "Mend the store (snip check)."
    )
  }

  /// Refuses a place without the mark of this store's repository.
  ///
  /// A repair writes it again, where it is missing or damaged among the heads of this repository.
  ///
  /// - Returns: The fault that was mended, if any.
  private func requireMark(mending mends: Bool) async throws(SyncError) -> SyncError? {
    do {
      try await Self.requireRepository(records, repository)
      return nil
    } catch {
      guard mends, error.code == .noRepository, try await hasLostMark(),
        let state = try await records.state()
      else { throw error }
      try await repository.carrier.write(
        RepositoryFormat(of: state.repository).object,
        as: ObjectName.format.rawValue,
        isNew: false
      )
      return SyncError.damaged(ObjectName.format.rawValue, because: "it is missing, or damaged")
    }
  }

  /// Whether the place has no mark of any repository, and a head that this store's key opens.
  private func hasLostMark() async throws(SyncError) -> Bool {
    do {
      guard try await Repository.format(of: repository.carrier) == nil else { return false }
    } catch {
      guard error.code == .noRepository else { throw error }
    }
    return try await repository.opensAnyHead()
  }
}
