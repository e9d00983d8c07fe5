import GRDB
import Migrations
import SnippetBase

/// How the schema of a file differs from what the steps to its version make.
///
/// What touches nothing of ours is tolerated: other programs keep tables of their own beside ours,
/// for replication or for migrations. Whatever touches ours could do anything, at each write of
/// ours, and so could a trigger of ours that is gone.
struct SchemaComparison {
  /// What of ours is missing or was altered, as sentences.
  private(set) var losses: [String] = []
  /// What others put in that touches ours, as sentences.
  private(set) var intrusions: [String] = []
  /// What others keep beside ours.
  private(set) var beside: [StoreSchema.Entry] = []

  /// Everything that keeps the store from being written.
  var problems: [String] { losses + intrusions }

  /// Compares what a connection sees with what a version must have.
  ///
  /// A file with nothing but ours, which nearly every file is, is known by its digest alone.
  init(_ db: Database, version: Int) throws {
    let digest = try StoreSchema.digest(of: db)
    if Migrations.all.contains(where: { $0.version == version && $0.schemaDigest == digest }) {
      return
    }
    let expected = try StoreSchema.expected(version: version).entries
    let entries = try StoreSchema(db).entries
    let found = Set(entries)
    var rest = found.subtracting(expected)
    for entry in expected where !found.contains(entry) {
      if let altered = rest.first(where: { $0.type == entry.type && $0.name == entry.name }) {
        rest.remove(altered)
        losses.append("\(entry.sentence) was altered")
      } else {
        losses.append("\(entry.sentence) is missing")
      }
    }
    let names = Names(expected, upTo: try StoreSchema.expected(version: Migrations.latestVersion))
    for entry in entries where rest.contains(entry) {
      if let intrusion = try names.intrusion(of: entry, in: db) {
        intrusions.append(intrusion)
      } else if !entry.isMadeWithItsTable {
        beside.append(entry)
      }
    }
  }
}

/// The names that are ours, by which what others put in is judged.
private struct Names {
  /// Of tables and views, as SQLite compares names.
  private let tables: Set<String>
  /// Of everything that a later version may make, too.
  private let all: Set<String>

  init(_ expected: [StoreSchema.Entry], upTo latest: StoreSchema) {
    tables = Set(
      expected.filter { ["table", "view"].contains($0.type) }.map { $0.name.lowercased() }
    )
    all = Set((expected + latest.entries).map { $0.name.lowercased() })
  }

  /// How something that is not ours touches what is; `nil` if it does not.
  func intrusion(of entry: StoreSchema.Entry, in db: Database) throws -> String? {
    if all.contains(entry.name.lowercased()) { return "\(entry.sentence) has a name of ours" }
    if entry.name.lowercased() != entry.table.lowercased(),
      tables.contains(entry.table.lowercased())
    {
      return "\(entry.sentence) on \(entry.table) does not belong here"
    }
    guard entry.type == "table" else { return nil }
    let parents = try String.fetchAll(
      db,
      sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)",
      arguments: [entry.name]
    )
    return parents.first { tables.contains($0.lowercased()) }
      .map { "\(entry.sentence) refers to \($0) and does not belong here" }
  }
}

extension SchemaComparison {
  /// Refuses to write where anything could happen.
  func requireNoProblems(_ operation: String) throws(SnippetStoreError) {
    guard let error = error(during: operation) else { return }
    throw error
  }

  private func error(during operation: String) -> SnippetStoreError? {
    guard !problems.isEmpty else { return nil }
    let named = problems.prefix(3).joined(separator: "; ")
    let others = problems.count > 3 ? "; and \(problems.count - 3) more" : ""
    return SnippetStoreError(
      .alteredSchema,
      operation,
      because: "its schema was altered: \(named)\(others)",
      do: losses.isEmpty
        ? """
        Nothing was changed. Drop that with the sqlite3 shell; until then the store can be opened \
        for reading.
        """
        : """
        Nothing was changed. Restore a backup; until then the store can be opened for reading.
        """
    )
  }
}

/// The schema that a writing connection knows to be ours, so that it is compared again only once
/// somebody has altered it.
struct SchemaGuard: Sendable {
  /// What `PRAGMA schema_version` said when the schema was compared; it moves with every change
  /// of the schema, by whatever program.
  private let known: Lock<Int?>

  init(known: Int?) {
    self.known = Lock(known)
  }

  /// Refuses to write into a schema that is not ours, in the transaction that writes.
  func verify(_ db: Database, _ operation: String) throws {
    let current = try Self.mark(of: db)
    guard known.withLock({ $0 }) != current else { return }
    try SchemaComparison(db, version: Migrations.latestVersion).requireNoProblems(operation)
    known.withLock { $0 = current }
  }

  /// What SQLite says of the schema that a connection sees.
  static func mark(of db: Database) throws -> Int {
    var statement = try SteppedStatement("PRAGMA schema_version", in: db)
    return Int(try statement.next()?.number(0) ?? 0)
  }
}
