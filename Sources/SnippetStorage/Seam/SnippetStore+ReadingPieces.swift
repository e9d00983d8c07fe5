package import Foundation
import SnippetRecognition

/// Used by snip, whose `cat` and `show` write piece after piece to a terminal or a pipe and stop
/// where the reader of the pipe does.
extension SnippetStore {
  /// Calls `body` with the bytes of a snippet in pieces of at most 1 MiB, in constant memory, and
  /// blocks.
  ///
  /// All bytes of a blob are held against its hash, and `body` does not get the last piece if they
  /// do not match it. Those of a range are not.
  ///
  /// No lock and no snapshot is held while `body` runs. A snippet that is deleted during that ends
  /// the reading with `.notFound` or `.damaged`.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: Which bytes; all by default. What lies beyond the end is left out.
  ///   - body: Takes the next piece. What it throws ends the reading and is thrown on.
  /// - Throws: ``SnippetStoreError``, or what `body` throws.
  package func forEachPiece(
    of id: SnippetID,
    in range: Range<Int64>? = nil,
    _ body: (Data) throws -> Void
  ) throws {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    while let piece = try cursor.next() { try body(piece) }
  }

  /// Calls `body` with the text of a text snippet in pieces of at most 64 KiB of its bytes, in
  /// constant memory, in whatever encoding it came, and blocks.
  ///
  /// The pieces, one after the other, have the code points that ``text(of:)`` gives. None ends
  /// within a code point, though one may begin with an accent for the letter before it. No lock and
  /// no snapshot is held while `body` runs. A snippet that is deleted during that ends the reading
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
}
