import Foundation
import GRDB
import SnippetBase
import SnippetRecognition

/// Checks a whole file: its structure, its schema, references in both directions, and every byte of
/// every blob.
struct StoreCheck {
  let check: () throws -> Void
  let report: (StoreProgress) -> Void

  /// Whether to compare the words in the search index with the texts, which dominates the time if
  /// there are many.
  private let looksAtSearchIndex: Bool
  private var problems: [CheckReport.Problem] = []
  private var notes: [String] = []

  /// The most problems of one kind to report.
  private static let maximumCountOfAKind = 100

  init(
    lookingAtSearchIndex looksAtSearchIndex: Bool = false,
    check: @escaping () throws -> Void = {},
    report: @escaping (StoreProgress) -> Void = { _ in }
  ) {
    self.looksAtSearchIndex = looksAtSearchIndex
    self.check = check
    self.report = report
  }

  /// Checks the state that a connection sees, in one snapshot.
  mutating func run(on connection: DatabaseQueue) throws -> CheckReport {
    try connection.snapshot { db in
      try checkStructure(db)
      try checkReferences(db)
      try checkSchema(db)
      // An older version has fewer tables, and a damaged file may have lost one.
      let tables = Set(
        try String.fetchAll(
          db,
          sql: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
        )
      )
      if tables.contains("derivative") { try checkDerivatives(db) }
      for rule in Self.rules where tables.isSuperset(of: rule.tables) { try apply(rule, in: db) }
      if tables.isSuperset(of: ["snippet", "snippet_text"]) {
        try checkDigests(db)
        try noteIrregular(db)
      }
      // It cannot be compared with damaged texts; garbage and derivatives are no texts.
      if looksAtSearchIndex, tables.isSuperset(of: Self.tablesOfSearch),
        problems.allSatisfy({ $0.isGarbage || $0.area == .derivatives })
      {
        try checkSearchIndex(db)
      }
      var blobs: (count: Int, byteCount: Int64) = (0, 0)
      if tables.isSuperset(of: ["blob", "blob_chunk", "snippet"]) {
        try checkChunks(db)
        blobs = try checkBlobs(db)
      }
      func count(_ sql: String, ifThereIs table: String) throws -> Int {
        tables.contains(table) ? try Int.fetchOne(db, sql: sql) ?? 0 : 0
      }
      return CheckReport(
        problems: problems,
        notes: notes,
        snippetCount: try count("SELECT count(*) FROM snippet", ifThereIs: "snippet"),
        trashCount: try count(
          "SELECT count(*) FROM snippet WHERE deleted_at IS NOT NULL",
          ifThereIs: "snippet"
        ),
        derivativeCount: try count("SELECT count(*) FROM derivative", ifThereIs: "derivative"),
        blobCount: blobs.count,
        blobByteCount: blobs.byteCount
      )
    }
  }

  // MARK: - Parts

  /// Runs `integrity_check` rather than `quick_check`, which misses damage from SQLite's WAL-reset
  /// bug.
  private mutating func checkStructure(_ db: Database) throws {
    try check()
    let messages = try String.fetchAll(
      db,
      sql: "PRAGMA integrity_check(\(Self.maximumCountOfAKind))"
    )
    // A read error now does not prove damage.
    if let code = messages.lazy.compactMap(Self.resultCode).first,
      code.primaryResultCode == .SQLITE_IOERR
    {
      throw DatabaseError(resultCode: code)
    }
    // For some pages SQLite only says that it could not get them.
    if messages.contains(where: { $0.contains("ailed to ") }),
      SystemFailure.isUnreadable(db.sqliteConnection)
    {
      throw DatabaseError(resultCode: .SQLITE_IOERR_READ)
    }
    for message in messages where message != "ok" { add(.structure, message) }
  }

  private mutating func checkReferences(_ db: Database) throws {
    try check()
    var sentences: Set<String> = []
    for reference in try BrokenReference.all(in: db).prefix(Self.maximumCountOfAKind) {
      let number = reference.row.map { " \($0)" } ?? ""
      let sentence =
        "\(reference.table)\(number) refers to a row of \(reference.parent) that is not there"
      // Rows without a number all have the same sentence.
      guard sentences.insert(sentence).inserted else { continue }
      add(
        .references,
        sentence,
        isGarbage: Self.tablesOfBelongings.contains(reference.table)
      )
    }
  }

