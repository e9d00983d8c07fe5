import Foundation
import SnippetStore

/// A window of a list: at its start, in its middle, at its end.
struct ListBenchmarks {
  let store: SnippetStore
  let path: String
  let rowCount: Int

  private static let columns = """
    id, uuid, kind, title, preview, created_at, modified_at, pinned, byte_count, media_type,
    pixel_width, pixel_height, duration_ms, revision, blob_id,
    (SELECT group_concat(name, char(31)) FROM (SELECT tag.name FROM snippet_tag
      JOIN tag ON tag.id = snippet_tag.tag_id
      WHERE snippet_tag.snippet_id = snippet.id ORDER BY tag.name))
    """

  func run() throws -> [Measurement] {
    let list = store.list()
    let raw = try RawDatabase(path)
    let keyset = try raw.prepare(
      """
      SELECT \(Self.columns) FROM snippet WHERE (created_at, id) <= (?, ?)
      ORDER BY created_at DESC, id DESC LIMIT 50
      """
    )
    let offset = try raw.prepare(
      "SELECT \(Self.columns) FROM snippet ORDER BY created_at DESC, id DESC LIMIT 50 OFFSET ?"
    )
    var result: [Measurement] = []
    for (name, start) in [("start", 0), ("middle", rowCount / 2), ("end", rowCount - 50 - 200)] {
      let keys = try (0..<203).map { round in
        guard let row = try list.row(at: start + round) else { throw RawError(message: "no row") }
        return (Int64((row.createdAt.timeIntervalSince1970 * 1000).rounded()), row.id.rawValue)
      }
      result.append(
        try Measurement(
          "50 rows at the \(name) of \(rowCount)",
          against: "keyset in C",
          goal: 1.3,
          ours: { round in _ = try list.rows(in: start + round..<start + round + 50) },
          others: { round in
            keyset.bind(keys[round].0, at: 1)
            keyset.bind(keys[round].1, at: 2)
            keyset.readAll()
          }
        )
      )
    }
    let end = rowCount - 250
    result.append(
      try Measurement(
        "50 rows at the end of \(rowCount)",
        against: "OFFSET in C",
        goal: 1 / 200.0,
        ours: { round in _ = try list.rows(in: end + round..<end + round + 50) },
        others: { round in
          offset.bind(Int64(end + round), at: 1)
          offset.readAll()
        }
      )
    )
    result.append(
      try Measurement(
        "a window at the end of \(rowCount)",
        against: "one at the start",
        goal: 1.5,
        ours: { round in _ = try list.rows(in: end + round..<end + round + 50) },
        others: { round in _ = try list.rows(in: round..<round + 50) }
      )
    )
    return result
  }
}
