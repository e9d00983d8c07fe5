package import Foundation
import SnippetBase
package import SnippetRecognition

/// A draft with everything known about it, ready to be written.
package struct PreparedSnippet: Sendable {
  /// The form in which the content is stored.
  package enum Body: Sendable {
    /// Text beside the row.
    case text(String)
    /// A blob, with an encoding if it is a text.
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
  /// Whether the draft gave its own identity.
  package var isIdentified: Bool
  package var isPinned: Bool
  package var tags: [String]
  package var byteCount: Int64
  package var mediaType: String
  package var facts: MediaFacts
  package var body: Body
  /// The note of an image or voice, as ``TextRules/note(_:during:)`` returns it; empty if it has
  /// none.
  package var note = ""
  /// The keywords in the bytes that cannot be tags.
  package var unfittingKeywords: [String] = []
  /// The texts in the bytes that were not taken over, or not whole.
  package var unreadTexts: [UnreadText] = []
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
}

extension PreparedSnippet {
  /// Returns the digest of its row at insertion, with the first revision.
  ///
  /// The encoding is that of a text that is stored as a blob.
  func digest(encoding: TextEncoding?, blob: BlobID?) -> Int64 {
    var digest = SnippetDigest(
      sum: 1 + createdAt.milliseconds + modifiedAt.milliseconds + (isPinned ? 1 : 0)
    )
    withUnsafeBytes(of: uuid.uuid) { digest.add($0) }
    digest.add(Int64(kind.rawValue))
    digest.add(title)
    digest.add(preview)
    digest.add(byteCount)
    digest.add(mediaType)
    digest.add(encoding?.name)
    digest.add(facts.pixelWidth.map(Int64.init))
    digest.add(facts.pixelHeight.map(Int64.init))
    digest.add(facts.duration.map(\.milliseconds))
    digest.add(facts.sampleRate.map(Int64.init))
    digest.add(facts.channelCount.map(Int64.init))
    digest.add(facts.isIrregular ? 1 : 0)
    digest.add(blob?.rawValue)
    var body = note
    if case .text(let text) = self.body { body = text }
    return body.withUTF8 { digest.value(body: UnsafeRawBufferPointer($0)) }
  }
}
