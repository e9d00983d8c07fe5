/// The room that the parts of a store take up, in bytes.
package struct StorageUse: Sendable, Hashable {
  /// The bytes of images, recordings and long texts.
  package var originalByteCount: Int64
  /// The bytes of derivatives.
  package var derivativeByteCount: Int64
  /// The bytes of short texts.
  package var textByteCount: Int64
  /// The bytes of the search index.
  package var searchIndexByteCount: Int64
  /// The bytes of indexes for lists, duplicates and references.
  package var indexByteCount: Int64
  /// The bytes of rows of snippets and tags, of the record of changes, of a synchronization, and of
  /// the file's own structure.
  package var rowByteCount: Int64
  /// The free bytes; ``SnippetStore/collectGarbage(onProgress:)`` returns them to the file
  /// system.
  package var freeByteCount: Int64
  /// The length of the log beside the file.
  package var logByteCount: Int64
  /// Whether the parts were measured page by page.
  ///
  /// If this SQLite cannot measure, they were computed, and the overhead of pages counts as rows.
  package var isMeasured: Bool

  /// The shares of the kinds, without the trash.
  package var kinds: [SnippetKind: Share]
  /// The shares of the tags, without the trash, in the order of their names; a snippet
  /// with several tags counts for each.
  package var tags: [TagShare]
  /// The shares of the months in which snippets were made (UTC), without the trash, in
  /// order.
  package var months: [MonthShare]
  /// The share of the trash.
  package var trash: Share
  /// The bytes saved by storing equal content once.
  package var sharedByteCount: Int64

  /// The size of the file: all parts except the log.
  package var fileByteCount: Int64 {
    originalByteCount + derivativeByteCount + textByteCount + searchIndexByteCount
      + indexByteCount + rowByteCount + freeByteCount
  }

  /// The number and size of some snippets; bytes that several share count for each.
  package struct Share: Sendable, Hashable {
    /// The number of snippets.
    package var snippetCount = 0
    /// The size of their contents in bytes.
    package var byteCount: Int64 = 0

    /// Makes an empty share.
    package init() {}
  }

  /// The share of the snippets with a tag.
  package struct TagShare: Sendable, Hashable {
    /// The tag.
    package var name: String
    /// Their number and size.
    package var share: Share
  }

  /// The share of the snippets of a month.
  package struct MonthShare: Sendable, Hashable {
    /// The month, such as `2026-01`.
    package var month: String
    /// Their number and size.
    package var share: Share
  }
}
