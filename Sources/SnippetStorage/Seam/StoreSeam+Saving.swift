package import Foundation
package import GRDB
package import SnippetRecognition

extension StoreSeam {
  /// Saves drafts, many in each transaction, and reports each with its tag once it is durable.
  ///
  /// `save` saves one draft in a transaction. It is called again for the same draft if another one
  /// of the batch cannot be saved. Throws if the store cannot continue or `check` throws; the
  /// reported drafts stay saved.
  package func save<Tag, Outcome>(
    _ drafts: some Sequence<(tag: Tag, draft: SnippetDraft)>,
    check: @escaping () throws -> Void,
    with save: @escaping (Tag, PreparedSnippet, SnippetWriter) throws -> Outcome,
    report: @escaping (Tag, Result<Outcome, SnippetStoreError>) -> Void,
    afterBatch: @escaping () throws -> Void = {}
  ) throws(SnippetStoreError) {
    try store.saveBatches(drafts, check, save, report: report, afterBatch: afterBatch)
  }

  /// Does with drafts what ``save(_:check:with:report:afterBatch:)`` would do, in a transaction
  /// that the caller rolls back.
  ///
  /// Each is reported at once. Bytes are read and hashed, and kept nowhere.
  package func rehearse<Tag, Outcome>(
    _ drafts: some Sequence<(tag: Tag, draft: SnippetDraft)>,
    in db: Database,
    check: @escaping () throws -> Void,
    with save: (Tag, PreparedSnippet, SnippetWriter) throws -> Outcome,
    report: (Tag, Result<Outcome, SnippetStoreError>) -> Void
  ) throws {
    try BatchSave.rehearse(
      drafts,
      now: store.configuration.now,
      in: db,
      check: check,
      with: save,
      report: report
    )
  }

  /// Prepares a draft, which reads and hashes its bytes; `now` is the date of a snippet without
  /// one.
  package static func prepare(
    _ draft: SnippetDraft,
    now: Date,
    operation: String,
    check: @escaping () throws -> Void
  ) throws(SnippetStoreError) -> PreparedSnippet {
    try DraftPreparation(now: now, operation: operation, check: check).prepare(draft)
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
