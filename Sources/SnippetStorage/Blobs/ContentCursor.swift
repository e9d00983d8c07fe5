package import Foundation
import GRDB
import SnippetBase

/// A position in the content of a snippet, wherever that is stored.
///
/// The whole content of a snippet is checked against its hash while it is read. Parts and blobs are
/// not, unless requested: a part has no hash, and a blob is read for the screen again and again.
package struct ContentCursor: Sendable {
  private enum Location: Sendable {
    case text(Data)
    case blob(BlobID)
  }

  private typealias Found = (
    location: Location, encoding: TextEncoding?, byteCount: Int64, check: BlobHashCheck?
  )

  /// The thing to read.
  enum Subject: Sendable {
    case snippet(SnippetID)
    case blob(BlobID)

    /// The operation, as an error names it.
    var operation: String {
      switch self {
      case .snippet(let id): "read the content of snippet \(id)"
      case .blob(let id): "read blob \(id)"
      }
    }
  }

  /// The encoding of a text; `nil` for other kinds.
  package let encoding: TextEncoding?
  /// The number of bytes in all.
  package let byteCount: Int64
  private let subject: Subject
  private let blobReaders: BlobReaders
  private let location: Location
  private var rest: Range<Int64>
  /// Compares the bytes with their hash; `nil` if they are not checked.
  private var check: BlobHashCheck?

  /// The number of bytes to read at a time.
  package static let pieceByteCount = 1 << 20

  /// Finds a snippet or a blob, to read a range as far as it lies within, or everything.
  ///
  /// A whole blob is checked against its hash only if that is requested.
  init(
    _ subject: Subject,
    in range: Range<Int64>? = nil,
    checkingBlob checksBlob: Bool = false,
    blobReaders: BlobReaders
  ) throws(SnippetStoreError) {
    self.subject = subject
    self.blobReaders = blobReaders
    switch subject {
    case .snippet(let id):
      let found = try SnippetStoreError.converting(during: subject.operation) {
        try blobReaders.call {
          try blobReaders.withConnection { try Self.locate(id, isWhole: range == nil, on: $0) }
        }
      }
      guard let found else { throw .noSuchSnippet(id, during: subject.operation) }
      (location, encoding, byteCount, check) = found
    case .blob(let id):
      (location, encoding) = (.blob(id), nil)
      let isChecked = checksBlob && range == nil
      (byteCount, check) = try SnippetStoreError.converting(during: subject.operation) {
        try blobReaders.call {
          try blobReaders.withConnection { connection in
            (
              try connection.withLayout(of: id) { $0.byteCount },
              isChecked ? BlobHashCheck(of: id, sha256: try connection.sha256(of: id)) : nil
            )
          }
        }
      }
    }
    rest = range?.clamped(to: 0..<byteCount) ?? 0..<byteCount
  }

  /// The operation, as an error names it.
  var operation: String { subject.operation }

  /// The hash that the bytes are checked against; `nil` if they are not checked.
  package var sha256: Data? { check?.sha256 }

  /// Reads the next piece; `nil` at the end.
  ///
  /// The hash can only be compared at the last piece, which is not returned if they differ.
  package mutating func next(
    ofByteCount byteCount: Int = pieceByteCount
  ) throws(SnippetStoreError) -> Data? {
    guard !rest.isEmpty else { return nil }
    let end = min(rest.lowerBound + Int64(byteCount), rest.upperBound)
    return try take(to: end)
  }

  /// Reads the rest in one piece.
  package mutating func readToEnd() throws(SnippetStoreError) -> Data {
    try take(to: rest.upperBound)
  }

  private mutating func take(to end: Int64) throws(SnippetStoreError) -> Data {
    let piece = try read(rest.lowerBound..<end)
    do {
      try check?.take(piece, isLast: end == rest.upperBound)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    rest = end..<rest.upperBound
    return piece
  }

  private func read(_ range: Range<Int64>) throws(SnippetStoreError) -> Data {
    switch location {
    case .text(let data):
      return data.subdata(in: Int(range.lowerBound)..<Int(range.upperBound))
    case .blob(let blob):
      return try SnippetStoreError.converting(during: operation) {
        try blobReaders.data(of: blob, in: range)
      }
    }
  }

  /// Reads the note of an image or voice; empty if there is none, or for a text.
  static func note(
    of id: SnippetID,
    blobReaders: BlobReaders
  ) throws(SnippetStoreError) -> String {
    let operation = "read the note of snippet \(id)"
    let note: String? = try SnippetStoreError.converting(during: operation) {
      try blobReaders.call {
        try blobReaders.withConnection { connection in
          var statement = try connection.statement(for: .content)
          try statement.bind(id.rawValue)
          guard let row = try statement.next() else { return nil }
          typealias Column = SnippetDigest.Column
          guard try row.number(Column.kind) != Int64(SnippetKind.text.rawValue),
            !row.isNull(Column.body)
          else { return "" }
          if try SnippetDigest.isRight(row) == false {
            throw DatabaseError.damage("the note of snippet \(id) does not match its digest")
          }
          return try row.text(Column.body)
        }
      }
    }
    guard let note else { throw .noSuchSnippet(id, during: operation) }
    return note
  }

  private static func locate(
    _ id: SnippetID,
    isWhole: Bool,
    on connection: any BlobConnection
  ) throws -> Found? {
    var statement = try connection.statement(for: .content)
    try statement.bind(id.rawValue)
    guard let row = try statement.next() else { return nil }
    typealias Column = SnippetDigest.Column
    let isText = try row.number(Column.kind) == Int64(SnippetKind.text.rawValue)
    guard let number = try row.optionalNumber(Column.blob) else {
      guard isText else {
        throw DatabaseError.damage("snippet \(id) has lost its blob")
      }
      if isWhole, try SnippetDigest.isRight(row) == false {
        throw DatabaseError.damage("the text of snippet \(id) does not match its digest")
      }
      let body =
        try row.isNull(Column.body) ? Data() : row.withText(Column.body) { Data($0) }
      return (.text(body), .utf8, Int64(body.count), nil)
    }
    let blob = BlobID(rawValue: number)
    let encoding = try row.optionalText(Column.encoding).flatMap(TextEncoding.init(name:))
    do {
      let byteCount = try connection.withLayout(of: blob) { $0.byteCount }
      let check =
        isWhole ? BlobHashCheck(of: blob, sha256: try connection.sha256(of: blob)) : nil
      return (.blob(blob), isText ? encoding ?? .utf8 : nil, byteCount, check)
    } catch is BlobDeletion {
      // In the same snapshot it cannot have been deleted, so this is damage.
      throw DatabaseError.damage("blob \(blob) of snippet \(id) is missing")
    }
  }
}

/// Compares the bytes of a whole blob, piece by piece, with the hash they were saved with.
struct BlobHashCheck: Sendable {
  /// The expected hash.
  let sha256: Data
  private let blob: BlobID
  private var hash = ContentHash()

  /// Begins before the first byte.
  init(of blob: BlobID, sha256: Data) {
    self.blob = blob
    self.sha256 = sha256
  }

  /// Adds the next bytes; the last complete the comparison, and throw an error of damage if it
  /// fails.
  mutating func take(_ piece: Data, isLast: Bool) throws {
    piece.withUnsafeBytes { hash.update($0) }
    guard isLast, hash.finish() != sha256 else { return }
    throw DatabaseError.damage("the bytes of blob \(blob) do not match its hash")
  }
}
