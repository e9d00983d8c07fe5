package import Foundation
import SnippetRecognition

/// Used by snip: `cat` and `show` write piece after piece to a terminal or a pipe, and stop when
/// the reader of the pipe does.
extension SnippetStore {
  /// Calls `body` with the bytes of a snippet in pieces of at most 1 MiB, in constant memory, and
  /// blocks.
  ///
  /// All bytes of a blob are compared with its hash, and if they do not match, `body` does not get
  /// the last piece. The bytes of a range are not compared.
  ///
  /// No lock or snapshot is held while `body` runs. If the snippet is deleted during that time, the
  /// reading ends with `.notFound` or `.damaged`.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  ///   - body: Takes the next piece. An error that it throws ends the reading and is rethrown.
  /// - Throws: ``SnippetStoreError``, or the error of `body`.
  package func forEachPiece(
    of id: SnippetID,
    in range: Range<Int64>? = nil,
    _ body: (Data) throws -> Void
  ) throws {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    while let piece = try cursor.next() { try body(piece) }
  }

  /// Calls `body` with the text of a text snippet in pieces of at most 64 KiB of its bytes, in
  /// constant memory, and blocks.
  ///
  /// The text may have any encoding.
  ///
  /// Joined together, the pieces have the code points of ``text(of:)``. No piece ends within a code
  /// point, though one may begin with an accent for the letter before it. No lock or snapshot is
  /// held while `body` runs. If the snippet is deleted during that time, the reading ends with
  /// `.notFound` or `.damaged`. The bytes of a blob are compared with its hash, and if they do not
  /// match, `body` does not get the last piece.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - body: Takes the next piece, which is never empty. An error that it throws ends the reading
  ///     and is rethrown.
  /// - Throws: ``SnippetStoreError``, with `.invalidInput` if the snippet is not a text; or the
  ///   error of `body`.
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
}
