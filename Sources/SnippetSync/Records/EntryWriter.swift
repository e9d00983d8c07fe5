import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// Makes snippets what entries say, within a transaction.
struct EntryWriter {
  let db: Database
  /// The blobs that have come from the repository, by their hashes.
  let blobs: [Data: PreparedBlob]

  /// Inserts a snippet, changes it or deletes it, and returns its number; `nil` if it is deleted.
  func write(_ entry: Entry, over id: SnippetID?) throws -> SnippetID? {
    guard let content = entry.content.shown else {
      if let id { try delete(id) }
      return nil
    }
    guard let id, let former = try CapturedRow(id, in: db), former.content.kind == content.kind
    else {
      if let id { try delete(id) }
      return try insert(entry, content)
    }
    try update(id, entry, content, former)
    return id
  }

  private func delete(_ id: SnippetID) throws {
    try db.run("DELETE FROM snippet WHERE id = ?", [id.rawValue.databaseValue])
  }

  private func insert(_ entry: Entry, _ content: SyncedContent) throws -> SnippetID {
    let writer = SnippetWriter(db: db)
    let id = try writer.insert(try prepared(entry, content))
    for tag in entry.shownTags { try writer.add(tag, to: id) }
    if let deletedAt = entry.deletedAt {
      try writer.moveToTrash(id, at: Date(milliseconds: deletedAt))
      try SnippetDigest.give(to: id, in: db)
    }
    return id
  }

  private func update(
    _ id: SnippetID,
    _ entry: Entry,
    _ content: SyncedContent,
    _ former: CapturedRow
  ) throws {
    let writer = SnippetWriter(db: db)
    var new = content
    (new.title, new.file) = (former.content.title, former.content.file)
    new.others = former.content.others
    // What a decoder has counted here stays.
    if new.hasBytes(of: former.content) { new.facts = former.content.facts }
    if new != former.content {
      try writer.replaceContent(of: id, with: try prepared(entry, content))
    }
    if entry.shownNote != former.note {
      try writer.replaceNote(of: id, with: entry.shownNote)
    }
    // The revision goes up here, or the trigger would take this for an edit of today.
    try db.run(
      """
      UPDATE snippet SET title = ?, pinned = ?, created_at = ?, modified_at = ?, deleted_at = ?,
        revision = revision + 1
      WHERE id = ?
      """,
      [
        entry.shownTitle.databaseValue, (entry.pin.value == .pinned).databaseValue,
        entry.createdAt.value.databaseValue, entry.modifiedAt.value.databaseValue,
        entry.deletedAt?.databaseValue ?? .null, id.rawValue.databaseValue,
      ]
    )
    let carried = Set(former.tags.map(Entry.folded))
    let wanted = entry.shownTags
    for tag in wanted where !carried.contains(Entry.folded(tag)) { try writer.add(tag, to: id) }
    let kept = Set(wanted.map(Entry.folded))
    for tag in former.tags where !kept.contains(Entry.folded(tag)) {
      try writer.remove(tag, from: id)
    }
    try SnippetDigest.give(to: id, in: db)
  }

  private func prepared(_ entry: Entry, _ content: SyncedContent) throws -> PreparedSnippet {
    let body: PreparedSnippet.Body
    switch content.body {
    case .text(let text): body = .text(text)
    case .blob(let hash, let encoding):
      // The source of a blob that the store has is not read.
      let blob = blobs[hash] ?? PreparedBlob(sha256: hash, source: MissingBytes())
      body = .blob(blob, encoding: encoding.flatMap(TextEncoding.init(rawValue:)))
    }
    var snippet = PreparedSnippet(
      uuid: entry.uuid,
      kind: content.kind,
      title: entry.shownTitle,
      preview: content.kind == .text ? content.preview : TextPreview(of: entry.shownNote).preview,
      createdAt: Date(milliseconds: entry.createdAt.value),
      modifiedAt: Date(milliseconds: entry.modifiedAt.value),
      isPinned: entry.pin.value == .pinned,
      byteCount: content.byteCount,
      mediaType: content.mediaType,
      facts: content.facts,
      body: body
    )
    snippet.note = entry.shownNote
    return snippet
  }
}

/// A blob that is neither in the store nor has come.
struct MissingBlob: LocalizedError {
  var errorDescription: String? { "a blob was deleted while its snippet came" }
}

private struct MissingBytes: ByteSource {
  var byteCount: Int64 { 1 }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    throw MissingBlob()
  }
}
