package import Foundation
package import SnippetRecognition

extension StoreSeam {
  /// Saves drafts, many in each transaction, and reports each with its tag.
  ///
  /// - Parameters:
  ///   - drafts: The drafts, taken one by one.
  ///   - check: Throws once the work is cancelled.
  ///   - save: Saves one draft in a transaction. It is called again for the same draft if another
  ///     one of the batch cannot be saved.
  ///   - report: Receives the outcome of each draft once it is durable.
  ///   - afterBatch: Called after each batch.
  /// - Throws: ``SnippetStoreError`` if the store cannot continue; the reported drafts stay saved.
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
  ///   - operation: The operation, for errors.
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
  /// - Returns: The snippets that were in the trash.
  package func bringBack(_ ids: [SnippetID]) throws(SnippetStoreError) -> [SnippetID] {
    try store.blockingUndelete(ids)
  }

  /// Brings the search index up to date.
  package func updateSearchIndex(check: () throws -> Void) throws {
    try store.blockingUpdateSearchIndex(check: check)
  }
}

extension SnippetContent {
  /// Makes content from bytes that can be read at any position.
  package static func bytes(of source: any ByteSource) -> SnippetContent {
    SnippetContent(source: .collected(source))
  }
}
