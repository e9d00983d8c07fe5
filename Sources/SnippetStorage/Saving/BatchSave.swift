import Dispatch
import Foundation
import GRDB
import SnippetBase

/// Saves many drafts, with many in each transaction.
///
/// Neither memory nor the log grows with their number. Each draft is reported with its tag once it
/// is durable.
struct BatchSave<Tag, Outcome> {
  let connections: Connections
  let staging: BlobStaging
  let now: @Sendable () -> Date
  let operation: String
  /// Throws when the caller no longer waits for the result.
  let check: () throws -> Void
  /// Saves one draft in a transaction, and returns the outcome.
  let save: (Tag, PreparedSnippet, SnippetWriter) throws -> Outcome
  let report: (Tag, Result<Outcome, SnippetStoreError>) -> Void
  /// Runs after each batch has been reported.
  let afterBatch: () throws -> Void

  typealias Batch = [(tag: Tag, snippet: PreparedSnippet)]

  /// A draft waiting for its turn.
  private struct Upcoming {
    let tag: Tag
    let draft: SnippetDraft
    /// The preparation of the draft, if it has begun.
    var preparation: PreparationAhead?
  }

  var pending: Batch = []
  var pendingByteCount: Int64 = 0

  /// The number of snippets or bytes at which a batch is written.
  private static var maximumCount: Int { 500 }
  private static var maximumByteCount: Int64 { 16 << 20 }

  /// The operation that an error about one draft names.
  private static var draftOperation: String { "save a snippet" }

  /// Saves all drafts, and reports and skips those that cannot be saved.
  mutating func run(_ drafts: some Sequence<(tag: Tag, draft: SnippetDraft)>) throws {
    defer { staging.end() }
    try staging.removeLeftovers()
    var drafts = drafts.makeIterator()
    var ahead: Upcoming?
    defer { ahead?.preparation?.cancel() }
    while let current = ahead ?? drafts.next().map({ Upcoming(tag: $0.tag, draft: $0.draft) }) {
      try check()
      ahead = nil
      guard let snippet = try prepare(current) else { continue }
      // For small drafts, waking another thread would take longer than preparing them.
      if snippet.byteCount > BlobStaging.stepByteCount {
        ahead = drafts.next().map { begin($0.draft, $0.tag) }
      }
      try add(snippet, current.tag)
      if pending.count >= Self.maximumCount || pendingByteCount >= Self.maximumByteCount {
        try flush()
      }
    }
    try check()
    try flush()
  }

  private func begin(_ draft: SnippetDraft, _ tag: Tag) -> Upcoming {
    let preparation = PreparationAhead(draft, now: now(), operation: Self.draftOperation)
    return Upcoming(tag: tag, draft: draft, preparation: preparation)
  }

  /// Prepares a draft; reports it and returns `nil` if that fails.
  private func prepare(_ upcoming: Upcoming) throws -> PreparedSnippet? {
    do {
      if let begun = upcoming.preparation { return try begun.finish(check) }
      return try DraftPreparation(now: now(), operation: Self.draftOperation, check: check)
        .prepare(upcoming.draft)
    } catch let error as SnippetStoreError {
      // Cancellation stops everything and is not the draft's fault. But a stream may throw the same
      // error.
      if error.code == .cancelled { try check() }
      report(upcoming.tag, .failure(error))
      return nil
    }
  }

  private mutating func add(_ snippet: PreparedSnippet, _ tag: Tag) throws {
    do {
      pending.append((tag, try staging.stage(snippet, check: check)))
      pendingByteCount += snippet.byteCount
    } catch {
      guard error.isFaultOfDraft else { throw error }
      report(tag, .failure(SnippetStoreError(error, during: Self.draftOperation)))
    }
  }

  /// Writes the pending drafts in one transaction, then reports them.
  private mutating func flush() throws {
    guard !pending.isEmpty else { return }
    let batch = pending
    pending = []
    pendingByteCount = 0
    defer { staging.end() }
    for (saved, outcome) in zip(batch, try saveTogether(batch) ?? saveApart(batch)) {
      report(saved.tag, outcome)
    }
    try afterBatch()
  }

