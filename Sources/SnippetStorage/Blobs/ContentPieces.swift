import Foundation
import SnippetBase

/// The bytes of a snippet or blob in pieces, each read on demand.
struct ContentPieces: AsyncSequence, Sendable {
  let subject: ContentCursor.Subject
  let range: Range<Int64>?
  let blobReaders: BlobReaders

  func makeAsyncIterator() -> Iterator {
    Iterator(pieces: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let pieces: ContentPieces
    private var cursor: ContentCursor?

    fileprivate init(pieces: ContentPieces) {
      self.pieces = pieces
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SnippetStoreError) -> Data? {
      let (pieces, started) = (pieces, cursor)
      if Task.isCancelled {
        throw SnippetStoreError(CancellationError(), during: pieces.subject.operation)
      }
      let (piece, moved) = try await OwnThreads.result {
        () throws(SnippetStoreError) -> (Data?, ContentCursor) in
        var cursor: ContentCursor
        if let started {
          cursor = started
        } else {
          cursor = try ContentCursor(
            pieces.subject,
            in: pieces.range,
            blobReaders: pieces.blobReaders
          )
        }
        let piece = try cursor.next()
        return (piece, cursor)
      }
      cursor = moved
      return piece
    }
  }
}
