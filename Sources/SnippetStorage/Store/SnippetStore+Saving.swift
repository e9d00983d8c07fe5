import GRDB
import SnippetBase

extension SnippetStore {
  /// Saves a draft and returns its row.
  ///
  /// On return the snippet is durable: it survives a crash and power loss. Content that the store
  /// already has is not stored again. Content larger than 4 MiB is written in steps of 4 MiB, and
  /// others can write in between. It is invisible until it is complete, and leaves no trace if the
  /// call fails.
  ///
  /// - Parameter draft: The draft.
  /// - Returns: The row of the new snippet.
  /// - Throws: ``SnippetStoreError``. After `.busy` and `.contentChanged` you can try again.
  ///   `.unsupportedContent` and `.invalidInput` concern the draft; the latter also if a snippet
  ///   already has its ``SnippetDraft/uuid``. `.cancelled` if the task was cancelled before the
  ///   commit. Nothing is changed then.
  /// - Complexity: O(log *n*) and one transaction, plus the size of the content.
  @discardableResult
  public func save(_ draft: SnippetDraft) async throws(SnippetStoreError) -> SnippetRow {
    let operation = "save a snippet"
    let now = configuration.now()
    let staging = staging(for: operation)
    return try await staging.write(keeping: .inMemory) { check in
      try staging.stage(
        DraftPreparation(now: now, operation: operation, check: check).prepare(draft),
        check: check
      )
    } then: { snippet, db in
      try SnippetWriter(db: db, check: Task.checkCancellation).insertRow(snippet)
    }
  }

  func staging(for operation: String) -> BlobStaging {
    BlobStaging(
      connections: connections,
      readers: blobReaders,
      operation: operation,
      now: configuration.now
    )
  }

  /// Saves many drafts, with many in each transaction.
  ///
  /// When `onEvent` reports a draft as saved, it is durable. If the call throws, the reported
  /// drafts stay saved, and the others leave no trace. Cancelling the task ends the work between
  /// two drafts or two pieces of one.
  ///
  /// - Parameters:
  ///   - drafts: The drafts. They are taken one by one, on a thread of the store, so they need not
  ///     fit in memory: a lazy sequence makes each when it is needed. Mark its closures
  ///     `@Sendable`; one that is bound to the main actor traps on that thread.
  ///   - skipsDuplicates: Whether to skip a draft if a snippet already has its bytes, or its
  ///     ``SnippetDraft/uuid`` if it has one. By default a draft with known bytes becomes another
  ///     snippet, which shares them, and one with a known ``SnippetDraft/uuid`` fails with
  ///     `.invalidInput`, while the others are saved.
  ///   - onEvent: Receives the outcome of each draft, in batches, on a thread of the store.
  /// - Returns: The numbers of saved, skipped and failed drafts.
  /// - Throws: ``SnippetStoreError`` if the store cannot continue: `.busy`, after which you can try
  ///   again; `.diskFull`, `.inputOutput`, `.damaged`; `.cancelled` if the task was cancelled. A
  ///   draft that cannot be saved does not throw.
  @discardableResult
  public func save(
    contentsOf drafts: sending some Sequence<SnippetDraft>,
    skipsDuplicates: Bool = false,
    onEvent: @escaping @Sendable (SaveEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> SaveReport {
    // Not checked further: it was sent here, so there is no other reference.
    nonisolated(unsafe) let drafts = AnySequence(drafts)
    return try await OwnThreads.run(to: "save snippets") { [self] check in
      try blockingSave(
        contentsOf: drafts,
        skipsDuplicates: skipsDuplicates,
        onEvent: onEvent,
        check: check
      )
    }
  }

  /// Saves many drafts and blocks; for threads that may.
  @discardableResult
  func blockingSave(
    contentsOf drafts: some Sequence<SnippetDraft>,
    skipsDuplicates: Bool = false,
    onEvent: @escaping (SaveEvent) -> Void = { _ in },
    check: @escaping () throws -> Void = {}
  ) throws(SnippetStoreError) -> SaveReport {
    var report = SaveReport()
    let numbered = drafts.enumerated().lazy.map { (tag: $0.offset, draft: $0.element) }
    try saveBatches(numbered, check) { index, snippet, writer -> SaveEvent in
      if skipsDuplicates, let existing = try writer.duplicate(of: snippet) {
        return .duplicate(index: index, of: existing, byteCount: snippet.byteCount)
      }
      return .saved(index: index, try writer.insert(snippet), byteCount: snippet.byteCount)
    } report: { index, outcome in
      let event =
        switch outcome {
        case .success(let event): event
        case .failure(let error): SaveEvent.failed(index: index, error)
        }
      report.add(event)
      onEvent(event)
    }
    return report
  }

  /// Saves many drafts in the caller's way, and reports each with its tag once it is durable.
  func saveBatches<Tag, Outcome>(
    _ drafts: some Sequence<(tag: Tag, draft: SnippetDraft)>,
    _ check: @escaping () throws -> Void,
    _ save: @escaping (Tag, PreparedSnippet, SnippetWriter) throws -> Outcome,
    report: @escaping (Tag, Result<Outcome, SnippetStoreError>) -> Void,
    afterBatch: @escaping () throws -> Void = {}
  ) throws(SnippetStoreError) {
    let operation = "save snippets"
    // Refuse a read-only store before any draft is read.
    _ = try connections.writer(for: operation)
    try SnippetStoreError.converting(during: operation) {
      var batch = BatchSave(
        connections: connections,
        staging: staging(for: operation),
        now: configuration.now,
        operation: operation,
        check: check,
        save: save,
        report: report,
        afterBatch: afterBatch
      )
      try batch.run(drafts)
    }
  }
}

/// The outcome of one draft.
///
/// A draft is reported once it is durable.
public enum SaveEvent: Sendable {
  /// The draft was saved.
  case saved(index: Int, SnippetID, byteCount: Int64)
  /// The draft was skipped, because a snippet has the same content.
  case duplicate(index: Int, of: SnippetID, byteCount: Int64)
  /// The draft could not be saved; the others are not affected.
  case failed(index: Int, SnippetStoreError)
}

/// The outcome of saving many drafts.
public struct SaveReport: Sendable, Hashable {
  /// The number of drafts that were saved.
  public var savedCount = 0
  /// The number of drafts that were skipped because a snippet has the same content.
  public var duplicateCount = 0
  /// The number of drafts that could not be saved.
  public var failedCount = 0
  /// The size of the saved content in bytes.
  public var byteCount: Int64 = 0

  /// Makes an empty report.
  public init() {}

  fileprivate mutating func add(_ event: SaveEvent) {
    switch event {
    case .saved(_, _, let added):
      savedCount += 1
      byteCount += added
    case .duplicate: duplicateCount += 1
    case .failed: failedCount += 1
    }
  }
}
