/// What takes up room in a store, in bytes.
package struct StorageUse: Sendable, Hashable {
  /// The bytes of images, recordings and long texts.
  package var originalByteCount: Int64
  /// What was computed from them and can be computed again.
  package var derivativeByteCount: Int64
  /// The short texts.
  package var textByteCount: Int64
  /// The search index.
  package var searchIndexByteCount: Int64
  /// The indexes of lists, duplicates and references.
  package var indexByteCount: Int64
  /// The rows of snippets and tags, the record of changes, and what the file needs for itself.
  package var rowByteCount: Int64
  /// Free for new content; ``SnippetStore/collectGarbage(onProgress:)`` gives it back.
  package var freeByteCount: Int64
  /// The log beside the file.
  package var logByteCount: Int64
  /// Whether the parts were measured, page by page, or computed where this SQLite cannot measure:
  /// then what the pages hold beside the content counts as rows.
  package var isMeasured: Bool

  /// What the snippets outside of the trash hold, by their kind.
  package var kinds: [SnippetKind: Share]
  /// What the snippets outside of the trash hold, by their tags, in the order of their names; one
  /// with several tags counts for each.
  package var tags: [TagShare]
  /// What the snippets outside of the trash hold, by the month in which they were made, UTC, in
  /// order.
  package var months: [MonthShare]
  /// What the snippets in the trash hold.
  package var trash: Share
  /// How much room it saves that equal bytes are stored once.
  package var sharedByteCount: Int64

  /// The size of the file: all parts but the log.
  package var fileByteCount: Int64 {
    originalByteCount + derivativeByteCount + textByteCount + searchIndexByteCount
      + indexByteCount + rowByteCount + freeByteCount
  }

  /// What some snippets hold; bytes that several share count for each.
  package struct Share: Sendable, Hashable {
    /// How many snippets there are.
    package var snippetCount = 0
    /// The size of their contents in bytes.
    package var byteCount: Int64 = 0

    /// Counts nothing yet.
    package init() {}
  }

  /// What the snippets with a tag hold.
  package struct TagShare: Sendable, Hashable {
    /// The tag.
    package var name: String
    /// What the snippets hold.
    package var share: Share
  }

  /// What the snippets of a month hold.
  package struct MonthShare: Sendable, Hashable {
    /// The month, such as `2026-01`.
    package var month: String
    /// What the snippets hold.
    package var share: Share
  }
}
