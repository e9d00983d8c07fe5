import Foundation
import SnippetBase

extension SnippetStore {
  /// Reads the text of a text snippet in any encoding.
  ///
  /// The bytes of a blob are checked against its hash.
  ///
  /// - Parameter id: The snippet to read.
  /// - Returns: The text; bytes that are invalid in its encoding become U+FFFD.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.invalidInput` if it is not a text; `.damaged`
  ///   if chunks are missing or the bytes do not match their hash; `.cancelled` if the task was
  ///   cancelled before reading began.
  /// - Complexity: O(*m*) for *m* bytes, held in memory.
  public func text(of id: SnippetID) async throws(SnippetStoreError) -> String {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read the content of snippet \(id)") { _ in
      var cursor = try ContentCursor(.snippet(id), blobReaders: blobReaders)
      return try Self.encoding(of: cursor).decode(cursor.readToEnd())
    }
  }

  /// Reads the note of an image or voice: a caption, a description, a transcript.
  ///
  /// Its beginning is the ``SnippetRow/preview`` of the row.
  ///
  /// - Parameter id: The snippet to read.
  /// - Returns: The note; empty if there is none. A text has none.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` if the note does not match the digest
  ///   of its snippet; `.cancelled` if the task was cancelled before reading began.
  /// - Complexity: O(log *n*), plus at most 64 KiB.
  public func note(of id: SnippetID) async throws(SnippetStoreError) -> String {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read the note of snippet \(id)") { _ in
      try ContentCursor.note(of: id, blobReaders: blobReaders)
    }
  }

  /// The encoding of a text; throws for other kinds.
  static func encoding(
    of cursor: ContentCursor
  ) throws(SnippetStoreError) -> TextEncoding {
    guard let encoding = cursor.encoding else {
      throw SnippetStoreError(
        .invalidInput,
        cursor.operation,
        because: "it is not a text",
        do: "Read its bytes instead."
      )
    }
    return encoding
  }
}
