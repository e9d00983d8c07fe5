import Foundation
import SnippetBase

extension SnippetStore {
  /// The text of a text snippet, in whatever encoding it came.
  ///
  /// The bytes of a blob are held against its hash.
  ///
  /// - Parameter id: The snippet to read.
  /// - Returns: The text; bytes that are none in its encoding become U+FFFD.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.invalidInput` when it is not a text; `.damaged`
  ///   when chunks are missing or the bytes do not match their hash; `.cancelled` when the task was
  ///   cancelled before the reading.
  /// - Complexity: O(*m*) for *m* bytes, held in memory.
  public func text(of id: SnippetID) async throws(SnippetStoreError) -> String {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read the content of snippet \(id)") { _ in
      var cursor = try ContentCursor(.snippet(id), blobReaders: blobReaders)
      return try Self.encoding(of: cursor).decode(cursor.readToEnd())
    }
  }

  /// The encoding of a text; refuses what is none.
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
