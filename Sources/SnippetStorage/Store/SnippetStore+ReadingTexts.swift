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
  ///   when chunks are missing or the bytes do not match their hash; `.cancelled` when the task was cancelled before the reading.
  /// - Complexity: O(*m*) for *m* bytes, held in memory.
  public func text(of id: SnippetID) async throws(SnippetStoreError) -> String {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read the content of snippet \(id)") { _ in
      var cursor = try ContentCursor(.snippet(id), blobReaders: blobReaders)
      return try Self.encoding(of: cursor).decode(cursor.readToEnd())
    }
  }

  /// Calls `body` with the text of a text snippet in pieces of at most 64 KiB of its bytes, in
  /// constant memory, in whatever encoding it came, and blocks meanwhile.
  ///
  /// The pieces, one after the other, have the code points that ``text(of:)`` gives. None ends
  /// within a code point, though one may begin with an accent for the letter before it. No lock and
  /// no snapshot is held while `body` runs. A snippet that is deleted meanwhile ends the reading
  /// with `.notFound` or `.damaged`. The bytes of a blob are held against its hash, and `body` does
  /// not get the last of them if they do not match it.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - body: Takes the next piece, which is never empty. What it throws ends the reading and is
  ///     thrown on.
  /// - Throws: ``SnippetStoreError``, with `.invalidInput` when it is not a text; or what `body`
  ///   throws.
  package func forEachTextPiece(of id: SnippetID, _ body: (String) throws -> Void) throws {
    var cursor = try ContentCursor(.snippet(id), blobReaders: blobReaders)
    var decoder = TextDecoder(try Self.encoding(of: cursor))
    while let piece = try cursor.next(ofByteCount: TextDecoder.pieceByteCount) {
      let text = piece.withUnsafeBytes { bytes in
        decoder.decode(bytes.bindMemory(to: UInt8.self), isLast: false)
      }
      if !text.isEmpty { try body(text) }
    }
    let end = decoder.finish()
    if !end.isEmpty { try body(end) }
  }

  private static func encoding(
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
