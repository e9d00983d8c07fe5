import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// Reads a damaged store from beginning to end, and writes a new one.
struct SalvageRun {
  let source: SalvageSource
  let seam: StoreSeam
  let operation: String
  private let report: (StoreProgress) -> Void

  var found = SalvageReport()
  private var copied: Set<Int64> = []
  /// The ranges of numbers whose rows could not be read, in no order.
  private var unreadable: [ClosedRange<Int64>] = []
  var copiedBlobs: Set<Int64> = []
  private var copiedByteCount: Int64 = 0
  private let totalByteCount: Int64
  private let hasOrigins: Bool

  private typealias Loss = SalvageReport.Loss

  init(
    source: SalvageSource,
    seam: StoreSeam,
    operation: String,
    report: @escaping (StoreProgress) -> Void
  ) throws {
    self.source = source
    self.seam = seam
    self.operation = operation
    self.report = report
    hasOrigins = try source.hasOrigins()
    totalByteCount = source.walk.fileByteCount
  }

  mutating func run() throws -> SalvageReport {
    // First, so that the number of a snippet is never far ahead of the last assigned one.
    try goOnFromNumbers()
    let highest = min(
      try source.walk.highest(of: Self.highestSnippets),
      NumberSpace.highestID
    )
    if highest > 0 { try copySnippets(in: 1...highest) }
    let traces = try source.traces(besides: copied)
    try copyTexts(of: traces)
    try copyBlobs(of: traces)
    try copyCaptures()
    for (id, trace) in traces.sorted(by: { $0.key < $1.key }) where !copied.contains(id) {
      found.lost.append(
        Loss(
          snippetID: SnippetID(rawValue: id),
          title: trace.title,
          description: "its row cannot be read"
        )
      )
    }
    noteUnreadableIDs()
    return found
  }

  /// Reports the rows that have left no other trace.
  private mutating func noteUnreadableIDs() {
    let known = copied.union(found.lost.compactMap { $0.snippetID?.rawValue }).sorted()
    var ids: [ClosedRange<Int64>] = []
    var told: Int64 = 0
    for range in unreadable.sorted(by: { $0.lowerBound < $1.lowerBound })
    where range.upperBound > told {
      var next = max(range.lowerBound, told + 1)
      told = range.upperBound
      let inside = known[known.partitionPoint { $0 < next }...].prefix { $0 <= range.upperBound }
      for id in inside {
        if next < id { ids.append(next...id - 1) }
        next = id + 1
      }
      if next <= range.upperBound { ids.append(next...range.upperBound) }
    }
    for range in ids {
      let ids = SnippetID(rawValue: range.lowerBound)...SnippetID(rawValue: range.upperBound)
      if let last = found.unreadableIDs.last, last.upperBound.rawValue + 1 == range.lowerBound {
        found.unreadableIDs[found.unreadableIDs.count - 1] = last.lowerBound...ids.upperBound
      } else {
        found.unreadableIDs.append(ids)
      }
    }
  }

  // MARK: - Rows

  /// Queries for the highest number of a snippet.
  ///
  /// The sequence is not used, because damage can make it endless.
  private static let highestSnippets = [
    "SELECT max(id) FROM snippet",
    "SELECT max(id) FROM snippet INDEXED BY snippet_by_created WHERE deleted_at IS NULL",
    "SELECT max(id) FROM snippet INDEXED BY snippet_trash_by_created WHERE deleted_at IS NOT NULL",
    "SELECT max(snippet_id) FROM snippet_text",
    "SELECT max(snippet_id) FROM snippet_tag",
    "SELECT max(snippet_id) FROM change",
  ]

