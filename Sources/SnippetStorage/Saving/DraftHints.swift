package import Foundation
package import SnippetRecognition

/// Knowledge about a draft that its maker has, or gains while its bytes are read.
package struct DraftHints: Sendable {
  /// Facts about the content, which override those found in the bytes.
  package var facts = MediaFacts()
  /// Whether a draft without bytes is saved as an empty text; otherwise it is refused.
  package var isTextWhenEmpty = false
  /// Completes the draft once its bytes can be read, before its title and dates are chosen.
  ///
  /// It may be called on any thread, once each time the draft is prepared.
  package var complete:
    (@Sendable (_ reading: DraftReading, _ draft: inout SnippetDraft) throws -> Void)?
}

/// The bytes of a draft that is being prepared.
package struct DraftReading {
  let source: any ByteSource
  /// The encoding of a text; `nil` for other content.
  package let encoding: TextEncoding?
  /// The date of the last change of the file with the bytes; `nil` if they are not in a file.
  package let modifiedAt: Date?

  /// The beginning of a text; `nil` for other content.
  package func text(ofByteCount byteCount: Int) throws -> String? {
    guard let encoding else { return nil }
    return encoding.decodePrefix(try source.bytes(at: 0, count: byteCount))
  }
}
