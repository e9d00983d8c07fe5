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

extension SnippetContent {
  /// Bytes that can be read at any place.
  package static func bytes(of source: any ByteSource) -> SnippetContent {
    SnippetContent(source: .collected(source))
  }
}
