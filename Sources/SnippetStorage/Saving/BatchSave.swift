import Foundation
import GRDB
import SnippetBase

/// What became of one draft of many.
enum SaveOutcome {
  case saved(SnippetID, byteCount: Int64)
  case duplicate(of: SnippetID, byteCount: Int64)
  case failed(SnippetStoreError)
}

/// Saves many drafts, many in each transaction, so that neither memory nor the log grows with their
/// number, and reports each one once it is durable, with the tag that came with it.
struct BatchSave<Tag> {
  let connections: Connections
  let skipsDuplicates: Bool
  let now: @Sendable () -> Date
  let operation: String
  /// Throws when nobody waits for the result any more.
  let check: () throws -> Void
  let report: (Tag, SaveOutcome) -> Void
  /// Follows each batch once it is reported.
  let afterBatch: () throws -> Void

  private typealias Batch = [(tag: Tag, snippet: PreparedSnippet)]

  private let staging: BlobStaging
  private var pending: Batch = []
  private var pendingByteCount: Int64 = 0
  private(set) var result = SnippetStore.SaveReport()

  /// A batch is written once it holds this many snippets or bytes.
  private static var maximumCount: Int { 500 }
  private static var maximumByteCount: Int64 { 16 << 20 }

  init(
    connections: Connections,
    staging: BlobStaging,
    skipsDuplicates: Bool,
    now: @escaping @Sendable () -> Date,
    operation: String,
    check: @escaping () throws -> Void,
    report: @escaping (Tag, SaveOutcome) -> Void,
    afterBatch: @escaping () throws -> Void = {}
  ) {
    self.connections = connections
    self.skipsDuplicates = skipsDuplicates
    self.now = now
    self.operation = operation
    self.check = check
    self.report = report
    self.afterBatch = afterBatch
    self.staging = staging
  }

  /// Saves every draft; one that cannot be saved is reported and skipped.
  mutating func run(_ drafts: some Sequence<(tag: Tag, draft: SnippetDraft)>) throws {
    defer { staging.end() }
    try staging.removeLeftovers()
    for (tag, draft) in drafts {
      try check()
      try add(draft, tag)
      if pending.count >= Self.maximumCount || pendingByteCount >= Self.maximumByteCount {
        try flush()
      }
    }
    try check()
    try flush()
  }

  private mutating func add(_ draft: SnippetDraft, _ tag: Tag) throws {
    let preparation = DraftPreparation(now: now(), operation: "save a snippet", check: check)
    let snippet: PreparedSnippet
    do {
      snippet = try preparation.prepare(draft)
    } catch {
      // Cancellation ends the whole, and is no fault of the draft; but a stream may throw the same.
      if error.code == .cancelled { try check() }
      return fail(tag, error)
    }
    do {
      pending.append((tag, try staging.stage(snippet, check: check)))
      pendingByteCount += snippet.byteCount
    } catch {
      guard Self.isFaultOfDraft(error) else { throw error }
      fail(tag, SnippetStoreError(error, during: "save a snippet"))
    }
  }

  private mutating func fail(_ tag: Tag, _ error: SnippetStoreError) {
    result.failedCount += 1
    report(tag, .failed(error))
  }

  /// Writes what is pending in one transaction, then tells of it.
  private mutating func flush() throws {
    guard !pending.isEmpty else { return }
    let batch = pending
    pending = []
    pendingByteCount = 0
    defer { staging.end() }
    for (saved, outcome) in zip(batch, try saveTogether(batch) ?? saveApart(batch)) {
      switch outcome {
      case .saved(_, let byteCount):
        result.savedCount += 1
        result.byteCount += byteCount
      case .duplicate: result.duplicateCount += 1
      case .failed: result.failedCount += 1
      }
      report(saved.tag, outcome)
    }
    try afterBatch()
  }

  /// Saves drafts in one transaction, without a savepoint around each, for which SQLite would keep
  /// a copy of every page that each of them changes.
  ///
  /// - Returns: What became of each; `nil`, with nothing saved, where one cannot be.
  private func saveTogether(_ batch: Batch) throws -> [SaveOutcome]? {
    var hasFaultyDraft = false
    do {
      return try write(batch) { snippet, writer in
        do {
          return try outcome(of: snippet, with: writer)
        } catch {
          hasFaultyDraft = Self.isFaultOfDraft(error)
          throw error
        }
      }
    } catch {
      guard hasFaultyDraft else { throw error }
      return nil
    }
  }

  /// Saves those drafts that can be, in one transaction.
  private func saveApart(_ batch: Batch) throws -> [SaveOutcome] {
    try write(batch) { snippet, writer in try save(snippet, with: writer) }
  }

  private func write(
    _ batch: Batch,
    _ save: (PreparedSnippet, SnippetWriter) throws -> SaveOutcome
  ) throws -> [SaveOutcome] {
    try connections.write(to: operation, keeping: .inMemory) { db in
      // It may have been long until the writer was free.
      try check()
      let writer = SnippetWriter(db: db, check: check)
      return try batch.map { try save($0.snippet, writer) }
    }
  }

  /// Saves one draft, or nothing of it.
  private func save(
    _ snippet: PreparedSnippet,
    with writer: SnippetWriter
  ) throws -> SaveOutcome {
    do {
      return try writer.db.savepoint { try outcome(of: snippet, with: writer) }
    } catch let error where Self.isFaultOfDraft(error) {
      return .failed(SnippetStoreError(error, during: "save a snippet"))
    }
  }

  private func outcome(
    of snippet: PreparedSnippet,
    with writer: SnippetWriter
  ) throws -> SaveOutcome {
    if skipsDuplicates, let existing = try writer.duplicate(of: snippet) {
      return .duplicate(of: existing, byteCount: snippet.byteCount)
    }
    return .saved(try writer.insert(snippet), byteCount: snippet.byteCount)
  }

  /// Whether only this draft cannot be saved; a full disk, say, stops them all.
  private static func isFaultOfDraft(_ error: any Error) -> Bool {
    switch error {
    case is ContentChange, is BlobTooLarge, is FileError, is IdentityInUse: true
    case let error as DatabaseError: error.resultCode == .SQLITE_CONSTRAINT
    default: false
    }
  }
}
