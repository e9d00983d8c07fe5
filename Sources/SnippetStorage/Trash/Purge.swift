import Foundation
import GRDB

/// Deletes the content of the trash, and every trace of deleted snippets.
///
/// A deletion leaves traces: freed pages; old bytes of rows in pages still in use, even though
/// SQLite overwrites deleted content, because it moves rows between pages and leaves the old
/// copies; words in the search index, until its segments are merged; titles in the record of
/// changes; and all of these in the log.
struct Purge {
  let connections: Connections
  let derivativeUses: DerivativeUses
  let date: Date?
  let rewritesFile: Bool
  let operation: String
  /// Throws when the caller no longer waits for the result.
  let check: () throws -> Void
  let report: (PurgeStage) -> Void

  func run() throws -> PurgeReport {
    var steps = WriteSteps(connections: connections, operation: operation, check: check)
    report(.deleting)
    var emptying = TrashEmptying(before: date)
    try steps.run { db, isOver in try emptying.advance(in: db, until: isOver) }
    do {
      return try removeTraces(of: emptying.count, &steps)
    } catch {
      throw SnippetStoreError(error, during: operation)
        .keeping(Self.deleted, during: operation)
    }
  }

  /// Removes the traces of a number of deleted snippets.
  private func removeTraces(
    of count: Int,
    _ steps: inout WriteSteps
  ) throws -> PurgeReport {
    // Remains of a deletion that crashed count as deleted too.
    var garbage = GarbageCollection(
      connections: connections,
      derivativeUses: derivativeUses,
      operation: operation,
      check: check,
      report: { _ in }
    )
    try garbage.removeAll()
    report(.mergingSearchIndex)
    try mergeSearchIndex(&steps)
    try forgetChanges(&steps)
    report(.rewriting)
    try check()
    if rewritesFile {
      try rewriteFile()
    } else {
      var pages = PageReturn(connections: connections, steps: steps)
      _ = try pages.run()
    }
    let rest = try connections.emptyLog(to: operation)
    return PurgeReport(
      deletedCount: count,
      rewroteFile: rewritesFile,
      remainingLogByteCount: rest
    )
  }

  private func rewriteFile() throws {
    do {
      try connections.rewriteFile(to: operation, check: check)
    } catch {
      throw Self.failure(error, toRewriteDuring: operation)
    }
  }

  /// The state of the store once the snippets are deleted.
  private static let deleted = "The snippets are deleted, but traces are left."

  /// Explains why the file could not be rewritten.
  ///
  /// By then everything has been deleted.
  static func failure(
    _ error: any Error,
    toRewriteDuring operation: String
  ) -> SnippetStoreError {
    let error = SnippetStoreError(error, during: operation)
    guard error.code == .diskFull else { return error }
    return SnippetStoreError(
      .diskFull,
      operation,
      because: "there is no room to rewrite the file",
      keeping: deleted,
      do: """
        Free twice the size of the file and purge again; or purge without rewriting the file.
        """,
      underlying: error.underlyingError
    )
  }

  /// Removes the words of deleted snippets from the search index: after merging into one segment,
  /// it only holds words of existing snippets.
  private func mergeSearchIndex(_ steps: inout WriteSteps) throws {
    var longTexts = LongTexts()
    while try !steps.take({ db, isOver in try catchUp(&longTexts, in: db, until: isOver) }) {
      try longTexts.prepare(connections, to: operation)
      steps.letOthersWrite()
    }
    // A negative number begins to merge all segments. Positive ones continue until nothing more is
    // written (https://www.sqlite.org/fts5.html#the_merge_command).
    var pages = -16
    try steps.run { db, isOver in
      let merge = try db.cachedStatement(
        sql: "INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)"
      )
      while !isOver() {
        let before = db.totalChangesCount
        try merge.execute(arguments: [pages])
        if pages > 0, db.totalChangesCount - before < 2 { return true }
        pages = 16
      }
      return false
    }
  }

  /// Updates the search index a part at a time.
  ///
  /// Finding out what it lacks can take longer than a step, so each step indexes some dozens of
  /// snippets.
  private func catchUp(
    _ longTexts: inout LongTexts,
    in db: Database,
    until isOver: () -> Bool
  ) throws -> Bool {
    var count = 0
    return try SearchIndex.catchUp(
      until: {
        count += 1
        return count > 64 && isOver()
      },
      &longTexts,
      in: db
    )
  }

  /// Deletes the record of changes with its former titles.
  ///
  /// Its followers then know that they must read everything again.
  private func forgetChanges(_ steps: inout WriteSteps) throws {
    var longTexts = LongTexts()
    while try !steps.take({ db, isOver in
      // In one step, so that the index misses nothing.
      guard try catchUp(&longTexts, in: db, until: isOver) else { return false }
      try db.execute(sql: "DELETE FROM change")
      return true
    }) {
      try longTexts.prepare(connections, to: operation)
      steps.letOthersWrite()
    }
  }
}

/// A stage of a purge.
enum PurgeStage: Sendable, Hashable {
  /// Deleting the content of the trash.
  case deleting
  /// Removing deleted words from the search index.
  case mergingSearchIndex
  /// Rewriting the file, or returning its free pages to the file system.
  case rewriting
}

/// The outcome of a purge.
public struct PurgeReport: Sendable, Hashable {
  /// The number of snippets that were deleted from the trash.
  public var deletedCount: Int
  /// Whether the whole file was rewritten.
  public var rewroteFile: Bool
  /// The bytes of the log that could not be emptied, and may hold deleted content.
  ///
  /// It is more than 0 if another program was reading or writing. Purge again later.
  public var remainingLogByteCount: Int64

  /// Whether the file and its log hold no trace of deleted content.
  public var isComplete: Bool { rewroteFile && remainingLogByteCount == 0 }
}
