import Foundation
import SnippetStorage

/// The inserts of a store, in C and in the same schema.
package struct InsertsInC {
  let count: Int
  let title: (Int) -> String
  let preview: (Int) -> String
  let text: (Int) -> String

  package init(
    count: Int,
    title: @escaping (Int) -> String,
    preview: @escaping (Int) -> String,
    text: @escaping (Int) -> String
  ) {
    self.count = count
    self.title = title
    self.preview = preview
    self.text = text
  }

  /// Makes a store and inserts all texts, 500 in each transaction.
  package func run(into url: URL) async throws {
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
        row.bind(title(number), at: 2)
        row.bind(preview(number), at: 3)
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
}