  /// Returns the result code from a message about a page that could not be read.
  private static func resultCode(in message: String) -> ResultCode? {
    message.split(separator: "error code=").dropFirst().first
      .flatMap { Int32($0.prefix(while: \.isNumber)) }
      .map(ResultCode.init(rawValue:))
  }

  private static let tablesOfSearch = [
    "blob", "change", "search_index", "search_state", "snippet", "snippet_tag", "snippet_text",
    "tag",
  ]

  private mutating func checkSearchIndex(_ db: Database) throws {
    let found = try SearchIndex.problems(
      in: db,
      check: check,
      limit: Self.maximumCountOfAKind
    )
    for problem in found { add(.search, problem) }
  }

  /// Compares the schema word for word with that of the migrations: a foreign trigger could do
  /// anything.
  private mutating func checkSchema(_ db: Database) throws {
    try check()
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let comparison = try SchemaComparison(db, version: version)
    for problem in comparison.problems { add(.schema, problem) }
    notes = comparison.beside.map { entry in
      entry.name.hasPrefix("sqlite_stat")
        ? "\(entry.sentence) holds statistics that ANALYZE made"
        : "\(entry.sentence) is another program's, and touches nothing of the store"
    }
  }

  private mutating func apply(_ rule: Rule, in db: Database) throws {
    try check()
    let ids = try Int64.fetchAll(db, sql: "\(rule.sql) LIMIT \(Self.maximumCountOfAKind)")
    for id in ids {
      add(
        .references,
        rule.sentence(id),
        snippets: rule.subject == .snippet ? [SnippetID(rawValue: id)] : [],
        isGarbage: rule.subject == .garbage
      )
    }
  }

  /// Compares every row and every short text with its digest.
  private mutating func checkDigests(_ db: Database) throws {
    try check()
    var (wrongCount, missingCount) = (0, 0)
    try SnippetDigest.forEach(in: db, check) { id, isRight in
      if isRight == nil { missingCount += 1 }
      guard isRight == false, wrongCount < Self.maximumCountOfAKind else { return }
      wrongCount += 1
      add(.rows, "snippet \(id) does not match its digest: a bit has flipped", snippets: [id])
    }
    guard missingCount > 0 else { return }
    notes.append(
      missingCount == 1
        ? "1 snippet was written by another program and has no digest yet: the next change of the store gives it one"
        : "\(missingCount) snippets were written by another program and have no digest yet: the next changes of the store give them one"
    )
  }

