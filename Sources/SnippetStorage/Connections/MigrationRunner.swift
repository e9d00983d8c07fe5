import GRDB
import Migrations

/// Brings the schema of a file up to date.
///
/// This is not GRDB's migrator because the numbered files are the only history of the schema: the
/// `sqlite3` shell runs them as they are, and `PRAGMA user_version` alone tells the version of a
/// file.
struct MigrationRunner {
  let operation: String
  var migrations = Migrations.all

  /// Applies the missing steps, each in a transaction of its own.
  ///
  /// Each transaction reads the version again. So if two processes open the same file at once,
  /// every step is still applied only once.
  func run(on writer: DatabaseQueue) throws {
    let version = try writer.writeWithoutTransaction(version(of:))
    // A new store has few pages, and needs no room in another folder.
    let copies: PageCopies = version == 0 ? .inMemory : .inFile
    for migration in migrations where migration.version > version {
      try writer.writeWithoutTransaction { db in
        try copies.kept(by: db) { try apply(migration, to: db) }
      }
    }
  }

  private func apply(_ migration: Migration, to db: Database) throws {
    try SystemFailure.told(by: db.sqliteConnection) {
      try db.inTransaction(.immediate) {
        guard try version(of: db) < migration.version else { return .rollback }
        try db.execute(sql: migration.sql)
        try requireReferences(in: db, after: migration)
        return .commit
      }
    }
  }

  private func version(of db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  private func requireReferences(in db: Database, after migration: Migration) throws {
    guard try !BrokenReference.all(in: db).isEmpty else { return }
    throw SnippetStoreError(
      .damaged,
      operation,
      because: "a reference would break in the step \(migration.fileName)",
      keeping: "Nothing was changed.",
      do: "Run a check, and restore a backup if it finds damage."
    )
  }
}
