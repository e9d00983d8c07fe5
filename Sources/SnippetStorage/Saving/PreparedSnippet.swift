import Foundation
import SnippetBase

/// A draft about which everything is known, ready to be written.
struct PreparedSnippet: Sendable {
  /// How the content is kept.
  enum Body: Sendable {
    /// As text beside the row.
    case text(String)
    /// As a blob; the encoding is that of a text.
    case blob(PreparedBlob, encoding: TextEncoding?)

    /// The hash of the bytes.
    var sha256: Data {
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

  var uuid: UUID
  var kind: SnippetKind
  var title: String
  var preview: String
  var createdAt: Date
  var modifiedAt: Date
  /// Whether the draft said which snippet it is.
  var isIdentified: Bool
  var isPinned: Bool
  var tags: [String]
  var byteCount: Int64
  var mediaType: String
  var facts: MediaFacts
  var body: Body
  /// What a note in Markdown says of itself, where that was asked for.
  var note: MarkdownNote?
  /// The hash of the bytes, where a file is imported.
  var fileSHA256: Data?

  /// The most bytes that a text may have to be kept as text; the schema holds the same limit.
  static let maximumTextByteCount = 65_536
}

/// Bytes with their hash.
struct PreparedBlob: Sendable {
  var sha256: Data
  var source: any ByteSource

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
