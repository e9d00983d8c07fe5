import Foundation
import GRDB
import SnippetRecognition
import SnippetStorage

/// A damaged store, as far as it can be read.
struct SalvageSource {
  /// The content of a snippet that can still be read.
  enum Content {
    case text(String)
    case blob(SalvagedBytes, sha256: Data?)
  }

  /// The remains of a snippet in indexes and texts, when its row cannot be read.
  struct Trace {
    var title: String?
    var createdAt: Int64?
    var blobID: Int64?
  }

  /// A capture that was never finished.
  struct LeftCapture {
    var id: Int64
    var kind: SnippetKind?
    var title: String?
    var tags: [String]
    var mediaType: String?
    var startedAt: Int64?
  }

  let connection: DatabaseQueue
  let walk: SalvageWalk
  /// Replaces a date that cannot be read.
  let now: Date

  // MARK: - Snippets

  /// Returns the row of a snippet, or `nil` if it cannot be read.
  func snippet(_ id: Int64) throws -> SalvagedSnippet? {
    // Without its text, the digest of a snippet cannot be checked.
    let isRight = try walk.value(
      "\(SnippetDigest.selection) WHERE id = ?",
      id,
      SnippetDigest.isRight
    )
    return try walk.value(SalvagedSnippet.select, id) { row in
      try SalvagedSnippet(row, isRight: isRight ?? nil, now: now)
    }
  }

  /// Returns what can be read of a snippet's content, and what is wrong with it.
  ///
  /// Returns `nil` if nothing can be read.
  func content(of row: SalvagedSnippet) throws -> (Content, problem: String?)? {
    if let blob = row.blobID, let (bytes, sha256) = try self.blob(blob) {
      return (.blob(bytes, sha256: sha256), bytes.problem)
    }
    // Tried even if there is a blob number, which may itself be damage.
    if let text = try text(of: row.id) {
      let isNote = row.kind == .image || row.kind == .voice
      return (.text(text), isNote ? "its bytes cannot be read, only its note" : nil)
    }
    // The row holds the beginning of the text.
    return row.preview.isEmpty || row.kind != .text
      ? nil : (.text(row.preview), "its text cannot be read, only its beginning")
  }

  /// Returns the note of an image or voice, and what is wrong with it; `nil` if there is none.
  func note(of row: SalvagedSnippet) throws -> (text: String, problem: String?)? {
    guard row.kind != .text else { return nil }
    if let text = try text(of: row.id) {
      let note = try? TextRules.note(text, during: "salvage")
      return note.map { ($0, nil) } ?? (row.preview, "its note is too long, and was cut")
    }
    return row.preview.isEmpty
      ? nil : (row.preview, "its note cannot be read, only its beginning")
  }

  /// Returns a short text or a note, or `nil` if there is none or it cannot be read.
  func text(of id: Int64) throws -> String? {
    try walk.value("SELECT body FROM snippet_text WHERE snippet_id = ?", id) { try $0.text(0) }
  }

  /// Returns what can be read of a blob, or `nil` if nothing can.
  func blob(_ id: Int64) throws -> (SalvagedBytes, sha256: Data?)? {
    let row = try walk.value("SELECT byte_count, chunk_size, sha256 FROM blob WHERE id = ?", id) {
      (BlobLayout(byteCount: try? $0.number(0), chunkSize: try? $0.number(1)), try? $0.bytes(2))
    }
    guard let bytes = try SalvagedBytes(id, row?.0, walk, connection) else { return nil }
    return (bytes, row?.1)
  }

  /// Returns the tags of a snippet, and whether they are complete.
  func tags(of id: Int64) throws -> (tags: [String], isWhole: Bool) {
    let ids = try walk.value(
      "SELECT group_concat(tag_id) FROM snippet_tag WHERE snippet_id = ?",
      id
    ) { try $0.optionalText(0) ?? "" }
    guard let ids else { return ([], false) }
    var (tags, isWhole) = ([String](), true)
    for tag in ids.split(separator: ",").compactMap({ Int64($0) }) {
      if let name = try walk.value("SELECT name FROM tag WHERE id = ?", tag, { try $0.text(0) }) {
        tags.append(name)
      } else {
        isWhole = false
      }
    }
    return (tags, isWhole)
  }