  private mutating func copySnippets(in range: ClosedRange<Int64>) throws {
    // Each row is read before it is written, and both are looked up by number.
    var ids: [Int64] = []
    try source.walk.forEach(
      "SELECT id FROM snippet NOT INDEXED WHERE id BETWEEN ? AND ? ORDER BY id",
      in: range,
      unreadable: { unreadable.append($0) }
    ) { ids.append(try $0.number(0)) }
    // If a page is partly zeros, SQLite finds the other rows and reports no damage. But the page
    // says how many rows it has.
    let count = try source.walk.highest(of: ["SELECT count(*) FROM snippet NOT INDEXED"])
    if count > ids.count { unreadable.append(range) }
    var rest = ids[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batchCount)
      rest = rest.dropFirst(batch.count)
      try seam.write(to: operation) { db in
        for id in batch { try copySnippet(id, into: db) }
      }
    }
  }

  /// The number of snippets in one transaction; nothing waits for it.
  private static let batchCount = 200

  private mutating func copySnippet(_ id: Int64, into db: Database) throws {
    try source.walk.check()
    guard let row = try source.snippet(id) else { return }
    guard let content = try source.content(of: row) else {
      copied.insert(id)
      found.lost.append(
        Loss(
          snippetID: SnippetID(rawValue: id),
          title: row.title,
          description: row.blobID == nil
            ? "its text cannot be read" : "the bytes of blob \(row.blobID ?? 0) cannot be read"
        )
      )
      return
    }
    try save(row, content, into: db)
  }

  // MARK: - Writing

  private mutating func save(
    _ row: SalvagedSnippet,
    _ content: (SalvageSource.Content, problem: String?),
    into db: Database
  ) throws {
    var problems = [content.problem].compactMap { $0 }
    if row.isRight == false { problems.append("its row or its text does not match its digest") }
    let (tags, isWhole) = try source.tags(of: row.id)
    if !isWhole { problems.append("some of its tags cannot be read") }
    let body = try prepared(content.0, &problems)
    var row = row
    if let preview = try rightPreview(of: row, content.0) {
      row.preview = preview
      if problems.isEmpty { problems.append("its preview was not that of its text") }
    }
    // Where the bytes are lost, the note has become the content.
    var note: String?
    if case .blob = content.0, let found = try source.note(of: row) {
      note = found.text
      if let problem = found.problem { problems.append(problem) }
    }
    // Each tag increases the revision by one.
    let revision = max(1, row.revision - Int64(tags.count))
    let writer = writer(db)
    let saved: SnippetID
    do {
      saved = try db.savepoint {
        try writer.insert(row, body, note: note ?? "", revision: revision)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // A damaged row may hold what the schema forbids; then the snippet is made from its content.
      let draft = writer.draft(
        content.0,
        title: row.title,
        note: note ?? "",
        createdAt: row.createdAt
      )
      let isKept: Bool
      (saved, isKept) = try insert(draft, as: row.id, with: writer, in: db)
      problems.append("its row is damaged, and was made anew of its content")
      if !isKept { problems.append("it became snippet \(saved)") }
    }
    try add(tags, to: saved, with: writer, &problems)
    if hasOrigins { try writer.add(try source.origins(of: row.id), to: saved) }
    didCopy(row.id, row.title, problems)
    if let blob = row.blobID { copiedBlobs.insert(blob) }
  }

  /// Returns the preview for a text in a blob; `nil` if that of the row is acceptable.
  private func rightPreview(
    of row: SalvagedSnippet,
    _ content: SalvageSource.Content
  ) throws -> String? {
    guard case .blob(let bytes, _) = content, row.kind == .text, !row.preview.isEmpty else {
      return nil
    }
    let count = Int(min(bytes.byteCount, Int64(TextRules.previewByteCount)))
    var head = [UInt8](repeating: 0, count: count)
    _ = try head.withUnsafeMutableBytes { try bytes.read(into: $0, at: 0) }
    let encoding = row.encoding.flatMap(TextEncoding.init(name:)) ?? .utf8
    let beginning = encoding.decodePrefix(head)
    return TextRules.isPreview(row.preview, of: beginning)
      ? nil : TextPreview(of: beginning).preview
  }

  /// Inserts a draft under its former number, or under a new one if the former is not allowed, and
  /// returns the number.
  func insert(
    _ draft: SnippetDraft,
    as id: Int64?,
    with writer: SalvageWriter,
    in db: Database
  ) throws -> (SnippetID, isKept: Bool) {
    do {
      return (try db.savepoint { try writer.insert(draft, as: id) }, true)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT && id != nil {
      return (try writer.insert(draft, as: nil), false)
    }
  }

  func add(
    _ tags: [String],
    to id: SnippetID,
    with writer: SalvageWriter,
    _ problems: inout [String]
  ) throws {
    let refused = try writer.add(tags, to: id)
    if !refused.isEmpty {
      problems.append("of its tags these can be none: \(refused.joined(separator: " "))")
    }
  }

  func writer(_ db: Database) -> SalvageWriter {
    SalvageWriter(db: db, operation: operation, now: source.now, check: source.walk.check)
  }

  mutating func didCopy(_ id: Int64?, _ title: String?, _ problems: [String]) {
    if let id { copied.insert(id) }
    found.snippetCount += 1
    guard !problems.isEmpty else { return }
    found.damaged.append(
      Loss(
        snippetID: id.map(SnippetID.init(rawValue:)),
        title: title,
        description: problems.joined(separator: "; ")
      )
    )
  }

  /// The number of bytes of a blob to hash at a time.
  private static let pieceByteCount = 1 << 18

  private mutating func prepared(
    _ content: SalvageSource.Content,
    _ problems: inout [String]
  ) throws -> PreparedSnippet.Body {
    switch content {
    case .text(let text): return .text(text)
    case .blob(let bytes, let sha256):
      var hash = ContentHash()
      try bytes.forEachPiece(of: Self.pieceByteCount) { piece in
        try source.walk.check()
        hash.update(piece)
      }
      let found = hash.finish()
      if problems.isEmpty, let sha256, sha256 != found {
        problems.append("its bytes do not match their hash")
      }
      copiedByteCount += bytes.byteCount
      report(
        StoreProgress(min(copiedByteCount, totalByteCount), of: totalByteCount)
      )
      return .blob(PreparedBlob(sha256: found, source: bytes), encoding: nil)
    }
  }

  // MARK: - Numbers

  /// Keeps the new store from assigning a number that the damaged one has already assigned.
  private func goOnFromNumbers() throws {
    let given = try ["snippet", "blob", "change"].map { name in
      let limit = name == "blob" ? NumberSpace.highestBlobID : NumberSpace.highestID
      return (
        table: name,
        number: try source.walk.highest(of: [
          """
          SELECT max(seq) FROM sqlite_sequence
          WHERE name = '\(name)' AND typeof(seq) = 'integer' AND seq <= \(limit)
          """
        ])
      )
    }
    try seam.write(to: operation) { db in
      try NumberSpace.goOn(from: given.filter { $0.number > 0 }, in: db)
    }
  }
}
