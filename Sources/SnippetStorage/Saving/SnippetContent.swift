public import Foundation
import SnippetBase

/// Where the bytes of a snippet come from.
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

  /// A text.
  ///
  /// - Parameter text: Any text; an empty one too.
  /// - Returns: The content; its bytes are the text in UTF-8.
  public static func text(_ text: String) -> SnippetContent {
    SnippetContent(source: .text(text))
  }

  /// Bytes in memory.
  ///
  /// - Parameter bytes: The bytes, kept as they are.
  /// - Returns: The content.
  public static func bytes(_ bytes: Data) -> SnippetContent {
    SnippetContent(source: .bytes(bytes))
  }

  /// The bytes of a file, read when the draft is saved.
  ///
  /// - Parameter url: A regular file.
  /// - Returns: The content.
  public static func file(at url: URL) -> SnippetContent {
    SnippetContent(source: .file(url))
  }

  /// Bytes that come piece by piece.
  ///
  /// Such a draft can be saved once. No lock is held while the store waits for the stream.
  ///
  /// - Parameter next: Gives the next piece, or `nil` at the end. It is called on the thread that
  ///   saves, and may block. What it throws becomes the underlying error of the save.
  /// - Returns: The content.
  public static func stream(_ next: @escaping @Sendable () throws -> Data?) -> SnippetContent {
    SnippetContent(source: .stream(next))
  }

  /// Bytes that come piece by piece from asynchronous code.
  ///
  /// On return all pieces have arrived. They are kept in an unnamed temporary file, which is
  /// deleted with the content.
  ///
  /// - Parameter pieces: The pieces in order.
  /// - Returns: The content.
  /// - Throws: ``SnippetStoreError``: what the sequence threw is its underlying error;
  ///   `.diskFull` when there is no room for the temporary file; `.cancelled` when the task was.
  public static func collecting<Pieces: AsyncSequence>(
    _ pieces: Pieces
  ) async throws(SnippetStoreError) -> SnippetContent where Pieces.Element == Data {
    do {
      let spool = try SpooledBytes()
      for try await piece in pieces { try await OwnThreads.result { try spool.append(piece) } }
      // A sequence may simply end when its task is cancelled: what came by then is not all.
      try Task.checkCancellation()
      return SnippetContent(source: .collected(spool))
    } catch {
      throw SnippetStoreError(error, during: "collect the content of a snippet")
    }
  }
}
