import Foundation
import GRDB
import GRDBSQLite
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Rows never touch payloads.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct PayloadTests {
  private static let payloads = "('blob', 'blob_chunk', 'snippet_text')"

  private let file = TemporaryDirectory.file("store.sqlite")

  // A page of noise cannot be read: SQLite finds the damage and fails.
  @Test func `rows are read though every page of every payload is noise`() async throws {
    let (ids, before) = try await fill()
    let pages = try await numbers(
      """
      SELECT pageno FROM dbstat JOIN sqlite_schema USING (name)
      WHERE tbl_name IN \(Self.payloads)
      """
    )
    #expect(pages.count > 300)

    try overwrite(pages)

    let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))
    #expect(try rows(of: store) == before)
    for id in ids {
      #expect(try store.row(id)?.id == id)
      #expect(await errorCode { try await store.content(of: id) } == .damaged)
    }
    try await store.close()
  }

  @Test func `lists read no more pages than rows and tags have`() async throws {
    let (_, before) = try await fill()
    let pages = try await numbers(
      """
      SELECT count(*) FROM dbstat JOIN sqlite_schema USING (name)
      WHERE tbl_name NOT IN \(Self.payloads);
      SELECT count(*) FROM dbstat
      """
    )
    #expect(pages[1] > 10 * pages[0])

    let store = try TemporaryStore.open()
    let count = try pagesRead(in: store) {
      let found = try rows(of: store)
      #expect(found == before)
    }

    // The schema itself stands on a few pages more.
    #expect(count > 0)
    #expect(count <= pages[0] + 8)
  }

  /// Saves texts and images that are much larger than their rows.
  private func fill() async throws -> (ids: [SnippetID], rows: [[SnippetRow]]) {
    let store = try SnippetStore(at: file)
    var drafts: [SnippetDraft] = []
    for number in 0..<60 {
      let letter = Character(UnicodeScalar(UInt8(97 + number % 26)))
      let text = String(repeating: letter, count: 9000 + number * 500)
      let bytes = Samples.bytes(20_000 + number * 1000, seed: UInt64(number))
      drafts.append(SnippetDraft(.text(text), title: "\(number)", tags: ["text"]))
      drafts.append(Samples.image(bytes, title: "\(number)", tags: ["image"]))
    }
    try await store.save(contentsOf: drafts)
    let rows = try rows(of: store)
    try await store.close()
    #expect(rows[0].count == 120)
    return (rows[0].map(\.id), rows)
  }

  /// All the rows of lists of every form.
  private func rows(of store: SnippetStore) throws -> [[SnippetRow]] {
    let filters = [
      SnippetFilter.all, SnippetFilter(kinds: [.image]), SnippetFilter(tags: ["text"]),
    ]
    return try SnippetOrder.all.flatMap { order in
      try filters.map { filter in
        let list = store.list(filter, order: order)
        let rows = try list.rows(in: 0..<1000)
        #expect(try list.count == rows.count)
        for (position, row) in rows.enumerated() {
          #expect(try list.position(of: row.id) == position)
          #expect(try list.row(at: position) == row)
        }
        return rows
      }
    }
  }

  private func numbers(_ sql: String) async throws -> [Int] {
    try await Shell.sqlite3(file, sql).standardOutput.split(separator: "\n").compactMap { Int($0) }
  }

  /// Fills pages with noise; no store has the file open.
  private func overwrite(_ pages: [Int]) throws {
    let handle = try FileHandle(forWritingTo: file)
    for page in pages {
      try handle.seek(toOffset: UInt64(page - 1) * 8192)
      try handle.write(contentsOf: Samples.bytes(8192, seed: UInt64(page)))
    }
    try handle.close()
  }

  /// How many pages the connection for rows takes from the file meanwhile.
  private func pagesRead(in store: SnippetStore, during body: () throws -> Void) throws -> Int {
    func misses() -> Int {
      store.connections.rows.unsafeRead { db in
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
        return Int(current)
      }
    }
    let before = misses()
    try body()
    return misses() - before
  }
}
