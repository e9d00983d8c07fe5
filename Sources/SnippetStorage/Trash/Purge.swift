public import Foundation
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
  let selection: TrashSelection
  let rewritesFile: Bool
  let operation: String
  /// Throws when the caller no longer waits for the result.
  let check: () throws -> Void

  func run() throws -> PurgeReport {
    var steps = WriteSteps(connections: connections, operation: operation, check: check)
    var emptying = TrashEmptying(selection)
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
    // First, because that makes room. Each may hold what is deleted now.
    let copies = connections.removeLeftoverCopies()
    // Remains of a deletion that crashed count as deleted too.
    var garbage = GarbageCollection(
      connections: connections,
      derivativeUses: derivativeUses,
      operation: operation,
      check: check,
      report: { _ in }
    )
    try garbage.removeAll()
    try mergeSearchIndex(&steps)
    // In the step that completes the index, so that it misses nothing. The record holds former
    // titles; without it, its followers know that they must read everything again.
    try steps.updateSearchIndex(leastCount: Self.indexedCount) { db in
      try db.execute(sql: "DELETE FROM deleted_file")
      try db.execute(sql: "DELETE FROM change")
    }
    try check()
    if rewritesFile {
      try rewriteFile()
    } else {
      var pages = PageReturn(connections: connections, steps: steps)
      _ = try pages.run()
    }
    let rest = try connections.emptyLog(to: operation)
    let kept = connections.isInMemory ? [] : FileBesideStore.all(besideStoreAt: connections.path)
    return PurgeReport(
      deletedCount: count,
      rewroteFile: rewritesFile,
      remainingLogByteCount: rest,
      remainingCopies: copies.remaining.map { URL(fileURLWithPath: $0) },
      unlistedFolder: copies.unlistedFolder.map { URL(fileURLWithPath: $0, isDirectory: true) },
      keptTexts: kept.map { URL(fileURLWithPath: $0) }
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
    try steps.updateSearchIndex(leastCount: Self.indexedCount)
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

  /// Finding out what the index lacks can take longer than a step.
  private static let indexedCount = 64
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
  /// The unfinished copies in the folder of the store that could not be removed, and may hold
  /// deleted content.
  ///
  /// There are some if another program was making a backup or restoring one. Purge again later.
  public var remainingCopies: [URL]
  /// The folder of the store, if it could not be listed; `nil` otherwise.
  ///
  /// Unfinished copies in it may hold deleted content. Allow the folder to be read, and purge
  /// again.
  public var unlistedFolder: URL?
  /// The files and folders beside the store with texts that are not in it yet, because they could
  /// not be saved or an editor has them open.
  ///
  /// Each also holds the text that its own was made from, which may be that of a deleted snippet.
  /// None is removed: its words may be nowhere else. Save them or drop them, and purge again.
  public var keptTexts: [URL]

  /// Whether the file, its log and its folder hold no trace of deleted content.
  public var isComplete: Bool {
    rewroteFile && remainingLogByteCount == 0 && remainingCopies.isEmpty && unlistedFolder == nil
      && keptTexts.isEmpty
  }
}
