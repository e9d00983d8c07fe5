import GRDB
import SnippetBase

extension SnippetStore {
  /// How many drafts are saved together.
  public struct SaveOptions: Sendable {
    /// Whether a draft whose bytes are already the content of a snippet is passed over, or, where it
    /// has a ``SnippetDraft/uuid``, one whose identity a snippet has.
    ///
    /// By default it becomes another snippet, which shares the stored bytes.
    public var skipsDuplicates: Bool

    /// Sets the options.
    ///
    /// - Parameter skipsDuplicates: Whether known content is passed over; not by default.
    public init(skipsDuplicates: Bool = false) {
      self.skipsDuplicates = skipsDuplicates
    }
  }

  /// What became of one draft.
  ///
  /// A draft is told of once it is durable.
  public enum SaveEvent: Sendable {
    /// It was saved.
    case saved(index: Int, SnippetID, byteCount: Int64)
    /// It was passed over, because a snippet has the same content.
    case duplicate(index: Int, of: SnippetID, byteCount: Int64)
    /// It could not be saved; the others were.
    case failed(index: Int, SnippetStoreError)
  }

  /// What became of many drafts.
  public struct SaveReport: Sendable, Hashable {
    /// How many were saved.
    public var savedCount = 0
    /// How many were passed over, because a snippet has the same content.
    public var duplicateCount = 0
    /// How many could not be saved.
    public var failedCount = 0
    /// The size of the content that was saved, in bytes.
    public var byteCount: Int64 = 0

    /// Counts nothing yet.
    public init() {}
  }

  /// Saves a draft and returns its row.
  ///
  /// On return the snippet is durable: it survives the end of the process and of the power.
  /// Content that the store has already is not stored again. Content of more than 4 MiB is written in
  /// steps of so many, between which others can write; nobody sees it before all of it is there, and
  /// nothing of it stays when that does not come about.
  ///
  /// - Parameter draft: What to save.
  /// - Returns: The row of the new snippet.
  /// - Throws: ``SnippetStoreError``. `.busy` and `.contentChanged` can be tried again;
  ///   `.unsupportedContent` and `.invalidInput` are about the draft; nothing is changed.
  /// - Complexity: O(log *n*) and one transaction, plus the size of the content.
  @discardableResult
  public func save(_ draft: SnippetDraft) throws(SnippetStoreError) -> SnippetRow {
    let operation = "save a snippet"
    let staging = staging(for: operation)
    defer { staging.end() }
    do {
      let snippet = try staging.stage(
        DraftPreparation(now: configuration.now(), operation: operation).prepare(draft)
      )
      return try connections.write(to: operation, keeping: .inMemory) { db in
        try Self.insert(snippet, in: db)
      }
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Saves a draft and returns its row, without holding one of Swift's threads meanwhile.
  ///
  /// - Parameter draft: What to save.
  /// - Returns: The row of the new snippet.
  /// - Throws: ``SnippetStoreError``, as the blocking form; `.cancelled` when the task was
  ///   cancelled before the commit.
  @discardableResult
  public func save(_ draft: SnippetDraft) async throws(SnippetStoreError) -> SnippetRow {
    let operation = "save a snippet"
    let now = configuration.now()
    let staging = staging(for: operation)
    do {
      let snippet = try await OwnThreads.run(cancellable: { flag in
        try staging.stage(
          DraftPreparation(now: now, operation: operation, check: flag.check).prepare(draft),
          check: flag.check
        )
      })
      let row = try await connections.write(to: operation, keeping: .inMemory) { db in
        try Self.insert(snippet, in: db, check: Task.checkCancellation)
      }
      await staging.end()
      return row
    } catch {
      await staging.end()
      throw SnippetStoreError(error, during: operation)
    }
  }

  func staging(for operation: String) -> BlobStaging {
    BlobStaging(connections: connections, operation: operation, now: configuration.now)
  }

  /// Saves many drafts in transactions of many.
  ///
  /// Each draft that `onEvent` tells of as saved is durable by then. When the call throws, what
  /// was told of stays; the rest is as if it had never been given.
  ///
  /// - Parameters:
  ///   - drafts: What to save. They are taken one by one and never all held in memory.
  ///   - options: How they are saved together.
  ///   - onEvent: Told what became of each draft, in batches, on this thread.
  /// - Returns: How many were saved, passed over and not saved.
  /// - Throws: ``SnippetStoreError`` when the store can take no more: `.busy`, which can be tried
  ///   again, `.diskFull`, `.inputOutput`, `.damaged`. A draft that cannot be saved does not throw.
  @discardableResult
  public func save(
    contentsOf drafts: some Sequence<SnippetDraft>,
    options: SaveOptions = SaveOptions(),
    onEvent: (SaveEvent) -> Void = { _ in }
  ) throws(SnippetStoreError) -> SaveReport {
    try save(contentsOf: drafts, options: options, check: {}, onEvent: onEvent)
  }

  /// Saves many drafts in transactions of many, without holding one of Swift's threads meanwhile.
  ///
  /// Cancelling the task ends the work between two drafts or two pieces of one; what was told of
  /// as saved stays.
  ///
  /// - Parameters:
  ///   - drafts: What to save. They are taken one by one and never all held in memory.
  ///   - options: How they are saved together.
  ///   - onEvent: Told what became of each draft, in batches, on a thread of the store.
  /// - Returns: How many were saved, passed over and not saved.
  /// - Throws: ``SnippetStoreError``, as the blocking form; `.cancelled` when the task was.
  @discardableResult
  public func save(
    contentsOf drafts: some Sequence<SnippetDraft> & Sendable,
    options: SaveOptions = SaveOptions(),
    onEvent: @escaping @Sendable (SaveEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> SaveReport {
    do {
      return try await OwnThreads.run(cancellable: { [self] flag in
        try save(contentsOf: drafts, options: options, check: flag.check, onEvent: onEvent)
      })
    } catch {
      throw SnippetStoreError(error, during: "save snippets")
    }
  }

  func save(
    contentsOf drafts: some Sequence<SnippetDraft>,
    options: SaveOptions,
    check: () throws -> Void,
    onEvent: (SaveEvent) -> Void
  ) throws(SnippetStoreError) -> SaveReport {
    let operation = "save snippets"
    // Refused before any draft is read.
    _ = try connections.writer(for: operation)
    do {
      return try withoutActuallyEscaping(check) { check in
        try withoutActuallyEscaping(onEvent) { onEvent in
          var batch = BatchSave(
            connections: connections,
            options: options,
            now: configuration.now,
            operation: operation,
            check: check,
            report: onEvent
          )
          try batch.run(drafts)
          return batch.result
        }
      }
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  static func insert(
    _ snippet: PreparedSnippet,
    in db: Database,
    check: () throws -> Void = {}
  ) throws -> SnippetRow {
    let id = try withoutActuallyEscaping(check) { check in
      try SnippetWriter(db: db, check: check).insert(snippet)
    }
    guard let row = try SnippetRowQuery.row(id, in: db) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a new row cannot be found")
    }
    return row
  }
}
