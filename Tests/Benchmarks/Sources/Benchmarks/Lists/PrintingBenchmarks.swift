import CoreBenchmarks
import Foundation

/// Printing a whole list, against the `sqlite3` shell that prints the same columns.
struct PrintingBenchmarks {
  let file: ListFile

  func run(into table: Table) throws {
    let snip =
      try "\(Self.quoted(ChildProcess.snip.path)) list --limit 0 --store "
      + Self.quoted(file.url.path)
    let shell = "sqlite3 -readonly -json \(Self.quoted(file.url.path)) \(Self.quoted(Self.query))"
    let lines = try measure("\(snip) --json", against: shell)
    try table.add(
      lines.row("JSON of \(file.rowCount) rows", against: "sqlite3 -json", .ratio(atMost: 0.8))
    )
    let text = try measure(snip, against: shell.replacing(" -json", with: " -column"))
    try table.add(
      text.row("a table of \(file.rowCount) rows", against: "sqlite3 -column", .ratio(atMost: 1))
    )
  }

  /// What both sides say of a row; dates as numbers, which the shell has ready.
  private static let query = """
    SELECT id, lower(hex(uuid)) AS uuid,
      CASE kind WHEN 1 THEN 'text' WHEN 2 THEN 'image' ELSE 'voice' END AS kind, title, preview,
      created_at, modified_at, byte_count, (
        SELECT group_concat(tag.name, ',') FROM snippet_tag JOIN tag ON tag.id = snippet_tag.tag_id
        WHERE snippet_tag.snippet_id = snippet.id
      ) AS tags, pinned, media_type, revision, pixel_width, pixel_height, duration_ms, sample_rate,
      channel_count
    FROM snippet WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC
    """

  private func measure(_ ours: String, against others: String) throws -> Comparison {
    func run(_ command: String) throws {
      try ChildProcess.run("/bin/sh", ["-c", "\(command) > /dev/null"])
    }
    return try Comparison(
      rounds: 9,
      ours: { _ in try run(ours) },
      others: { _ in try run(others) }
    )
  }

  private static func quoted(_ word: String) -> String {
    "'\(word.replacing("'", with: "'\\''"))'"
  }
}