  /// Saves drafts in one transaction without savepoints; `nil`, with nothing saved, if one is
  /// faulty.
  private func saveTogether(_ batch: Batch) throws -> [Result<Outcome, SnippetStoreError>]? {
    var hasFaultyDraft = false
    do {
      return try write(batch) { tag, snippet, writer in
        do {
          return .success(try save(tag, snippet, writer))
        } catch {
          hasFaultyDraft = error.isFaultOfDraft
          throw error
        }
      }
    } catch {
      guard hasFaultyDraft else { throw error }
      return nil
    }
  }

  /// Saves the drafts that can be saved, in one transaction.
  private func saveApart(_ batch: Batch) throws -> [Result<Outcome, SnippetStoreError>] {
    try write(batch) { tag, snippet, writer in
      do {
        return .success(try writer.db.savepoint { try save(tag, snippet, writer) })
      } catch let error where error.isFaultOfDraft {
        return .failure(SnippetStoreError(error, during: Self.draftOperation))
      }
    }
  }

  private func write<Written>(
    _ batch: Batch,
    _ save: (Tag, PreparedSnippet, SnippetWriter) throws -> Written
  ) throws -> [Written] {
    try connections.write(to: operation, keeping: .inMemory) { db in
      // The wait for the writer may have been long.
      try check()
      let writer = SnippetWriter(db: db, check: check)
      return try batch.map { try save($0.tag, $0.snippet, writer) }
    }
  }
}

extension BatchSave {
  /// Does what ``run(_:)`` does in a transaction of the caller, who rolls it back.
  ///
  /// Bytes are read and hashed, and kept nowhere.
  static func rehearse(
    _ drafts: some Sequence<(tag: Tag, draft: SnippetDraft)>,
    now: () -> Date,
    in db: Database,
    check: @escaping () throws -> Void,
    with save: (Tag, PreparedSnippet, SnippetWriter) throws -> Outcome,
    report: (Tag, Result<Outcome, SnippetStoreError>) -> Void
  ) throws {
    let writer = SnippetWriter(db: db, keepsBytes: false, check: check)
    for (tag, draft) in drafts {
      try check()
      do {
        let snippet = try DraftPreparation(now: now(), operation: draftOperation, check: check)
          .prepare(draft)
        report(tag, .success(try db.savepoint { try save(tag, snippet, writer) }))
      } catch let error as SnippetStoreError {
        if error.code == .cancelled { try check() }
        report(tag, .failure(error))
      } catch  where error.isFaultOfDraft {
        report(tag, .failure(SnippetStoreError(error, during: draftOperation)))
      }
    }
  }
}

extension Error {
  /// Whether a draft itself is at fault.
  ///
  /// A full disk, say, would stop all of them.
  fileprivate var isFaultOfDraft: Bool {
    switch self {
    case is ContentChange, is BlobTooLarge, is FileError, is IdentityInUse: true
    case let error as DatabaseError: error.resultCode == .SQLITE_CONSTRAINT
    default: false
    }
  }
}

/// Prepares the next file on another thread while the previous one is written.
///
/// Reading and hashing it then takes no extra time.
final class PreparationAhead: Sendable {
  private let outcome = Lock<Result<PreparedSnippet, SnippetStoreError>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)
  private let flag = CancellationFlag()

  /// Begins to prepare a draft of a file; `nil` for other content, which cannot be read on any
  /// thread.
  init?(_ draft: SnippetDraft, now: Date, operation: String) {
    guard case .file = draft.content.source else { return nil }
    OwnThreads.start { [self] in
      let preparation = DraftPreparation(now: now, operation: operation, check: flag.check)
      let prepared = Result { () throws(SnippetStoreError) in try preparation.prepare(draft) }
      outcome.withLock { $0 = prepared }
      isDone.signal()
    }
  }

  /// Waits for the prepared draft.
  ///
  /// Call this once, unless you call ``cancel()``. If `check` throws because the draft is no longer
  /// needed, the work has ended.
  func finish(_ check: () throws -> Void) throws -> PreparedSnippet {
    while isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      do {
        try check()
      } catch {
        cancel()
        throw error
      }
    }
    guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("signalled before") }
    return try outcome.get()
  }

  /// Stops the work and waits for its end; its result is lost.
  func cancel() {
    flag.cancel()
    isDone.wait()
  }
}
