import Foundation
import GRDB

/// Deletes what is in the trash, and every trace of what was deleted.
///
/// What a deletion leaves: the pages that it frees; in pages that stay in use, the bytes of rows
/// that once stood there, also where SQLite overwrites what it deletes, since it moves rows from
/// page to page and leaves the old copies; the words in the search index until its parts are
/// merged; the titles in the record of changes; and all of it in the log.
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

  /// Removes what the deletion has left of so many snippets.
  private func removeTraces(
    of count: Int,
    _ steps: inout WriteSteps
  ) throws -> PurgeReport {
    // What a crash has left, half deleted, was deleted too.
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

  /// What is so once the trash is empty.
  private static let deleted = "What was in the trash is deleted, and has left traces."

  /// What keeps a file from being written anew: by then everything is deleted.
  static func failure(
    _ error: any Error,
    toRewriteDuring operation: String
  ) -> SnippetStoreError {
    let error = SnippetStoreError(error, during: operation)
    guard error.code == .diskFull else { return error }
    return SnippetStoreError(
      .diskFull,
      operation,
      because: "there is no room to write the file anew",
      keeping: deleted,
      do: """
        Free as much space as the file has, twice, and purge again; or purge without writing the \
        file anew.
        """,
      underlying: error.underlyingError
    )
  }

  /// Has the search index forget what it holds of snippets that are gone: merged into one part, it
  /// holds no word that no snippet has.
  private func mergeSearchIndex(_ steps: inout WriteSteps) throws {
    var longTexts = LongTexts()
    while try !steps.take({ db, isOver in try catchUp(&longTexts, in: db, until: isOver) }) {
      try longTexts.prepare(connections, to: operation)
      steps.letOthersWrite()
    }
    // A negative number begins the merge of all parts; positive ones go on with it until nothing is
    // written any more (https://www.sqlite.org/fts5.html#the_merge_command).
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

  /// Brings the search index up to date for some way: to find out what it lacks can take longer
  /// than a step, so that each one indexes some dozens.
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

  /// Forgets the record of changes, with the titles that snippets had; its followers are told to
  /// read everything again.
  private func forgetChanges(_ steps: inout WriteSteps) throws {
    var longTexts = LongTexts()
    while try !steps.take({ db, isOver in
      // Together, so that the index misses nothing.
      guard try catchUp(&longTexts, in: db, until: isOver) else { return false }
      try db.execute(sql: "DELETE FROM change")
      return true
    }) {
      try longTexts.prepare(connections, to: operation)
      steps.letOthersWrite()
    }
  }
}
