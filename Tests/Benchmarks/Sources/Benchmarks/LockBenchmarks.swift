import CoreBenchmarks
import Foundation
import SnippetStorage

/// Small transactions with the locks that no other code in the process takes away, against the
/// same with SQLite's own locks.
struct LockBenchmarks {
  let folder: URL

  func run(into table: Table) async throws {
    let (kept, plain) = (try await makeFile("kept"), try await makeFile("plain"))
    // While a store has its file open, this is true of every connection to the file.
    let store = try await SnippetStore.open(at: kept)
    let (ours, others) = (try open(kept), try open(plain))

    let query = "SELECT id FROM probe WHERE id = 1"
    let (reading, plainReading) = (try ours.prepare(query), try others.prepare(query))
    try table.add(
      Comparison(pieces: 1_000) { _ in
        for _ in 0..<1_000 { _ = reading.readNumbers() }
      } others: { _ in
        for _ in 0..<1_000 { _ = plainReading.readNumbers() }
      }.row("one row with kept locks", against: "with SQLite's own locks")
    )
    let update = "UPDATE probe SET x = x + 1 WHERE id = 1"
    let (writing, plainWriting) = (try ours.prepare(update), try others.prepare(update))
    try table.add(
      Comparison(pieces: 100) { _ in
        for _ in 0..<100 { try writing.run() }
      } others: { _ in
        for _ in 0..<100 { try plainWriting.run() }
      }.row("one commit with kept locks, not synced", against: "with SQLite's own locks")
    )
    try await store.close()
  }

  private func makeFile(_ name: String) async throws -> URL {
    let url = folder.appendingPathComponent("locks-\(name).sqlite")
    try await SnippetStore.open(at: url).close()
    let raw = try RawDatabase(url.path, isReadOnly: false)
    try raw.run("CREATE TABLE probe (id INTEGER PRIMARY KEY, x); INSERT INTO probe VALUES (1, 0)")
    return url
  }

  private func open(_ url: URL) throws -> RawDatabase {
    let raw = try RawDatabase(url.path, isReadOnly: false)
    // The disk would hide the locks.
    try raw.run("PRAGMA synchronous = OFF")
    return raw
  }
}
