public import Foundation
import GRDB

/// Removes unreferenced content, and returns free pages to the file system.
///
/// Triggers and transactions leave no garbage. It comes from other crashes, from the shell with
/// dropped triggers, or from damage. It is searched for without the write lock, and verified with
/// it.
struct GarbageCollection {
  private let connections: Connections
  private let derivativeUses: DerivativeUses
  private let report: (StoreProgress) -> Void
  private var steps: WriteSteps
  private var found = GarbageReport()

  /// The number of rows to look for at a time.
  private static let batchCount = 512

  init(
    connections: Connections,
    derivativeUses: DerivativeUses,
    operation: String,
    check: @escaping () throws -> Void,
    report: @escaping (StoreProgress) -> Void
  ) {
    self.connections = connections
    self.derivativeUses = derivativeUses
    self.report = report
    steps = WriteSteps(connections: connections, operation: operation, check: check)
  }

  mutating func run(derivativeByteLimit limit: Int64) throws -> GarbageReport {
    let copies = connections.removeLeftoverCopies()
    found.copyCount = copies.removed.count
    found.unlistedFolder = copies.unlistedFolder.map {
      URL(fileURLWithPath: $0, isDirectory: true)
    }
    try removeAll()
    try makeRoom(derivativeByteLimit: limit)
    var pages = PageReturn(connections: connections, steps: steps, report: report)
    found.freedByteCount = try pages.run()
    found.longestStep = pages.longest
    return found
  }

  /// Removes unreferenced content, which frees its pages.
  mutating func removeAll() throws {
    found.textCount = try remove(Self.texts)
    found.tagCount = try remove(Self.tagMarks) + remove(Self.tags)
    found.originCount = try remove(Self.origins) + remove(Self.originFolders)
    found.derivativeCount = try remove(Self.derivatives)
    found.blobCount = try remove(Self.blobs)
    try removeSyncLeftovers()
    try removeDiscardedStagedBlobs()
    try removeChunks()
  }

  // MARK: - Rows

  /// One statement that selects the keys of unreferenced rows after a key, and one that deletes
  /// such a row unless it is referenced by now.
  private struct Rule {
    var find: String
    var delete: String
  }

  private static let texts = rule(
    "snippet_text",
    key: "snippet_id",
    where: "NOT EXISTS (SELECT 1 FROM snippet WHERE id = snippet_id)"
  )
  private static let tagMarks = rule(
    "snippet_tag",
    key: "snippet_id",
    where: """
      (NOT EXISTS (SELECT 1 FROM snippet WHERE id = snippet_id)
        OR NOT EXISTS (SELECT 1 FROM tag WHERE id = tag_id))
      """
  )
  private static let tags = rule(
    "tag",
    where: "NOT EXISTS (SELECT 1 FROM snippet_tag WHERE tag_id = tag.id)"
  )
  private static let origins = rule(
    "origin",
    key: "snippet_id",
    where: """
      (NOT EXISTS (SELECT 1 FROM snippet WHERE id = snippet_id)
        OR NOT EXISTS (SELECT 1 FROM origin_folder WHERE id = folder_id))
      """
  )
  private static let originFolders = rule(
    "origin_folder",
    where: "NOT EXISTS (SELECT 1 FROM origin WHERE folder_id = origin_folder.id)"
  )
  private static let derivatives = rule(
    "derivative",
    where: "NOT EXISTS (SELECT 1 FROM blob WHERE id = blob_id)"
  )
  private static let blobs = rule(
    "blob",
    where: "NOT EXISTS (SELECT 1 FROM snippet WHERE blob_id = blob.id)"
  )

  private static func rule(
    _ table: String,
    key: String = "id",
    where condition: String
  ) -> Rule {
    Rule(
      find: """
        SELECT DISTINCT \(key) FROM \(table) WHERE \(key) > ? AND \(condition)
        ORDER BY \(key) LIMIT \(batchCount)
        """,
      delete: "DELETE FROM \(table) WHERE \(key) = ? AND \(condition)"
    )
  }

  private mutating func remove(_ rule: Rule) throws -> Int {
    var (count, last) = (0, Int64.min)
    while true {
      try steps.check()
      let keys = try connections.read(.scans, to: steps.operation) { db in
        try db.numbers(rule.find, [last.databaseValue])
      }
      guard let end = keys.last else { return count }
      // In a damaged file the rows may form a circle.
      guard end > last else {
        throw DatabaseError.damage("rows are not in their order: \(end) comes after \(last)")
      }
      last = end
      var rest = keys[...]
      try steps.run { db, isOver in
        let deletion = try db.cachedStatement(sql: rule.delete)
        while let key = rest.first, !isOver() {
          try deletion.execute(arguments: [key])
          count += db.changesCount
          rest.removeFirst()
        }
        return rest.isEmpty
      }
    }
  }

