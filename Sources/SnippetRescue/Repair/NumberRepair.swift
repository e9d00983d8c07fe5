import GRDB
import SnippetStorage

/// Assigns new numbers to rows whose numbers leave too few for others, and lets the tables continue
/// from their present numbers.
///
/// No program assigns such a number, but the shell can. The triggers would refuse these changes, so
/// run it without them. Followers of the changes must read everything again.
struct NumberRepair {
  let db: Database
  private var sentences: [String] = []

  init(db: Database) {
    self.db = db
  }

  /// Mends wrong numbers in a transaction, without triggers, and returns the repairs as sentences.
  ///
  /// After an error nothing must be committed.
  consuming func run() throws -> [String] {
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    try renumberSnippets()
    try renumberTags()
    try renumberOriginFolders()
    try renumberBlobs()
    try renumberStagedBlobs()
    try lowerRevisions()
    try forgetDerivatives()
    try raiseNumberOfLogFiles()
    try setSequences()
    guard !sentences.isEmpty else { return [] }
    try db.execute(sql: "DELETE FROM change WHERE number > \(NumberSpace.highestID)")
    try db.leaveGapInChanges()
    return sentences
  }

  // MARK: - Rows

  private mutating func renumberSnippets() throws {
    for id in try db.numbers("SELECT id FROM snippet WHERE id > \(NumberSpace.highestID)") {
      let new = try next("snippet", upTo: NumberSpace.highestID)
      try renumber(
        id,
        to: new,
        [
          ("snippet", "id"), ("snippet_text", "snippet_id"), ("snippet_tag", "snippet_id"),
          ("origin", "snippet_id"), ("sync_row", "snippet_id"),
        ]
      )
      try db.execute(
        sql: "DELETE FROM change WHERE snippet_id = ?; DELETE FROM search_index WHERE rowid = ?",
        arguments: [id, id]
      )
      try db.execute(
        sql: "UPDATE search_state SET unindexed_from = min(coalesce(unindexed_from, ?1), ?1)",
        arguments: [new]
      )
      sentences.append("snippet \(id) became snippet \(new)")
    }
  }

  private mutating func renumberTags() throws {
    for id in try db.numbers("SELECT id FROM tag WHERE id > \(NumberSpace.highestID)") {
      let new = try next("tag", upTo: NumberSpace.highestID)
      try renumber(id, to: new, [("tag", "id"), ("snippet_tag", "tag_id")])
      sentences.append("tag \(id) became tag \(new)")
    }
  }

  private mutating func renumberOriginFolders() throws {
    for id in try db.numbers("SELECT id FROM origin_folder WHERE id > \(NumberSpace.highestID)") {
      let new = try next("origin_folder", upTo: NumberSpace.highestID)
      try renumber(id, to: new, [("origin_folder", "id"), ("origin", "folder_id")])
      sentences.append("folder \(id) of origins became folder \(new)")
    }
  }

  private mutating func renumberBlobs() throws {
    for id in try db.numbers("SELECT id FROM blob WHERE id > \(NumberSpace.highestBlobID)") {
      let new = try next("blob", upTo: NumberSpace.highestBlobID)
      try renumber(
        id,
        to: new,
        [("blob", "id"), ("snippet", "blob_id"), ("derivative", "blob_id")]
      )
      try renumberChunks(of: id, to: new)
      for snippet in try db.numbers(
        "SELECT id FROM snippet WHERE blob_id = ?",
        [new.databaseValue]
      ) {
        try SnippetDigest.give(to: SnippetID(rawValue: snippet), in: db)
      }
      sentences.append("blob \(id) became blob \(new)")
    }
  }

  private mutating func renumberStagedBlobs() throws {
    for id in try db.numbers("SELECT id FROM staged_blob WHERE id > \(NumberSpace.highestBlobID)") {
      let new = try next("blob", upTo: NumberSpace.highestBlobID)
      try renumber(id, to: new, [("staged_blob", "id"), ("capture", "id")])
      try renumberChunks(of: id, to: new)
      sentences.append("capture \(id) became capture \(new)")
    }
  }

  private func renumberChunks(of blob: Int64, to new: Int64) throws {
    // A higher number does not fit into the number of a chunk, which would belong to another blob.
    guard blob <= Int64.max >> 20 else { return }
    try db.execute(
      sql: """
        UPDATE blob_chunk SET id = (?2 << 20) + (id & 1048575)
        WHERE id BETWEEN ?1 << 20 AND (?1 << 20) + 1048575
        """,
      arguments: [blob, new]
    )
  }

