package import Foundation
package import SnippetRecognition

extension StoreSeam {
  /// Saves drafts, many in each transaction, and reports each with the tag that came with it.
  ///
  /// - Parameters:
  ///   - drafts: What to save, taken one by one.
  ///   - check: Throws once the work is cancelled.
  ///   - save: Saves one in a transaction. It is called again for the same draft where another one
  ///     of the batch cannot be saved.
  ///   - report: Gets the outcome of each once that is durable.
  ///   - afterBatch: Follows each batch.
  /// - Throws: ``SnippetStoreError`` when the store can take no more; what was reported stays.
  package func save<Tag, Outcome>(
    _ drafts: some Sequence<(tag: Tag, draft: SnippetDraft)>,
    check: @escaping () throws -> Void,
    with save: @escaping (Tag, PreparedSnippet, SnippetWriter) throws -> Outcome,
    report: @escaping (Tag, Result<Outcome, SnippetStoreError>) -> Void,
    afterBatch: @escaping () throws -> Void = {}
  ) throws(SnippetStoreError) {
    try store.saveBatches(drafts, check, save, report: report, afterBatch: afterBatch)
  }

  /// Prepares a draft, which reads and hashes its bytes.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - now: The date of a snippet that has none.
  ///   - operation: What an error says could not be done.
  ///   - check: Throws once the work is cancelled.
  /// - Returns: The snippet, ready to be written.
  /// - Throws: ``SnippetStoreError``.
  package static func prepare(
    _ draft: SnippetDraft,
    now: Date,
    operation: String,
    check: @escaping () throws -> Void
  ) throws(SnippetStoreError) -> PreparedSnippet {
    try DraftPreparation(now: now, operation: operation, check: check).prepare(draft)
  }

  /// Brings snippets back from the trash.
  ///
  /// - Returns: Those that were there.
  package func bringBack(_ ids: [SnippetID]) throws(SnippetStoreError) -> [SnippetID] {
    try store.blockingUndelete(ids)
  }

  /// Brings the search index up to date.
  package func updateSearchIndex(check: () throws -> Void) throws {
    try store.blockingUpdateSearchIndex(check: check)
  }
}

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

extension SnippetContent {
  /// Bytes that can be read at any place.
  package static func bytes(of source: any ByteSource) -> SnippetContent {
    SnippetContent(source: .collected(source))
  }
}