  /// Returns the files of a snippet that can be read, with the paths of their folders.
  func origins(of id: Int64) throws -> [SalvagedOrigin] {
    var origins: [SalvagedOrigin] = []
    do {
      try walk.forEachRow(SalvagedOrigin.select, [id]) { row in
        try walk.check()
        origins.append(try SalvagedOrigin(row))
        // In a damaged file the rows may form a circle.
        return origins.count < Self.maximumOriginCount
      }
    } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
      return origins
    }
    return origins
  }

  /// More files than any snippet has.
  private static let maximumOriginCount = 10_000

  /// Returns whether the store records any files; older stores have no table for them.
  func hasOrigins() throws -> Bool {
    let tables = try walk.value(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'origin%' AND ?",
      1,
      { try $0.number(0) }
    )
    guard tables == 2 else { return false }
    return try walk.value("SELECT EXISTS (SELECT 1 FROM origin) AND ?", 1, { try $0.number(0) })
      == 1
  }

  // MARK: - Snippets without a row

  /// Returns what indexes and texts still hold of snippets that are not in `copied`.
  func traces(besides copied: Set<Int64>) throws -> [Int64: Trace] {
    var traces: [Int64: Trace] = [:]
    for (index, condition) in [
      ("snippet_by_title", "deleted_at IS NULL"),
      ("snippet_trash_by_title", "deleted_at IS NOT NULL"),
    ] {
      try walk.fromBothEnds(
        "SELECT id, title, created_at FROM snippet INDEXED BY \(index) WHERE \(condition)",
        by: "title"
      ) { row in
        let id = try row.number(0)
        guard !copied.contains(id) else { return }
        traces[id, default: Trace()].title = try? row.text(1)
        traces[id, default: Trace()].createdAt = try? row.number(2)
      }
    }
    try walk.fromBothEnds(
      "SELECT id, blob_id FROM snippet INDEXED BY snippet_by_blob WHERE blob_id IS NOT NULL",
      by: "blob_id"
    ) { row in
      let id = try row.number(0)
      if !copied.contains(id) { traces[id, default: Trace()].blobID = try row.number(1) }
    }
    try walk.fromBothEnds("SELECT snippet_id FROM snippet_text", by: "snippet_id") { row in
      let id = try row.number(0)
      if !copied.contains(id), traces[id] == nil { traces[id] = Trace() }
    }
    return traces
  }

  /// Returns the blobs whose rows can be read.
  func blobs() throws -> [Int64] {
    let highest = try walk.highest(of: [
      "SELECT max(id) FROM blob", "SELECT max(id) >> 20 FROM blob_chunk",
      "SELECT max(id) FROM blob INDEXED BY sqlite_autoindex_blob_1",
    ])
    guard highest > 0 else { return [] }
    // No blob has a greater number, whatever a damaged row says.
    let last = min(highest, 8_796_093_022_207)
    var blobs: [Int64] = []
    try walk.forEach(
      "SELECT id FROM blob WHERE id BETWEEN ? AND ? ORDER BY id",
      in: 1...last
    ) { blobs.append(try $0.number(0)) }
    return blobs
  }

  // MARK: - Captures

  /// Returns the captures that were never finished.
  func captures() throws -> [LeftCapture] {
    var captures: [LeftCapture] = []
    var seen: Set<Int64> = []
    try walk.fromBothEnds(
      "SELECT id, kind, title, tags, media_type, started_at FROM capture",
      by: "id"
    ) { row in
      let id = try row.number(0)
      guard seen.insert(id).inserted else { return }
      captures.append(
        LeftCapture(
          id: id,
          kind: (try? row.number(1)).flatMap { SnippetKind(rawValue: Int(truncatingIfNeeded: $0)) },
          title: (try? row.optionalText(2)) ?? nil,
          tags: ((try? row.text(3)) ?? "").split(separator: ",").map(String.init),
          mediaType: ((try? row.optionalText(4)) ?? nil).flatMap {
            try? TextRules.mediaType($0, during: "salvage")
          },
          startedAt: try? row.number(5)
        )
      )
    }
    return captures
  }

  /// Returns the bytes that a capture had received, or `nil` if there are none.
  func bytes(of capture: LeftCapture) throws -> SalvagedBytes? {
    let tail = try walk.value("SELECT tail FROM staged_blob WHERE id = ?", capture.id) {
      (try? $0.bytes(0)) ?? Data()
    }
    return try SalvagedBytes(capture.id, nil, tail: tail ?? Data(), walk, connection)
  }
}

extension SalvagedBytes {
  /// The damage to the bytes, or `nil` if none is known.
  var problem: String? {
    missingChunks.isEmpty
      ? nil
      : "\(missingChunks.count) parts of up to 256 KiB cannot be read, and are zeros: from part \((missingChunks.min() ?? 0) + 1) on"
  }
}