  private func next(_ table: String, upTo highest: Int64) throws -> Int64 {
    let held = Self.held(table)
    return try db.number(
      "SELECT coalesce(max(id), 0) + 1 FROM (SELECT id FROM \(held)) WHERE id BETWEEN 1 AND ?",
      [highest.databaseValue]
    ) ?? 1
  }

  /// Selects the numbers in use for a table.
  ///
  /// A staged blob uses a number of the blobs. A synchronization knows a deleted snippet by its
  /// number until it has told the others, so no other snippet may get that.
  private static func held(_ table: String) -> String {
    switch table {
    case "blob": "blob UNION ALL SELECT id FROM staged_blob"
    case "snippet": "snippet UNION ALL SELECT snippet_id FROM sync_row"
    default: table
    }
  }

  private func renumber(
    _ id: Int64,
    to new: Int64,
    _ columns: [(table: String, column: String)]
  ) throws {
    for (table, column) in columns {
      try db.execute(
        sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?",
        arguments: [new, id]
      )
    }
  }

  private mutating func lowerRevisions() throws {
    let highest = NumberSpace.highestID
    for id in try db.numbers("SELECT id FROM snippet WHERE revision > \(highest)") {
      let known = try revision(of: id)
      try db.execute(
        sql: "UPDATE snippet SET revision = ? WHERE id = ?",
        arguments: [known ?? 1, id]
      )
      if known == nil { try forgetRevision(of: id) }
      sentences.append("snippet \(id) has revision \(known ?? 1) again")
    }
  }

  /// Gives a snippet with a new revision its digest, and lets a synchronization compare it: its
  /// entry may be of another state with that revision.
  private func forgetRevision(of id: Int64) throws {
    try SnippetDigest.give(to: SnippetID(rawValue: id), in: db)
    try db.execute(sql: "UPDATE sync_row SET revision = 0 WHERE snippet_id = ?", arguments: [id])
  }

  /// Computes the revision from the digest of a row; `nil` if that gives an impossible one.
  private func revision(of id: Int64) throws -> Int64? {
    let found = try db.value(
      "\(SnippetDigest.selection) WHERE id = ?",
      [id.databaseValue]
    ) { row in
      try row.optionalNumber(SnippetDigest.Column.digest).map { digest in
        try digest &- SnippetDigest.value(in: row)
          &+ row.number(SnippetDigest.Column.summed.lowerBound)
      }
    }
    guard let revision = found ?? nil, 1...1 << 24 ~= revision else { return nil }
    return revision
  }

  private mutating func forgetDerivatives() throws {
    try db.execute(sql: "DELETE FROM derivative WHERE id > \(NumberSpace.highestID)")
    guard db.changesCount > 0 else { return }
    try db.execute(
      sql: """
        UPDATE derivative_total
        SET byte_count = (SELECT CAST(total(byte_count) AS INTEGER) FROM derivative)
        """
    )
    sentences.append("derivatives with too high a number were removed")
  }

  /// Lets a synchronization continue after the last log file in its outbox.
  ///
  /// Others may have that file already, so its number must not be used for another one.
  private mutating func raiseNumberOfLogFiles() throws {
    try db.execute(
      sql: """
        UPDATE sync_state SET sealed = (SELECT max(number) FROM sync_outbox)
        WHERE sealed < (SELECT max(number) FROM sync_outbox)
        """
    )
    guard db.changesCount > 0 else { return }
    sentences.append("the synchronization continues after its last log file")
  }

  // MARK: - Sequences

  private static let tables = [
    ("snippet", "id", NumberSpace.highestID),
    ("blob", "id", NumberSpace.highestBlobID),
    ("change", "number", NumberSpace.highestID),
  ]

  private mutating func setSequences() throws {
    try db.execute(
      sql: "DELETE FROM sqlite_sequence WHERE typeof(name) <> 'text' OR typeof(seq) <> 'integer'"
    )
    var isChanged = db.changesCount > 0
    for (table, key, highest) in Self.tables {
      let held =
        try db.number(
          "SELECT max(\(key)) FROM (SELECT \(key) FROM \(Self.held(table))) WHERE \(key) <= ?",
          [highest.databaseValue]
        ) ?? 0
      let given = try db.numbers(
        "SELECT seq FROM sqlite_sequence WHERE name = ?",
        [table.databaseValue]
      )
      if given.count == 1, held...highest ~= given[0] { continue }
      if given.isEmpty, held == 0 { continue }
      let known = given.filter { $0 <= highest }.max() ?? 0
      try db.execute(
        sql: "DELETE FROM sqlite_sequence WHERE name = ?",
        arguments: [table]
      )
      try db.execute(
        sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
        arguments: [table, max(held, known)]
      )
      isChanged = true
    }
    if isChanged { sentences.append("the numbers that were given last were set anew") }
  }
}
