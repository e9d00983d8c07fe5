public import Foundation
import SnippetBase

extension SnippetStore {
  /// Reads the bytes of a snippet, exactly as they were saved.
  ///
  /// The bytes of a whole blob are checked against its hash; those of a range are not.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  /// - Returns: The bytes; for a short text, its UTF-8.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` if chunks are missing or the bytes do
  ///   not match their hash; `.cancelled` if the task was cancelled before reading began.
  /// - Complexity: O(*m*) for *m* bytes, wherever in the content they are.
  public func content(
    of id: SnippetID,
    in range: Range<Int64>? = nil
  ) async throws(SnippetStoreError) -> Data {
    let blobReaders = blobReaders
    return try await OwnThreads.run(to: "read the content of snippet \(id)") { _ in
      var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
      return try cursor.readToEnd()
    }
  }

  /// Calls `body` with the bytes of a snippet in pieces of at most 1 MiB, in constant memory;
  /// blocks until it is done.
  ///
  /// The bytes of a whole blob are checked against its hash. If they do not match, `body` does not
  /// get the last piece. Those of a range are not checked.
  ///
  /// No lock or snapshot is held while `body` runs. If the snippet is deleted in between, the
  /// reading ends with `.notFound` or `.damaged`.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  ///   - body: Receives the next piece. An error that it throws ends the reading and is rethrown.
  /// - Throws: ``SnippetStoreError``, or errors of `body`.
  package func forEachPiece(
    of id: SnippetID,
    in range: Range<Int64>? = nil,
    _ body: (Data) throws -> Void
  ) throws {
    var cursor = try ContentCursor(.snippet(id), in: range, blobReaders: blobReaders)
    while let piece = try cursor.next() { try body(piece) }
  }

  /// Reads a snippet as a sequence of pieces of at most 1 MiB, in constant memory.
  ///
  /// The bytes of a whole blob are checked against its hash. If they do not match, the sequence
  /// throws an error instead of returning the last piece. Those of a range are not checked.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: The bytes to read; all by default. Bytes beyond the end are left out.
  /// - Returns: The pieces; nothing is read before you request the first. Reading one throws
  ///   ``SnippetStoreError``: `.notFound`; `.damaged` if chunks are missing or the bytes do not
  ///   match their hash; `.cancelled` if the task was cancelled.
  public func pieces(
    of id: SnippetID,
    in range: Range<Int64>? = nil
  ) -> some AsyncSequence<Data, SnippetStoreError> & Sendable {
    ContentPieces(subject: .snippet(id), range: range, blobReaders: blobReaders)
  }
}
