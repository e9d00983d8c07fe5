import Foundation
import GRDB

/// A place in the content of a snippet, wherever that is kept.
struct ContentCursor: Sendable {
  private enum Location: Sendable {
    case text(Data)
    case blob(BlobID, BlobReader.Layout)
  }

  let operation: String
  /// How the bytes of a text are to be understood; `nil` for other kinds.
  let encoding: TextEncoding?
  private let connections: Connections
  private let location: Location
  private var rest: Range<Int64>

  /// How much is read at a time.
  static let pieceByteCount = 1 << 20

  /// Finds the content of a snippet.
  init(_ id: SnippetID, connections: Connections) throws(SnippetStoreError) {
    let operation = "read the content of snippet \(id)"
    let found = try connections.read(.rows, to: operation) { db in
      try Self.locate(id, in: db, during: operation)
    }
    self.operation = operation
    self.connections = connections
    location = found.location
    encoding = found.encoding
    rest = 0..<Self.byteCount(of: location)
  }

  /// Finds a blob.
  init(_ id: BlobID, connections: Connections) throws(SnippetStoreError) {
    let operation = "read blob \(id)"
    let layout = try connections.read(.rows, to: operation) { db in
      guard let layout = try BlobReader.layout(of: id, in: db) else {
        throw SnippetStoreError(
          .notFound,
          operation,
          because: "there is no such blob",
          do: "Its last snippet may have been deleted meanwhile."
        )
      }
      return layout
    }
    self.operation = operation
    self.connections = connections
    location = .blob(id, layout)
    encoding = nil
    rest = 0..<layout.byteCount
  }

  /// How many bytes there are in all.
  var byteCount: Int64 { Self.byteCount(of: location) }

  /// Leaves only the bytes in a range; what lies beyond the end is cut off.
  mutating func limit(to range: Range<Int64>) {
    rest = range.clamped(to: 0..<byteCount)
  }

  /// The next piece, or `nil` at the end.
  mutating func next() throws(SnippetStoreError) -> Data? {
    guard !rest.isEmpty else { return nil }
    let count = Int(min(Int64(Self.pieceByteCount), Int64(rest.count)))
    let piece = try read(count)
    rest = rest.lowerBound + Int64(count)..<rest.upperBound
    return piece
  }

  /// All that is left, in one piece.
  mutating func readToEnd() throws(SnippetStoreError) -> Data {
    let all = try read(rest.count)
    rest = rest.upperBound..<rest.upperBound
    return all
  }

  private func read(_ count: Int) throws(SnippetStoreError) -> Data {
    switch location {
    case .text(let data):
      return data.subdata(in: Int(rest.lowerBound)..<Int(rest.lowerBound) + count)
    case .blob(let blob, let layout):
      let range = rest.lowerBound..<rest.lowerBound + Int64(count)
      return try connections.readBlob(to: operation) { db in
        try BlobReader.bytes(of: blob, layout: layout, in: range, db)
      }
    }
  }

  private static func byteCount(of location: Location) -> Int64 {
    switch location {
    case .text(let data): Int64(data.count)
    case .blob(_, let layout): layout.byteCount
    }
  }

  private static func locate(
    _ id: SnippetID,
    in db: Database,
    during operation: String
  ) throws -> (location: Location, encoding: TextEncoding?) {
    let statement = try db.cachedStatement(
      sql: """
        SELECT kind, blob_id, text_encoding, blob.byte_count, chunk_size, CAST(body AS BLOB)
        FROM snippet
        LEFT JOIN blob ON blob.id = blob_id
        LEFT JOIN snippet_text ON snippet_text.snippet_id = snippet.id
        WHERE snippet.id = ?
        """
    )
    guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]) else {
      throw SnippetStoreError.noSuchSnippet(id, during: operation)
    }
    let isText = try row.decode(atIndex: 0) == SnippetKind.text.rawValue
    guard let blob: Int64 = row[1] else {
      guard isText else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "snippet \(id) has lost its blob")
      }
      return (.text(row[5] ?? Data()), isText ? .utf8 : nil)
    }
    guard let layout = BlobReader.Layout(byteCount: row[3], chunkSize: row[4]) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "blob \(blob) is missing or has an impossible size"
      )
    }
    let encoding = (row[2] as String?).flatMap(TextEncoding.init(name:))
    return (
      .blob(BlobID(rawValue: blob), layout),
      isText ? encoding ?? .utf8 : nil
    )
  }
}