  /// Removes the rows of a synchronization that has no state.
  private mutating func removeSyncLeftovers() throws {
    try steps.check()
    let total = try connections.read(.scans, to: steps.operation) { db in
      try db.number(SyncLeftovers.selection)
    }
    guard total != nil else { return }
    var count = 0
    try steps.run { db, isOver in
      let removed = try SyncLeftovers(db: db).remove(until: isOver)
      count += removed.count
      return removed.isDone
    }
    found.syncRowCount = count
  }

  // MARK: - Chunks

  /// Finds the ids of missing blobs that still have chunks, without visiting every chunk: from the
  /// first chunk of each blob it jumps to the next blob.
  ///
  /// UNION ends the recursion if the rows of a damaged file form a circle.
  private static let lostBlobs = """
    WITH RECURSIVE owner (id) AS (
      SELECT min(id) >> 20 FROM blob_chunk
      UNION
      SELECT (
        SELECT blob_chunk.id >> 20 FROM blob_chunk
        WHERE blob_chunk.id >= (owner.id + 1) << 20 ORDER BY blob_chunk.id LIMIT 1
      )
      FROM owner WHERE id < 8796093022207
    )
    SELECT id FROM owner
    WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = owner.id)
      AND NOT EXISTS (SELECT 1 FROM staged_blob WHERE staged_blob.id = owner.id)
    """

  /// Removes blobs that were discarded before a crash, and files whose saving was cut off by a
  /// crash.
  ///
  /// Captures are not garbage, nor are files that a running process is saving.
  private mutating func removeDiscardedStagedBlobs() throws {
    var count = 0
    try steps.run { db, isOver in
      let blobs = StagedBlobStatements(db: db)
      try blobs.discardUnfinishedSaves()
      while let chunkCount = try blobs.sweep() {
        count += chunkCount
        if isOver() { return false }
      }
      return true
    }
    found.chunkCount += count
  }

  private mutating func removeChunks() throws {
    try steps.check()
    var rest = try connections.read(.scans, to: steps.operation) { db in
      try db.numbers(Self.lostBlobs)
    }[...]
    guard !rest.isEmpty else { return }
    var count = 0
    try steps.run { db, isOver in
      let deletion = try db.cachedStatement(
        sql: """
          DELETE FROM blob_chunk WHERE id IN (
            SELECT id FROM blob_chunk WHERE id BETWEEN ?1 << 20 AND (?1 << 20) + 1048575
              AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = ?1)
              AND NOT EXISTS (SELECT 1 FROM staged_blob WHERE staged_blob.id = ?1)
            LIMIT 16
          )
          """
      )
      while let blob = rest.first, !isOver() {
        try deletion.execute(arguments: [blob])
        if db.changesCount == 0 { rest.removeFirst() }
        count += db.changesCount
      }
      return rest.isEmpty
    }
    found.chunkCount += count
  }

  // MARK: - Derivatives

  /// Counts the size of the derivatives again, and removes those beyond the budget.
  private mutating func makeRoom(derivativeByteLimit limit: Int64) throws {
    let uses = derivativeUses
    try steps.run { db, _ in
      try uses.write(in: db)
      // `sum` would fail if the sizes in a damaged file are too large.
      try db.execute(
        sql: """
          INSERT INTO derivative_total (id, byte_count)
          SELECT 1, CAST(total(byte_count) AS INTEGER) FROM derivative WHERE true
          ON CONFLICT (id) DO UPDATE SET byte_count = excluded.byte_count
          WHERE byte_count <> excluded.byte_count
          """
      )
      return true
    }
    try steps.run { db, isOver in
      try DerivativeWriter(db: db, byteLimit: limit).makeRoom(until: isOver)
    }
  }
}

/// The outcome of a garbage collection: what it found and removed.
public struct GarbageReport: Sendable, Hashable {
  /// The number of blobs that no snippet used.
  public var blobCount = 0
  /// The number of chunks without a blob, for example of a file that was being saved when its
  /// program ended.
  public var chunkCount = 0
  /// The number of texts without a snippet.
  public var textCount = 0
  /// The number of tags, and marks of tags, without a snippet.
  public var tagCount = 0
  /// The number of origins without a snippet, and of their folders without an origin.
  public var originCount = 0
  /// The number of derivatives without a blob.
  public var derivativeCount = 0
  /// The number of rows of a synchronization that has no state.
  public var syncRowCount = 0
  /// The number of unfinished copies beside the file, left by backups and restores that were
  /// killed.
  public var copyCount = 0
  /// The folder of the store, if it could not be listed; `nil` otherwise.
  ///
  /// It may hold unfinished copies. Allow it to be read, and collect again.
  public var unlistedFolder: URL?
  /// The bytes that were free and went back to the file system.
  public var freedByteCount: Int64 = 0
  /// The longest time for which a step made other writers wait.
  public var longestStep = Duration.zero

  /// Whether there were no orphans and no unfinished copies, as far as the folder of the store could
  /// be listed.
  ///
  /// Free pages do not count.
  public var isClean: Bool {
    blobCount + chunkCount + textCount + tagCount + originCount + derivativeCount + syncRowCount
      + copyCount == 0
  }
}
