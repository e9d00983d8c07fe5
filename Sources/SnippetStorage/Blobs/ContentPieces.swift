public import Foundation
import SnippetBase

/// The bytes of a snippet in pieces, read one after the other as they are asked for.
public struct ContentPieces: AsyncSequence, Sendable {
  let id: SnippetID
  let range: Range<Int64>?
  let connections: Connections

  /// Starts at the first piece.
  ///
  /// - Returns: An iterator of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(id: id, range: range, connections: connections)
  }

  /// Reads one piece after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let id: SnippetID
    let range: Range<Int64>?
    let connections: Connections
    private var cursor: ContentCursor?

    init(id: SnippetID, range: Range<Int64>?, connections: Connections) {
      self.id = id
      self.range = range
      self.connections = connections
    }

    /// The next piece.
    ///
    /// - Returns: At most 1 MiB, or `nil` at the end.
    /// - Throws: ``SnippetStoreError``: `.notFound`; `.cancelled` when the task was.
    public mutating func next() async throws -> Data? {
      let (id, range, connections, started) = (id, range, connections, cursor)
      if Task.isCancelled {
        throw SnippetStoreError(
          CancellationError(),
          during: "read the content of snippet \(id)"
        )
      }
      let (piece, moved) = try await OwnThreads.result {
        var cursor = try started ?? Self.start(id, range, connections)
        return (try cursor.next(), cursor)
      }
      cursor = moved
      return piece
    }

    private static func start(
      _ id: SnippetID,
      _ range: Range<Int64>?,
      _ connections: Connections
    ) throws -> ContentCursor {
      var cursor = try ContentCursor(id, connections: connections)
      if let range { cursor.limit(to: range) }
      return cursor
    }
  }
}
