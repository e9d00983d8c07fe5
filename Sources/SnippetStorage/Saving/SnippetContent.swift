public import Foundation
import SnippetBase

/// The source of a snippet's bytes.
///
/// Content of any size takes constant memory: a file is read in pieces, and a stream is kept in an
/// unnamed temporary file until its hash is known.
public struct SnippetContent: Sendable {
  enum Source: Sendable {
    case text(String)
    case bytes(Data)
    case file(URL)
    case stream(@Sendable () throws -> Data?)
    case collected(any ByteSource)
  }

  let source: Source

  /// Makes content from a text.
  ///
  /// - Parameter text: Any text; may be empty.
  /// - Returns: The content; its bytes are the text in UTF-8.
  public static func text(_ text: String) -> SnippetContent {
    SnippetContent(source: .text(text))
  }

  /// Makes content from bytes in memory.
  ///
  /// - Parameter bytes: The bytes, stored as they are.
  /// - Returns: The content.
  public static func bytes(_ bytes: Data) -> SnippetContent {
    SnippetContent(source: .bytes(bytes))
  }

  /// Makes content from a file, which is read when the draft is saved.
  ///
  /// - Parameter url: The URL of a regular file.
  /// - Returns: The content.
  public static func file(at url: URL) -> SnippetContent {
    SnippetContent(source: .file(url))
  }

  /// Makes content from bytes that arrive in pieces.
  ///
  /// A draft with such content can be saved only once. The store holds no lock while it waits for
  /// the stream.
  ///
  /// - Parameter next: Returns the next piece; `nil` at the end. It is called on the saving thread
  ///   and may block. An error that it throws becomes the underlying error of the save.
  /// - Returns: The content.
  public static func stream(_ next: @escaping @Sendable () throws -> Data?) -> SnippetContent {
    SnippetContent(source: .stream(next))
  }

  /// Makes content from pieces that arrive asynchronously.
  ///
  /// On return all pieces have arrived. They are kept in an unnamed temporary file, which is
  /// deleted with the content.
  ///
  /// - Parameter pieces: The pieces in order.
  /// - Returns: The content.
  /// - Throws: ``SnippetStoreError``, with an error of the sequence as its underlying error;
  ///   `.diskFull` if there is no room for the temporary file; `.cancelled` if the task was
  ///   cancelled.
  public static func collecting<Pieces: AsyncSequence>(
    _ pieces: Pieces
  ) async throws(SnippetStoreError) -> SnippetContent where Pieces.Element == Data {
    do {
      let spool = try SpooledBytes()
      for try await piece in pieces { try await OwnThreads.result { try spool.append(piece) } }
      // A sequence may just end when its task is cancelled; the content is then incomplete.
      try Task.checkCancellation()
      return SnippetContent(source: .collected(spool))
    } catch {
      throw SnippetStoreError(error, during: "collect the content of a snippet")
    }
  }
}
