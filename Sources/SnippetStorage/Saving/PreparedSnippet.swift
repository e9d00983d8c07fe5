package import Foundation
import SnippetBase
package import SnippetRecognition

/// A draft about which everything is known, ready to be written.
package struct PreparedSnippet: Sendable {
  /// How the content is kept.
  package enum Body: Sendable {
    /// As text beside the row.
    case text(String)
    /// As a blob; the encoding is that of a text.
    case blob(PreparedBlob, encoding: TextEncoding?)

    /// The hash of the bytes.
    package var sha256: Data {
      switch self {
      case .text(let text):
        var text = text
        var hash = ContentHash()
        text.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
        return hash.finish()
      case .blob(let blob, _):
        return blob.sha256
      }
    }
  }

  package var uuid: UUID
  package var kind: SnippetKind
  package var title: String
  package var preview: String
  package var createdAt: Date
  package var modifiedAt: Date
  /// Whether the draft said which snippet it is.
  package var isIdentified: Bool
  package var isPinned: Bool
  package var tags: [String]
  package var byteCount: Int64
  package var mediaType: String
  package var facts: MediaFacts
  package var body: Body

  /// The most bytes that a text may have to be kept as text; the schema holds the same limit.
  static let maximumTextByteCount = 65_536
}

/// Bytes with their hash.
package struct PreparedBlob: Sendable {
  package var sha256: Data
  package var source: any ByteSource

  /// Takes bytes with their hash.
  package init(sha256: Data, source: any ByteSource) {
    self.sha256 = sha256
    self.source = source
  }

  /// Calls `body` with all the bytes in order, and throws ``ContentChange`` at the end unless they
  /// are still those that the hash was taken of.
  func forEachPiece(of size: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    // Bytes in memory cannot have changed.
    if source is MemoryBytes { return try source.forEachPiece(of: size, body) }
    var hash = ContentHash()
    try source.forEachPiece(of: size) { piece in
      try body(piece)
      hash.update(piece)
    }
    guard hash.finish() == sha256 else { throw ContentChange() }
  }

  /// The same for the pieces of a reader.
  func forEachPiece(
    from reader: PieceReader,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard try reader.forEachPiece(of: source, body) == sha256 else { throw ContentChange() }
  }
}
