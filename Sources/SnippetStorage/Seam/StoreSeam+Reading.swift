import Foundation
package import GRDB
package import SnippetRecognition

extension StoreSeam {
  /// Begins to read the content of a snippet, wherever it is stored.
  package func content(of id: SnippetID) throws(SnippetStoreError) -> ContentCursor {
    try ContentCursor(.snippet(id), blobReaders: store.blobReaders)
  }

  /// Reads the note of an image or voice; empty if there is none, or for a text.
  package func note(of id: SnippetID) throws(SnippetStoreError) -> String {
    try ContentCursor.note(of: id, blobReaders: store.blobReaders)
  }

  /// Reads the note within the bytes of an image or voice, as an import takes it; `nil` if there is
  /// none.
  package func embeddedNote(of row: SnippetRow) throws -> String? {
    try recognizedMedia(of: row)?.note.map(TextRules.note(of:))
  }

  /// Recognizes the bytes of an image or voice; `nil` if their format is unknown.
  package func recognizedMedia(of row: SnippetRow) throws -> RecognizedContent? {
    let bytes = SnippetBytes(
      id: row.id,
      byteCount: row.byteCount,
      blobReaders: store.blobReaders
    )
    return try ContentRecognizer.recognizeMedia(bytes)
  }

  /// Finds the next snippets of a filter after a number, in ascending order; numbers never change.
  package static func ids(
    in filter: SnippetFilter,
    after last: Int64,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    try ListQuery(filter: filter, order: .oldestFirst).ids(after: last, limit: limit, in: db)
  }
}

/// The bytes of a snippet, read at any place.
private struct SnippetBytes: ByteSource {
  let id: SnippetID
  let byteCount: Int64
  let blobReaders: BlobReaders

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let range = offset..<min(max(offset, byteCount), offset + Int64(buffer.count))
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    var count = 0
    while let piece = try cursor.next() {
      piece.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      count += piece.count
    }
    return count
  }
}

extension Database {
  /// Recognizes the bytes of an image or voice as this transaction sees them; `nil` if the blob does
  /// not exist, or its format is unknown.
  package func recognizedMedia(in blob: BlobID) throws -> RecognizedContent? {
    do {
      let layout = try withLayout(of: blob) { $0 }
      let bytes = TransactionBytes(db: self, blob: blob, layout: layout)
      return try ContentRecognizer.recognizeMedia(bytes)
    } catch is BlobDeletion {
      return nil
    }
  }

  /// Finds the row of a snippet.
  package func snippetRow(_ id: SnippetID) throws -> SnippetRow? {
    try SnippetRowQuery.row(id, in: self)
  }

  /// Reads the rows of snippets in the given order; missing ones are left out.
  package func snippetRows(_ ids: [Int64]) throws -> [SnippetRow] {
    try SnippetRowQuery.rows(ids, in: self)
  }

  /// Reads the searched part of a text or a note; empty if there is none.
  package func searchedText(of id: SnippetID) throws -> String {
    try SearchedTexts.body(of: id, in: self)
  }

  /// Calls `body` with the rows that a SELECT finds, one by one, until it returns `false`.
  package func forEachRow(
    _ sql: String,
    _ arguments: [DatabaseValue] = [],
    _ body: (StatementRow) throws -> Bool
  ) throws {
    var statement = try stepped(sql, arguments)
    while let row = try statement.next() {
      guard try body(row) else { return }
    }
  }

  /// Runs a writing statement, and keeps it prepared.
  ///
  /// Unlike GRDB it binds a text completely, even if the text contains NUL.
  package func run(_ sql: String, _ arguments: [DatabaseValue]) throws {
    try stepped(sql, arguments, writes: true).execute()
  }
}

/// The bytes of a blob in a transaction.
///
/// They are recognized on the thread of the transaction, and kept nowhere.
private struct TransactionBytes: ByteSource, @unchecked Sendable {
  let db: Database
  let blob: BlobID
  let layout: BlobLayout

  var byteCount: Int64 { layout.byteCount }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    let count = Int(min(Int64(buffer.count), max(0, byteCount - offset)))
    guard count > 0 else { return 0 }
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    var handle = try BlobHandle(on: db)
    try handle.read(blob, layout, at: offset, into: part)
    return count
  }
}

extension TextRules {
  /// The most bytes of a text that its title and preview can need.
  package static var previewByteCount: Int { DraftPreparation.previewByteCount }

  /// Makes a tag of a keyword in a picture or a recording; `nil` if it is too long for one.
  package static func tag(ofKeyword keyword: String) -> String? {
    DraftPreparation.tag(of: keyword)
  }
}
