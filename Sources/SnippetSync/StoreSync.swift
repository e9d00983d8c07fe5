import Foundation
import GRDB
import SnippetBase
public import SnippetStorage

/// The synchronization of a store with others, which meet in a repository.
///
/// Devices edit apart and come together whenever they reach the place where they meet. Nothing is
/// lost: where two edited the same content, both versions stay, the older one as a snippet of its
/// own with the tag `conflict`. Everything in the repository is encrypted.
///
/// ```swift
/// let sync = try await StoreSync.join(
///   store,
///   by: FolderCarrier(folder),
///   at: folder.path,
///   as: "laptop"
/// )
/// let report = try await sync.synchronize()
/// ```
public actor StoreSync {
  let records: SyncRecords
  let repository: Repository
  private var current: Task<SyncReport, any Error>?
  private var hasCheckedKey = false

  init(_ records: SyncRecords, _ repository: Repository) {
    self.records = records
    self.repository = repository
  }

  /// Opens the synchronization of a store that has joined a repository.
  ///
  /// Nothing is read of the repository yet.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - carrier: The way to the repository, at ``SyncStatus/address``.
  ///   - key: The key of the repository: a line `AGE-SECRET-KEY-1…`.
  /// - Throws: ``SyncError``: ``SyncError/Code/noRepository`` if the store has not joined one, or
  ///   ``SyncError/Code/invalidInput`` for a text that is no key.
  public init(
    _ store: SnippetStore,
    by carrier: any SyncCarrier,
    key: String
  ) async throws(SyncError) {
    let records = SyncRecords(store: store)
    guard let state = try await records.state() else { throw .notJoined }
    self.init(
      records,
      Repository(
        carrier: carrier,
        key: RepositoryKey(try AgeIdentity(key)),
        address: state.address
      )
    )
  }

  /// The key of the repository: a line `AGE-SECRET-KEY-1…`.
  ///
  /// Who has it can read the repository. Without it no device can join, so keep a copy elsewhere.
  public nonisolated var key: String { repository.key.identity.text }

  nonisolated var store: SnippetStore { records.store }

  // MARK: - Synchronizing

  /// Receives what other devices have sent, then sends what was edited here.
  ///
  /// A call during another one waits for that one and then runs, also if another process makes it:
  /// that long, as the `busyTimeout` of the store's configuration says. Cancelling the task ends the
  /// call soon; what was received or sent stays so, and the next call goes on there.
  ///
  /// - Parameters:
  ///   - allowsManyRemovals: Whether a fifth of the snippets may go, and more than 50. The default is
  ///     `false`.
  ///   - onProgress: Receives the work so far, whenever it grows.
  /// - Returns: The work that was done.
  /// - Throws: ``SyncError``: for example ``SyncError/Code/unreachable``, after which a retry can
  ///   help, as after the store's error `busy` while another process synchronizes;
  ///   ``SyncError/Code/noRepository`` or ``SyncError/Code/manyRemovals``.
  @discardableResult
  public func synchronize(
    allowingManyRemovals allowsManyRemovals: Bool = false,
    onProgress: @escaping @Sendable (SyncReport) -> Void = { _ in }
  ) async throws(SyncError) -> SyncReport {
    try await waitForCurrent(to: "synchronize")
    let task = Task { [records, repository, hasCheckedKey] in
      if !hasCheckedKey, let state = try await records.state() {
        try await repository.requireKey(of: state.device)
      }
      return try await SyncTurn.hold(of: records.store, to: "synchronize") {
        () throws(SyncError) in
        try await Self.run(
          records,
          repository,
          allowsManyRemovals,
          looksAtLog: !hasCheckedKey,
          onProgress
        )
      }
    }
    current = task
    defer { current = nil }
    do {
      let report = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      hasCheckedKey = true
      return report
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(
        .cancelled,
        "synchronize",
        because: "it was cancelled",
        underlying: error
      )
    }
  }

  /// Waits until no synchronization runs here, or until the task is cancelled.
  func waitForCurrent(to operation: String) async throws(SyncError) {
    while let current, !Task.isCancelled {
      // A cancellation does not end the wait for the value of a task.
      let (end, continuation) = AsyncStream.makeStream(of: Void.self)
      Task {
        _ = try? await current.value
        continuation.finish()
      }
      for await _ in end {}
    }
    if Task.isCancelled { throw .cancelled(operation) }
  }

  private static func run(
    _ records: SyncRecords,
    _ repository: Repository,
    _ allowsManyRemovals: Bool,
    looksAtLog: Bool,
    _ onProgress: @escaping @Sendable (SyncReport) -> Void
  ) async throws(SyncError) -> SyncReport {
    var report = SyncReport()
    try await requireRepository(records, repository)
    guard let state = try await records.state() else { throw .notJoined }
    if state.isRestored { throw .restored }
    if state.keepsBackup {
      try await Pull(
        repository: repository,
        records: records,
        allowsManyRemovals: true,
        readsEntriesOnly: true,
        onProgress: onProgress
      ).run(state, into: &report)
      try await records.takeBackupForNew()
      try await tellReplaced(state, records, repository)
    }
    // A copy of the store is another device, and so is what a restored backup has become.
    if try await records.isInPlace() {
      try await records.notePath()
    } else {
      try await becomeNew(records, repository)
    }
    for isRetry in [false, true] {
      guard let state = try await records.state() else { throw .notJoined }
      do {
        try await Pull(
          repository: repository,
          records: records,
          allowsManyRemovals: allowsManyRemovals,
          looksAtLog: looksAtLog,
          onProgress: onProgress
        ).run(state, into: &report)
        try await Push(repository: repository, records: records, onProgress: onProgress)
          .run(into: &report)
        break
      } catch {
        guard !isRetry, [.cloned, .alreadyExists].contains(error.code) else { throw error }
        try await records.takeNewName(isCopy: false)
      }
    }
    // As long as something could not be read, not all is here.
    try await records.noteEnd(isComplete: report.held.isEmpty)
    return report
  }

  /// Makes another device of a store that has another file than the one that joined.
  ///
  /// It is a copy, or it was moved to another disk. If nothing of the former file is where it was, the other
  /// devices hear that the former device has left; if it goes on elsewhere, it writes its head again.
  private static func becomeNew(
    _ records: SyncRecords,
    _ repository: Repository
  ) async throws(SyncError) {
    guard let former = try await records.state() else { return }
    let known = try await records.devices().first { $0.device == former.device }
    let here = try await records.place()
    // What a notice asks the former one to send is sent under the new name.
    let marks = try await repository.carrier.list("device/")
    let notices = try await repository.notices(to: former.device, among: marks)
    try await records.takeNewName(isCopy: notices.isEmpty)
    guard let known, StorePlace.isAbandoned(former.place, for: here) else { return }
    await repository.tellLeft(former.device, wroteAt: known.wroteAt, now: records.now())
  }

  /// Refuses a place that has no repository any more, or another one.
  static func requireRepository(
    _ records: SyncRecords,
    _ repository: Repository
  ) async throws(SyncError) {
    guard let state = try await records.state() else { throw .notJoined }
    guard let format = try await Repository.format(of: repository.carrier) else {
      throw SyncError(
        .noRepository,
        "synchronize",
        because: "there is no repository in \(repository.address)",
        do: """
          Nothing was changed. Is the right disk mounted, and the folder complete? If only its file \
          “format” is lost, write that again (snip sync check --repair).
          """
      )
    }
    guard format.repository == state.repository else {
      throw SyncError(
        .noRepository,
        "synchronize",
        because: """
          the repository in \(repository.address) is \(format.repository), not \
          \(state.repository)
          """,
        do: "Nothing was changed. Leave the old repository first, if you want to join this one."
      )
    }
  }

  // MARK: - The state

  /// Tells which repository a store has joined; `nil` for none.
  ///
  /// Nothing is asked of the repository.
  ///
  /// - Parameter store: The store.
  /// - Returns: The place as it was given when the store joined, and the identity of the repository,
  ///   in hexadecimal digits.
  /// - Throws: ``SyncError``.
  /// - Complexity: O(1).
  public static func repository(
    of store: SnippetStore
  ) async throws(SyncError) -> (address: String, identity: String)? {
    guard let state = try await SyncRecords(store: store).state() else { return nil }
    return (state.address, state.repository)
  }

  /// Tells what a store has not sent, and when it met others; `nil` if it has not joined a repository.
  ///
  /// - Parameter store: The store.
  /// - Returns: The state.
  /// - Throws: ``SyncError``.
  /// - Complexity: O(*n*) in the number of blobs and of snippets that are not sent;
  ///   ``repository(of:)`` counts nothing.
  public static func status(of store: SnippetStore) async throws(SyncError) -> SyncStatus? {
    try await SyncRecords(store: store).status()
  }

  /// Lists the devices of the repository, as far as they are known here.
  ///
  /// A store that joins again after it left has a log of its own since then. It is listed once if its
  /// name is the same: a device that has left is omitted where one of its name has sent later.
  ///
  /// - Parameter store: The store.
  /// - Returns: The devices, this one among them.
  /// - Throws: ``SyncError``.
  public static func devices(of store: SnippetStore) async throws(SyncError) -> [SyncDevice] {
    let records = SyncRecords(store: store)
    guard let state = try await records.state() else { throw .notJoined }
    var devices = try await records.devices()
    for index in devices.indices where devices[index].device == state.device {
      // The others know it from the next head.
      devices[index].name = state.name
    }
    // A name is in each head: without one a device has only edited, as before a purge of a copy.
    devices.removeAll { $0.name.isEmpty && $0.wroteAt == nil && $0.applied == 0 }
    return devices.filter { former in !devices.contains { $0.isLater(than: former) } }
      .map { SyncDevice($0, isOwn: $0.device == state.device) }
  }
}

extension SyncError {
  static let notJoined = SyncError(
    .noRepository,
    "synchronize",
    because: "the store has not joined a repository",
    do: "Join one first (snip sync join)."
  )
}
