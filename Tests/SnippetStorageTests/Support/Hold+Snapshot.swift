import Foundation
import GRDB
import SnippetTestSupport

extension Hold {
  /// Holds a snapshot of a store, as another program does that reads for long.
  static func snapshot(of file: URL) async -> Hold {
    await Hold { hold in
      try DatabaseQueue(path: file.path).read { db in
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM blob")
        hold()
      }
    }
  }
}
