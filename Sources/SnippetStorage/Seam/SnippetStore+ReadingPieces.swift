package import Foundation

/// Used by snip: `cat` and `show` write piece after piece to a terminal or a pipe, and stop when
/// the reader of the pipe does.
extension SnippetStore {
  /// Calls `body` with the bytes of a snippet, all or those of a range, in pieces of at most 1 MiB,
  /// in constant memory, and blocks.
  ///
  /// All bytes of a blob are compared with its hash, and if they do not match, `body` does not get
  /// the last piece. The bytes of a range are not compared.
  ///
  /// No lock or snapshot is held while `body` runs. If the snippet is deleted during that time, the
  /// reading ends with `.notFound` or `.damaged`. An error that `body` throws ends it too.
  package func forEachPiece(
    of id: SnippetID,
    in range: Range<Int64>? = nil,
    _ body: (Data) throws -> Void
  ) throws {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    while let piece = try cursor.next() { try body(piece) }
  }

  /// Calls `body` with the text of a text snippet, in any encoding, as
  /// ``forEachPiece(of:in:_:)`` does with its bytes.
  ///
  /// Joined together, the pieces have the code points of ``text(of:)``. Each comes from at most 64
  /// KiB and is not empty. None ends within a code point, though one may begin with an accent for
  /// the letter before it. Throws `.invalidInput` if the snippet is not a text.
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
