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
