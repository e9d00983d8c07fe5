import Foundation
import GRDB
import SnippetStorage

/// A window of 50 rows, at the start, in the middle and at the end of a list, against other ways to
/// get the same rows.
///
/// Each round reads another window of a thousand that are near each other, so that none finds what
/// the one before has left. C fills structures of C; ours and GRDB's fill values of Swift.
package struct WindowBenchmarks {
  let file: ListFile

  private static let rowCount = 50
  private static let rounds = 400

  package init(file: ListFile) {
    self.file = file
  }

  package func run(into table: Table) async throws {
    let store = try await file.open()
    let list = store.list()
    let raw = try RawDatabase(file.url.path)
    let keyset = try raw.prepareIndexed(ListFile.Query.keyset)
    keyset.bind(Int64(Self.rowCount), at: 3)
    let places = [
      ("start", 0), ("middle", file.rowCount / 2 - 500),
      ("end", file.rowCount - 1000 - Self.rowCount),
    ].map { ($0, max(0, $1)) }
    for (name, start) in places {
      let keys = try (0..<1000).map { offset in
        guard let row = try list.row(at: start + offset) else { throw RawError(message: "no row") }
        return (Int64((row.createdAt.timeIntervalSince1970 * 1000).rounded()), row.id.rawValue)
      }
      try table.add(
        Comparison(rounds: Self.rounds) { round in
          try read(start + offset(round), of: list)
        } others: { round in
          keyset.bind(keys[offset(round)].0, at: 1)
          keyset.bind(keys[offset(round)].1, at: 2)
          try requireFull(keyset.readRows())
        }.row("50 rows at the \(name) of \(total)", against: "keyset in C", .ratio(atMost: 1.2))
      )
    }
    let end = places[2].1
    try table.add(
      Comparison(rounds: Self.rounds) { round in
        try read(end + offset(round), of: list)
      } others: { round in
        try read(offset(round), of: list)
      }.row("50 rows at the end of \(total)", against: "ours at the start", .ratio(atMost: 1.5))
    )
    try table.add(againstOffset(raw, list, end))
    for (name, start) in places { try table.add(againstGRDB(list, name: name, start: start)) }
    try table.add(againstIdentities(raw, list, end))
    try await store.close()
  }

  private func againstOffset(
    _ raw: RawDatabase,
    _ list: SnippetList,
    _ start: Int
  ) throws -> TableRow {
    let skipping = try raw.prepareIndexed(ListFile.Query.offset)
    skipping.bind(Int64(Self.rowCount), at: 1)
    return try Comparison(rounds: 20) { round in
      try read(start + offset(round), of: list)
    } others: { round in
      skipping.bind(Int64(start + offset(round)), at: 2)
      try requireFull(skipping.readRows())
    }.row(
      "50 rows at the end of \(total)",
      against: "OFFSET in C",
      .faster(times: Double(file.rowCount) / 10_000)
    )
  }

  /// What people write with GRDB: a record that is decoded, limited by number.
  private func againstGRDB(_ list: SnippetList, name: String, start: Int) throws -> TableRow {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: RawDatabase.listSettings) }
    let pool = try DatabasePool(path: file.url.path, configuration: configuration)
    defer { try? pool.close() }
    let sql = ListFile.Query.offset
    let plan = try pool.read { db in
      try String.fetchAll(
        db,
        sql: "EXPLAIN QUERY PLAN \(sql)",
        arguments: [Self.rowCount, start],
        adapter: RangeRowAdapter(3..<4)
      )
    }
    try RawDatabase.requireIndexed(plan, of: sql)
    return try Comparison(rounds: name == "start" ? Self.rounds : 20) { round in
      try read(start + offset(round), of: list)
    } others: { round in
      let records = try pool.read { db in
        try Record.fetchAll(db, sql: sql, arguments: [Self.rowCount, start + offset(round)])
      }
      try requireFull(records.count)
    }.row("50 rows at the \(name) of \(total)", against: "GRDB record, LIMIT and OFFSET")
  }

  /// What lists with all identities in memory do.
  private func againstIdentities(
    _ raw: RawDatabase,
    _ list: SnippetList,
    _ start: Int
  ) throws -> TableRow {
    let identities = try raw.prepareIndexed(ListFile.Query.identities).readNumbers()
    let one = try raw.prepareIndexed(ListFile.Query.row)
    return try Comparison(rounds: Self.rounds) { round in
      try read(start + offset(round), of: list)
    } others: { round in
      for identity in identities[start + offset(round)..<start + offset(round) + Self.rowCount] {
        one.bind(identity, at: 1)
        guard one.readRows() == 1 else { throw RawError(message: "no row") }
      }
    }.row("50 rows at the end of \(total)", against: "array of all ids, in C")
  }

  private var total: String { file.rowCount.formatted(.number.locale(Locale(identifier: "en"))) }

  /// Where a round reads, among a thousand places.
  private func offset(_ round: Int) -> Int {
    round * 379 % max(1, min(1000, file.rowCount - Self.rowCount))
  }

  private func read(_ start: Int, of list: SnippetList) throws {
    try requireFull(list.rows(in: start..<start + Self.rowCount).count)
  }

  private func requireFull(_ count: Int) throws {
    guard count == Self.rowCount else { throw RawError(message: "\(count) rows") }
  }

  private struct Record: Codable, FetchableRecord {
    var id: Int64
    var uuid: Data
    var kind: Int
    var title: String
    var preview: String
    var created_at: Int64
    var modified_at: Int64
    var pinned: Bool
    var byte_count: Int64
    var media_type: String
    var pixel_width: Int?
    var pixel_height: Int?
    var duration_ms: Int64?
    var revision: Int64
    var blob_id: Int64?
    var sample_rate: Int?
    var channel_count: Int?
    var tags: String?
  }
}
