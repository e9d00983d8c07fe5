import Foundation
import SnippetBase

/// A draft with everything known about it, ready to be written.
struct PreparedSnippet: Sendable {
  /// The form in which the content is stored.
  enum Body: Sendable {
    /// Text beside the row.
    case text(String)
    /// A blob, with an encoding if it is a text.
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
  /// Whether the draft gave its own identity.
  var isIdentified: Bool
  var isPinned: Bool
  var tags: [String]
  var byteCount: Int64
  var mediaType: String
  var facts: MediaFacts
  var body: Body
  /// The front matter and tags of a note in Markdown, if they were requested.
  var note: MarkdownNote?
  /// The hash of the bytes, if a file is imported.
  var fileSHA256: Data?

  /// The most bytes of a text that is stored as text; the schema has the same limit.
  static let maximumTextByteCount = 65_536
}

/// Bytes with their hash.
struct PreparedBlob: Sendable {
  var sha256: Data
  var source: any ByteSource

  /// Calls `body` with all bytes in order.
  ///
  /// Throws ``ContentChange`` at the end if they do not match the hash.
  func forEachPiece(of size: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    // Bytes in memory cannot change.
    if source is MemoryBytes { return try source.forEachPiece(of: size, body) }
    var hash = ContentHash()
    try source.forEachPiece(of: size) { piece in
      try body(piece)
      hash.update(piece)
    }
    guard hash.finish() == sha256 else { throw ContentChange() }
  }

  /// The same, with the pieces of a reader.
  func forEachPiece(
    from reader: PieceReader,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard try reader.forEachPiece(of: source, body) == sha256 else { throw ContentChange() }
  }
}
