package import Foundation
package import SnippetRecognition

/// What the maker of a draft knows, or learns while its bytes are read.
package struct DraftHints: Sendable {
  /// Facts about the content; they go before those that the bytes tell.
  package var facts = MediaFacts()
  /// Whether a draft without any byte is an empty text; else it is refused.
  package var isTextWhenEmpty = false
  /// Completes the draft once its bytes can be read, before its title and dates are decided.
  ///
  /// It may be called on any thread, once for each time that the draft is prepared.
  package var complete:
    (@Sendable (_ reading: DraftReading, _ draft: inout SnippetDraft) throws -> Void)?
}

/// The bytes of a draft that is being prepared.
package struct DraftReading {
  let source: any ByteSource
  /// The encoding of a text; `nil` for other content.
  package let encoding: TextEncoding?
  /// When the file with the bytes was last changed; `nil` where they are in none.
  package let modifiedAt: Date?

  /// The beginning of a text; `nil` for other content.
  package func text(ofByteCount byteCount: Int) throws -> String? {
    guard let encoding else { return nil }
    return encoding.decodePrefix(try source.bytes(at: 0, count: byteCount))
  }
}
