import GRDB

@testable import SnippetStore

extension SnippetStore {
  /// Lets the file grow by only so many pages more, as a disk does that is nearly full.
  func limitPages(toMore count: Int) throws {
    try connections.writer(for: "test").writeWithoutTransaction { db in
      let now = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(now + count)")
    }
  }
}
