public import Foundation
import SnippetBase

extension SnippetStore {
  /// The bytes of a snippet, exactly as they were saved.
  ///
  /// All bytes of a blob are held against its hash. Those of a range are not.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: Which bytes; all by default. What lies beyond the end is left out.
  /// - Returns: The bytes; those of a short text are its UTF-8.
  /// - Throws: ``SnippetStoreError``: `.notFound`; `.damaged` when chunks are missing or the bytes
  ///   do not match their hash; `.cancelled` when the task was cancelled before the reading.
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

  /// The bytes of a snippet as a sequence of pieces of at most 1 MiB, in constant memory.
  ///
  /// All bytes of a blob are held against its hash; if they do not match it, the sequence ends with
  /// an error in place of the last piece. Those of a range are not.
  ///
  /// - Parameters:
  ///   - id: The snippet to read.
  ///   - range: Which bytes; all by default. What lies beyond the end is left out.
  /// - Returns: The pieces; nothing is read before the first is asked for. Reading one throws
  ///   ``SnippetStoreError``: `.notFound`; `.damaged` when chunks are missing or the bytes do not
  ///   match their hash; `.cancelled` when the task was.
  public func pieces(
    of id: SnippetID,
    in range: Range<Int64>? = nil
  ) -> some AsyncSequence<Data, SnippetStoreError> & Sendable {
    ContentPieces(subject: .snippet(id), range: range, blobReaders: blobReaders)
  }
}
