import GRDB

/// Adds up how the bytes of a file are used, in one snapshot.
struct StorageCount {
  let db: Database
  /// Whether to measure, where SQLite can.
  var measures = true

  /// A part of the file, according to the table that owns the pages.
  private enum Part {
    case original, derivative, text, searchIndex, index, row
  }

  func use(logByteCount: Int64) throws -> StorageUse {
    let pageSize = try number("PRAGMA page_size")
    let pageCount = try number("PRAGMA page_count")
    let free = try number("PRAGMA freelist_count") * pageSize
    let isMeasured = try measures && canMeasure()
    var parts =
      try isMeasured
      ? measured(pageSize: pageSize, pageCount: pageCount)
      // In a damaged file, or after an edit in the shell, a part can claim more than the whole
      // file.
      : computed().mapValues { min(max(0, $0), pageSize * pageCount) }
    // The rest belongs to the part that takes longest to measure, or cannot be assigned.
    let known = parts.values.reduce(free, +)
    parts[isMeasured ? .original : .row, default: 0] += max(0, pageCount * pageSize - known)
    return StorageUse(
      originalByteCount: parts[.original] ?? 0,
      derivativeByteCount: parts[.derivative] ?? 0,
      textByteCount: parts[.text] ?? 0,
      searchIndexByteCount: parts[.searchIndex] ?? 0,
      indexByteCount: parts[.index] ?? 0,
      rowByteCount: parts[.row] ?? 0,
      freeByteCount: free,
      logByteCount: logByteCount,
      isMeasured: isMeasured,
      kinds: try kinds(),
      tags: try tags(),
      months: try months(),
      trash: try trash(),
      sharedByteCount: max(
        0,
        try number(
          """
          SELECT CAST(
            (SELECT total(byte_count) FROM snippet WHERE blob_id IS NOT NULL)
            - (SELECT total(byte_count) FROM blob) AS INTEGER)
          """
        )
      )
    )
  }

  private func number(_ sql: String) throws -> Int64 { try db.number(sql) ?? 0 }

  // MARK: - Parts

  /// Whether this SQLite has the table of pages (https://www.sqlite.org/dbstat.html).
  private func canMeasure() throws -> Bool {
    try db.values("PRAGMA compile_options") { try $0.text(0) }.contains("ENABLE_DBSTAT_VTAB")
  }

  /// Measures every table and index except the chunks, whose pages would all have to be read.
  private func measured(pageSize: Int64, pageCount: Int64) throws -> [Part: Int64] {
    var parts: [Part: Int64] = [:]
    let schema = try db.values(
      """
      SELECT name, tbl_name, type FROM sqlite_schema WHERE rootpage > 0
      UNION ALL SELECT 'sqlite_schema', 'sqlite_schema', 'table'
      """
    ) { (name: try $0.text(0), table: try $0.text(1), type: try $0.text(2)) }
    for (name, table, type) in schema {
      let part = Self.part(of: table, isIndex: type == "index")
      guard part != .original else { continue }
      parts[part, default: 0] +=
        try db.number(
          "SELECT sum(pgsize) FROM dbstat WHERE name = ? AND aggregate = TRUE",
          [name.databaseValue]
        ) ?? 0
    }
    // There is a pointer map page for this many others
    // (https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages).
    let mapped = pageSize / 5
    if pageCount > 1 { parts[.row, default: 0] += ((pageCount - 2) / (mapped + 1) + 1) * pageSize }
    return parts
  }

  private static func part(of table: String, isIndex: Bool) -> Part {
    switch table {
    case "blob_chunk": .original
    case "derivative", "derivative_total": .derivative
    case _ where table.hasPrefix("search_"): .searchIndex
    case _ where isIndex: .index
    case "snippet_text": .text
    default: .row
    }
  }

  /// Adds up the content, if this SQLite cannot measure.
  private func computed() throws -> [Part: Int64] {
    [
      .original: try number("SELECT \(Self.byteCount) FROM blob"),
      .derivative: try DerivativeWriter.total(in: db),
      .text: try number(
        """
        SELECT CAST(total(length(CAST(body AS BLOB))) AS INTEGER) FROM snippet_text
        """
      ),
      .searchIndex: try number(
        """
        SELECT (SELECT coalesce(sum(length(block)), 0) FROM search_index_data)
          + (SELECT coalesce(sum(length(c0) + length(c1) + length(c2)), 0) FROM search_index_content)
        """
      ),
    ]
  }

  // MARK: - Shares

  /// `sum` would fail if the sizes are too large: the shell can write any size of a text.
  private static let byteCount = "CAST(total(byte_count) AS INTEGER)"

  private func kinds() throws -> [SnippetKind: StorageUse.Share] {
    var kinds: [SnippetKind: StorageUse.Share] = [:]
    for kind in SnippetKind.allCases { kinds[kind] = .init() }
    let found = try db.values(
      """
      SELECT count(*), \(Self.byteCount), kind
      FROM snippet WHERE deleted_at IS NULL GROUP BY kind
      """
    ) { (kind: Int(try $0.number(2)), share: try Self.share($0)) }
    for (kind, share) in found {
      if let kind = SnippetKind(rawValue: kind) { kinds[kind] = share }
    }
    return kinds
  }

  private func tags() throws -> [StorageUse.TagShare] {
    try db.values(
      """
      SELECT count(*), \(Self.byteCount), tag.name
      FROM snippet_tag
      JOIN snippet ON snippet.id = snippet_tag.snippet_id
      JOIN tag ON tag.id = snippet_tag.tag_id
      WHERE deleted_at IS NULL GROUP BY tag.id ORDER BY tag.name
      """
    ) { .init(name: try $0.text(2), share: try Self.share($0)) }
  }

  private func months() throws -> [StorageUse.MonthShare] {
    try db.values(
      """
      SELECT count(*), \(Self.byteCount),
        strftime('%Y-%m', created_at / 1000.0, 'unixepoch') AS month
      FROM snippet WHERE deleted_at IS NULL GROUP BY month ORDER BY month
      """
    ) { .init(month: try $0.optionalText(2) ?? "", share: try Self.share($0)) }
  }

  private func trash() throws -> StorageUse.Share {
    try db.value(
      "SELECT count(*), \(Self.byteCount) FROM snippet WHERE deleted_at IS NOT NULL"
    ) { try Self.share($0) } ?? .init()
  }

  private static func share(_ row: StatementRow) throws -> StorageUse.Share {
    var share = StorageUse.Share()
    share.snippetCount = Int(try row.number(0))
    share.byteCount = try row.number(1)
    return share
  }
}
