import Foundation
import SnippetBase

/// The bytes of a snippet or a blob in pieces, each read when it is asked for.
struct ContentPieces: AsyncSequence, Sendable {
  enum Subject: Sendable {
    case snippet(SnippetID)
    case blob(BlobID)
  }

  let subject: Subject
  let range: Range<Int64>?
  let blobReaders: BlobReaders

  func makeAsyncIterator() -> Iterator {
    Iterator(subject: subject, range: range, blobReaders: blobReaders)
  }

  struct Iterator: AsyncIteratorProtocol {
    let subject: Subject
    let range: Range<Int64>?
    let blobReaders: BlobReaders
    private var cursor: ContentCursor?

    init(subject: Subject, range: Range<Int64>?, blobReaders: BlobReaders) {
      self.subject = subject
      self.range = range
      self.blobReaders = blobReaders
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SnippetStoreError) -> Data? {
      let (subject, range, blobReaders, started) = (subject, range, blobReaders, cursor)
      if Task.isCancelled { throw SnippetStoreError(CancellationError(), during: operation) }
      let (piece, moved) = try await OwnThreads.result {
        () throws(SnippetStoreError) -> (Data?, ContentCursor) in
        var cursor: ContentCursor
        if let started {
          cursor = started
        } else {
          cursor = try Self.start(subject, range, blobReaders)
        }
        let piece = try cursor.next()
        return (piece, cursor)
      }
      cursor = moved
      return piece
    }

    private var operation: String {
      switch subject {
      case .snippet(let id): "read the content of snippet \(id)"
      case .blob(let id): "read blob \(id)"
      }
    }

    private static func start(
      _ subject: Subject,
      _ range: Range<Int64>?,
      _ blobReaders: BlobReaders
    ) throws(SnippetStoreError) -> ContentCursor {
      var cursor: ContentCursor
      switch subject {
      case .snippet(let id): cursor = try ContentCursor(id, blobReaders: blobReaders)
      case .blob(let id): cursor = try ContentCursor(id, blobReaders: blobReaders)
      }
      if let range { cursor.limit(to: range) }
      return cursor
    }
  }
}