  /// Notes content that was irregular when it was saved.
  private mutating func noteIrregular(_ db: Database) throws {
    try check()
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM snippet WHERE irregular = 1") ?? 0
    guard count > 0 else { return }
    let ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM snippet WHERE irregular = 1 ORDER BY id LIMIT \(Self.maximumCountOfAKind)
        """
    )
    let named = ids.map(String.init).joined(separator: ", ") + (ids.count < count ? " …" : "")
    notes.append(
      count == 1
        ? "the content of snippet \(named) was irregular when it was saved, and is kept as it came"
        : "the content of \(count) snippets was irregular when it was saved, and is kept as it came: \(named)"
    )
  }

  private mutating func checkDerivatives(_ db: Database) throws {
    for id in try DerivativeWriter.damaged(in: db, check).prefix(Self.maximumCountOfAKind) {
      add(.derivatives, "derivative \(id) does not match its digest, and is computed again")
    }
  }

  /// Looks for chunks that no read would notice: beyond the end of their blob, or longer than
  /// expected.
  private mutating func checkChunks(_ db: Database) throws {
    try check()
    let ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT blob_chunk.id FROM blob_chunk JOIN blob ON blob.id = blob_chunk.id >> 20
        WHERE length(data)
          <> min(chunk_size, byte_count - (blob_chunk.id & 1048575) * chunk_size)
        LIMIT \(Self.maximumCountOfAKind)
        """
    )
    for id in ids {
      let blob = BlobID(rawValue: id >> 20)
      add(
        .blobs,
        "chunk \(id & 1_048_575) of blob \(blob) has another size than the blob gives it",
        snippets: try snippets(using: blob, in: db)
      )
    }
  }

  /// Reads every blob and compares its bytes with its hash.
  private mutating func checkBlobs(_ db: Database) throws -> (count: Int, byteCount: Int64) {
    // `sum` would fail if the sizes in a damaged file are too large.
    let total = try Int64.fetchOne(db, sql: "SELECT CAST(total(byte_count) AS INTEGER) FROM blob")
    var done: (count: Int, byteCount: Int64) = (0, 0)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var rows = try SteppedStatement(
      "SELECT id, sha256, byte_count, chunk_size FROM blob ORDER BY id",
      in: db
    )
    while let row = try rows.next() {
      let blob = BlobID(rawValue: try row.number(0))
      guard let byteCount = try? row.number(2), let chunkSize = try? row.number(3),
        let layout = BlobLayout(byteCount: byteCount, chunkSize: chunkSize)
      else {
        add(
          .blobs,
          "blob \(blob) has an impossible size",
          snippets: try snippets(using: blob, in: db)
        )
        continue
      }
      // A value of another type matches no bytes.
      let sha256 = try? row.bytes(1)
      if let problem = try fault(of: blob, layout, sha256: sha256, through: buffer, in: db) {
        add(.blobs, problem, snippets: try snippets(using: blob, in: db))
      } else {
        try checkPreviews(of: blob, in: db)
      }
      done.count += 1
      let (sum, isTooGreat) = done.byteCount.addingReportingOverflow(layout.byteCount)
      done.byteCount = isTooGreat ? .max : sum
      report(StoreProgress(completedByteCount: done.byteCount, totalByteCount: total ?? 0))
    }
    return done
  }

  private func fault(
    of blob: BlobID,
    _ layout: BlobLayout,
    sha256: Data?,
    through buffer: UnsafeMutableRawBufferPointer,
    in db: Database
  ) throws -> String? {
    var hash = ContentHash()
    var handle = try BlobHandle(on: db)
    var offset: Int64 = 0
    while offset < layout.byteCount {
      try check()
      do {
        let count = Int(min(Int64(buffer.count), layout.byteCount - offset))
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try handle.read(blob, layout, at: offset, into: piece)
        hash.update(UnsafeRawBufferPointer(piece))
        offset += Int64(count)
      } catch let error as DatabaseError {
        return "blob \(blob) cannot be read at byte \(offset): \(error.message ?? "")"
      }
    }
    return hash.finish() == sha256 ? nil : "the bytes of blob \(blob) do not match its hash"
  }

  /// Compares the previews of texts stored as blobs with the beginning of the blob, which SQL
  /// cannot decode.
  private mutating func checkPreviews(of blob: BlobID, in db: Database) throws {
    var statement = try db.stepped(
      """
      SELECT id, preview, text_encoding FROM snippet
      WHERE blob_id = ? AND kind = 1 AND preview <> ''
      """,
      [blob.rawValue.databaseValue]
    )
    while let row = try statement.next() {
      let encoding = try row.optionalText(2).flatMap(TextEncoding.init(name:)) ?? .utf8
      let head = try db.beginning(of: blob, upTo: Int64(DraftPreparation.previewByteCount))
      let beginning = encoding.decodePrefix(head)
      guard !TextRules.isPreview(try row.text(1), of: beginning) else { continue }
      let id = SnippetID(rawValue: try row.number(0))
      add(
        .references,
        "snippet \(id) has a preview that its text does not begin with",
        snippets: [id]
      )
    }
  }

  private func snippets(using blob: BlobID, in db: Database) throws -> [SnippetID] {
    try Int64.fetchAll(
      db,
      sql: "SELECT id FROM snippet WHERE blob_id = ? LIMIT \(Self.maximumCountOfAKind)",
      arguments: [blob.rawValue]
    ).map(SnippetID.init(rawValue:))
  }

  private mutating func add(
    _ area: CheckReport.Problem.Area,
    _ description: String,
    snippets: [SnippetID] = [],
    isGarbage: Bool = false
  ) {
    problems.append(
      .init(area: area, description: description, snippetIDs: snippets, isGarbage: isGarbage)
    )
  }
}
