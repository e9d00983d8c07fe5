import Foundation
import GRDB

/// What a snippet is found by.
struct SearchedTexts: Sendable {
  let title: SearchText
  let tags: SearchText
  let body: SearchText
  /// Whether the snippet is in the trash.
  let isInTrash: Bool

  /// Reads what a snippet is found by now; `nil` when it is gone.
  init?(_ id: SnippetID, in db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT kind, title, blob_id, text_encoding, (
          SELECT group_concat(name, ' ') FROM tag JOIN snippet_tag ON tag.id = snippet_tag.tag_id
          WHERE snippet_tag.snippet_id = snippet.id
        ), deleted_at IS NOT NULL
        FROM snippet WHERE id = ?
        """
    )
    guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]) else { return nil }
    title = SearchText(try row.decode(atIndex: 1))
    tags = SearchText(try row.decode(String?.self, atIndex: 4) ?? "")
    let isText = try row.decode(Int64.self, atIndex: 0) == SnippetKind.text.rawValue
    body = SearchText(isText ? try Self.body(of: id, row, in: db) : "")
    isInTrash = try row.decode(atIndex: 5)
  }

  /// As much of a text is looked at: 4 MiB.
  ///
  /// A text goes into the index at once, and nobody else can write meanwhile.
  static let maximumByteCount: Int64 = 4 << 20

  /// Reads what is looked at of a text snippet; empty when it is gone or of another kind.
  static func body(of id: SnippetID, in db: Database) throws -> String {
    let statement = try db.cachedStatement(
      sql: "SELECT kind, title, blob_id, text_encoding FROM snippet WHERE id = ?"
    )
    guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]),
      try row.decode(Int64.self, atIndex: 0) == SnippetKind.text.rawValue
    else { return "" }
    return try body(of: id, row, in: db)
  }

  private static func body(of id: SnippetID, _ row: Row, in db: Database) throws -> String {
    guard let blobID: Int64 = try row.decode(atIndex: 2) else {
      let statement = try db.cachedStatement(
        sql: "SELECT CAST(body AS BLOB) FROM snippet_text WHERE snippet_id = ?"
      )
      // As bytes: a text that somebody else wrote may hold NUL, which ends a text of C.
      return TextEncoding.utf8.decode(
        try Data.fetchOne(statement, arguments: [id.rawValue]) ?? Data()
      )
    }
    let blob = BlobID(rawValue: blobID)
    let name: String? = try row.decode(atIndex: 3)
    guard let data = try db.bytes(of: blob, upTo: maximumByteCount) else { return "" }
    let encoding = name.flatMap(TextEncoding.init(name:)) ?? .utf8
    return data.count < maximumByteCount ? encoding.decode(data) : encoding.decodePrefix(data)
  }
}

extension Database {
  /// The first bytes of a blob in the snapshot that this connection has, all if there are no more;
  /// `nil` when it is not there.
  fileprivate func bytes(of blob: BlobID, upTo maximum: Int64) throws -> Data? {
    do {
      return try withLayout(of: blob) { layout in
        let byteCount = min(layout.byteCount, maximum)
        var handle = try BlobHandle(on: self)
        // As everywhere, the size in a damaged file is not believed before the last chunk was seen.
        try handle.move(to: (byteCount - 1) / layout.chunkSize, of: blob, layout)
        var memory = BlobMemory()
        try memory.allocate(Int(byteCount))
        try handle.read(blob, layout, at: 0, into: memory.bytes)
        return memory.takeData()
      }
    } catch is BlobDeletion {
      return nil
    }
  }
}
