import GRDB
import Migrations
import SnippetBase

/// The difference between the schema of a file and the one its migrations make.
///
/// Additions that do not touch the tables of a store are tolerated: other programs keep tables of
/// their own in the file, for replication or for migrations. An addition that touches them could do
/// anything at each write, and so could a missing trigger.
struct SchemaComparison {
  /// Missing or altered parts of the schema, as sentences.
  private(set) var losses: [String] = []
  /// Additions by others that touch the schema, as sentences.
  private(set) var intrusions: [String] = []
  /// Harmless additions by others.
  private(set) var beside: [StoreSchema.Entry] = []

  /// All reasons not to write to the store.
  var problems: [String] { losses + intrusions }

  /// Compares the schema that a connection sees with the one of a version.
  ///
  /// Nearly every file has no additions; its digest alone is enough.
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

/// The names of a store's schema, for judging the additions of others.
private struct Names {
  /// Names of tables and views, in the form in which SQLite compares them.
  private let tables: Set<String>
  /// All names, including those of later versions.
  private let all: Set<String>

  init(_ expected: [StoreSchema.Entry], upTo latest: StoreSchema) {
    tables = Set(
      expected.filter { ["table", "view"].contains($0.type) }.map { $0.name.lowercased() }
    )
    all = Set((expected + latest.entries).map { $0.name.lowercased() })
  }

  /// Says how an addition touches the schema; `nil` if it does not.
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
  /// Throws if there are problems, because a write could do anything.
  func requireNoProblems(_ operation: String) throws(SnippetStoreError) {
    guard !problems.isEmpty else { return }
    let named = problems.prefix(3).joined(separator: "; ")
    let others = problems.count > 3 ? "; and \(problems.count - 3) more" : ""
    throw SnippetStoreError(
      .alteredSchema,
      operation,
      because: "its schema was altered: \(named)\(others)",
      keeping: "Nothing was changed.",
      do: losses.isEmpty
        ? "Drop that with the sqlite3 shell; until then the store can be opened for reading."
        : "Restore a backup; until then the store can be opened for reading."
    )
  }
}

/// The schema that a writing connection has verified; it is compared again only after it was
/// altered.
struct SchemaGuard: Sendable {
  /// The value of `PRAGMA schema_version` at the last comparison.
  ///
  /// It changes with every change of the schema, by any program.
  private let known: Lock<Int?>

  init(known: Int?) {
    self.known = Lock(known)
  }

  /// Refuses to write to an altered schema.
  ///
  /// Called in the transaction that writes.
  func verify(_ db: Database, _ operation: String) throws {
    let current = try Self.mark(of: db)
    guard known.withLock({ $0 }) != current else { return }
    try SchemaComparison(db, version: Migrations.latestVersion).requireNoProblems(operation)
    known.withLock { $0 = current }
  }

  /// Returns SQLite's mark of the schema that a connection sees.
  static func mark(of db: Database) throws -> Int {
    var statement = try SteppedStatement("PRAGMA schema_version", in: db)
    return Int(try statement.next()?.number(0) ?? 0)
  }
}
