import Foundation
import SnippetStorage

/// Saving many texts against the same inserts in C, in the same schema.
struct SaveBenchmarks {
  let folder: URL
  let count: Int

  func run(into table: Table) async throws {
    var files: [URL] = []
    func file() -> URL {
      let url = folder.appendingPathComponent("saving-\(files.count).sqlite")
      files.append(url)
      return url
    }
    try await table.add(
      Measurement(rounds: 5) { _ in
        let store = try await SnippetStore.open(at: file())
        try await store.save(
          contentsOf: (0..<count).lazy.map { SnippetDraft(.text(text($0)), title: "Row \($0)") }
        )
        try await store.close()
      } others: { _ in
        try await insertInC(file())
      } after: {
        // So that neither side pays for what the other has left to be written.
        sync()
      }.row(
        "save \(count.formatted(.number.locale(Locale(identifier: "en")))) texts",
        against: "the same inserts in C",
        .ratio(atMost: 1.3)
      )
    )
  }

  private func insertInC(_ url: URL) async throws {
    // The library makes the empty file, so that both sides write into the same schema.
    try await SnippetStore.open(at: url).close()
    let raw = try RawDatabase(url.path, isReadOnly: false)
    try raw.run("PRAGMA foreign_keys = ON; PRAGMA synchronous = EXTRA;")
    let row = try raw.prepare(
      """
      INSERT INTO snippet (uuid, kind, title, preview, created_at, modified_at, pinned, byte_count,
        media_type) VALUES (?, 1, ?, ?, ?, ?, 0, ?, 'text/plain')
      """
    )
    let body = try raw.prepare("INSERT INTO snippet_text (snippet_id, body) VALUES (?, ?)")
    for start in stride(from: 0, to: count, by: 500) {
      try raw.run("BEGIN IMMEDIATE")
      for number in start..<min(count, start + 500) {
        let text = text(number)
        row.bind(timeOrderedUUID(number), at: 1)
        row.bind("Row \(number)", at: 2)
        row.bind(text, at: 3)
        row.bind(1_700_000_000_000 + Int64(number), at: 4)
        row.bind(1_700_000_000_000 + Int64(number), at: 5)
        row.bind(Int64(text.utf8.count), at: 6)
        try row.run()
        body.bind(Int64(number + 1), at: 1)
        body.bind(text, at: 2)
        try body.run()
      }
      try raw.run("COMMIT")
    }
  }

  /// Sixteen bytes, the first six of which grow: as ours, so that both fill their index alike.
  private func timeOrderedUUID(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: (UInt64(number).bigEndian << 16, UInt64.random(in: 0...(.max)))) {
      Array($0)
    }
  }

  private func text(_ number: Int) -> String {
    "The text of row \(number), as short as most notes are."
  }
}
