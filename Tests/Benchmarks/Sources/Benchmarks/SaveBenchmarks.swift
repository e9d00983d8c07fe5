import Foundation
import SnippetStore

/// Saving many texts against the same inserts in C, in the same schema.
struct SaveBenchmarks {
  let folder: URL
  let count: Int

  func run() throws -> [Measurement] {
    [
      try Measurement(
        "save \(count) texts",
        against: "the same inserts in C",
        goal: 1.3,
        rounds: 5,
        ours: { round in
          let store = try SnippetStore(at: file("ours", round))
          try store.save(
            contentsOf: (0..<count).lazy.map { SnippetDraft(.text(text($0)), title: "Row \($0)") }
          )
          try store.close()
        },
        others: { round in try insertInC(file("theirs", round)) }
      )
    ]
  }

  private func insertInC(_ url: URL) throws {
    // The library makes the empty file, so that both sides write into the same schema.
    try SnippetStore(at: url).close()
    let raw = try RawDatabase(url.path, isReadOnly: false)
    try raw.run("PRAGMA foreign_keys = ON; PRAGMA synchronous = EXTRA;")
    let row = try raw.prepare(
      """
      INSERT INTO snippet (uuid, kind, title, preview, created_at, modified_at, pinned, byte_count,
        media_type) VALUES (randomblob(16), 1, ?, ?, ?, ?, 0, ?, 'text/plain')
      """
    )
    let body = try raw.prepare("INSERT INTO snippet_text (snippet_id, body) VALUES (?, ?)")
    for start in stride(from: 0, to: count, by: 500) {
      try raw.run("BEGIN IMMEDIATE")
      for number in start..<min(count, start + 500) {
        let text = text(number)
        row.bind("Row \(number)", at: 1)
        row.bind(text, at: 2)
        row.bind(1_700_000_000_000, at: 3)
        row.bind(1_700_000_000_000, at: 4)
        row.bind(Int64(text.utf8.count), at: 5)
        row.readAll()
        body.bind(Int64(number + 1), at: 1)
        body.bind(text, at: 2)
        body.readAll()
      }
      try raw.run("COMMIT")
    }
  }

  private func text(_ number: Int) -> String {
    "The text of row \(number), as short as most notes are."
  }

  private func file(_ side: String, _ round: Int) -> URL {
    folder.appendingPathComponent("\(side)-\(round).sqlite")
  }
}
