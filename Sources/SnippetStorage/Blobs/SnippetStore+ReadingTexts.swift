import Foundation
import SnippetBase

extension SnippetStore {
  /// Reads the text of a text snippet, in any known encoding.
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

  /// Calls `body` with the text of a text snippet in pieces of at most 64 KiB of its bytes, in
  /// constant memory; blocks until it is done.
  ///
  /// The text may have any known encoding. The pieces, one after the other, contain the code points
  /// of ``text(of:)``. No piece ends within a code point, but one may begin with an accent for the
  /// letter before it. No lock or snapshot is held while `body` runs. If the snippet is deleted in
  /// between, the reading ends with `.notFound` or `.damaged`. The bytes of a blob are checked
  /// against its hash. If they do not match, `body` does not get the last of them.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - body: Receives the next piece, which is never empty. An error that it throws ends the
  ///     reading and is rethrown.
  /// - Throws: ``SnippetStoreError``, with `.invalidInput` if it is not a text; or errors of
  ///   `body`.
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
