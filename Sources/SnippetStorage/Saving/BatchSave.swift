import Foundation
import GRDB
import SnippetBase

/// Saves many drafts in transactions of many, so that neither memory nor the log grows with their
/// number, and tells of each one only once it is durable.
struct BatchSave {
  let connections: Connections
  let options: SnippetStore.SaveOptions
  let now: @Sendable () -> Date
  let operation: String
  /// Throws when nobody waits for the result any more.
  let check: () throws -> Void
  let report: (SnippetStore.SaveEvent) -> Void

  private typealias Batch = [(index: Int, snippet: PreparedSnippet)]

  private let staging: BlobStaging
  private var pending: Batch = []
  private var pendingByteCount: Int64 = 0
  private(set) var result = SnippetStore.SaveReport()

  /// A batch is written once it holds this many snippets or bytes.
  private static let maximumCount = 500
  private static let maximumByteCount: Int64 = 16 << 20

  init(
    connections: Connections,
    staging: BlobStaging,
    options: SnippetStore.SaveOptions,
    now: @escaping @Sendable () -> Date,
    operation: String,
    check: @escaping () throws -> Void,
    report: @escaping (SnippetStore.SaveEvent) -> Void
  ) {
    self.connections = connections
    self.options = options
    self.now = now
    self.operation = operation
    self.check = check
    self.report = report
    self.staging = staging
  }

  /// Saves every draft; one that cannot be saved is told of and passed over.
  mutating func run(_ drafts: some Sequence<SnippetDraft>) throws {
    defer { staging.end() }
    try staging.removeLeftovers()
    var index = 0
    for draft in drafts {
      try check()
      try add(draft, at: index)
      index += 1
      if pending.count >= Self.maximumCount || pendingByteCount >= Self.maximumByteCount {
        try flush()
      }
    }
    try check()
    try flush()
  }

  private mutating func add(_ draft: SnippetDraft, at index: Int) throws {
    let preparation = DraftPreparation(now: now(), operation: "save a snippet", check: check)
    let snippet: PreparedSnippet
    do {
      snippet = try preparation.prepare(draft)
    } catch {
      // Cancellation ends the whole, and is no fault of the draft; but a stream may throw the same.
      if error.code == .cancelled { try check() }
      return fail(index, error)
    }
    do {
      pending.append((index, try staging.stage(snippet, check: check)))
      pendingByteCount += snippet.byteCount
    } catch {
      guard Self.isFaultOfDraft(error) else { throw error }
      fail(index, SnippetStoreError(error, during: "save a snippet"))
    }
  }

  private mutating func fail(_ index: Int, _ error: SnippetStoreError) {
    result.failedCount += 1
    report(.failed(index: index, error))
  }

  /// Writes what is pending in one transaction, then tells of it.
  private mutating func flush() throws {
    guard !pending.isEmpty else { return }
    let batch = pending
    pending = []
    pendingByteCount = 0
    defer { staging.end() }
    for event in try saveTogether(batch) ?? saveApart(batch) {
      switch event {
      case .saved(_, _, let byteCount):
        result.savedCount += 1
        result.byteCount += byteCount
        report(event)
      case .duplicate:
        result.duplicateCount += 1
        report(event)
      case .failed(let index, let error):
        fail(index, error)
      }
    }
  }

  /// Saves drafts in one transaction, without a savepoint around each, for which SQLite would keep a
  /// copy of every page that each of them changes.
  ///
  /// - Returns: What became of each; `nil`, with nothing saved, where one cannot be.
  private func saveTogether(_ batch: Batch) throws -> [SnippetStore.SaveEvent]? {
    var hasFaultyDraft = false
    do {
      return try write(batch) { snippet, index, writer in
        do {
          return try event(of: snippet, at: index, with: writer)
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
  private func saveApart(_ batch: Batch) throws -> [SnippetStore.SaveEvent] {
    try write(batch) { snippet, index, writer in
      try save(snippet, at: index, with: writer)
    }
  }

  private func write(
    _ batch: Batch,
    _ save: (PreparedSnippet, Int, SnippetWriter) throws -> SnippetStore.SaveEvent
  ) throws -> [SnippetStore.SaveEvent] {
    try connections.write(to: operation, keeping: .inMemory) { db in
      // It may have been long until the writer was free.
      try check()
      let writer = SnippetWriter(db: db, check: check)
      return try batch.map { index, snippet in try save(snippet, index, writer) }
    }
  }

  /// Saves one draft, or nothing of it.
  private func save(
    _ snippet: PreparedSnippet,
    at index: Int,
    with writer: SnippetWriter
  ) throws -> SnippetStore.SaveEvent {
    do {
      return try writer.db.savepoint {
        try event(of: snippet, at: index, with: writer)
      }
    } catch let error where Self.isFaultOfDraft(error) {
      return .failed(index: index, SnippetStoreError(error, during: "save a snippet"))
    }
  }

  private func event(
    of snippet: PreparedSnippet,
    at index: Int,
    with writer: SnippetWriter
  ) throws -> SnippetStore.SaveEvent {
    if options.skipsDuplicates, let existing = try writer.duplicate(of: snippet) {
      return .duplicate(index: index, of: existing, byteCount: snippet.byteCount)
    }
    return .saved(index: index, try writer.insert(snippet), byteCount: snippet.byteCount)
  }

  /// Whether only this draft cannot be saved; a full disk, say, stops them all.
  private static func isFaultOfDraft(_ error: any Error) -> Bool {
    switch error {
    case is ContentChange, is BlobTooLarge, is FileError: true
    case let error as DatabaseError: error.resultCode == .SQLITE_CONSTRAINT
    default: false
    }
  }
}
