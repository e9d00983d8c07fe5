import Foundation
import SnippetBase

extension SnippetStore {
  /// The use of a store's bytes.
  package struct StorageUse: Sendable, Hashable {
    /// The bytes of images, recordings and long texts.
    package var originalByteCount: Int64
    /// The bytes of derivatives, which can be computed again.
    package var derivativeByteCount: Int64
    /// The bytes of short texts.
    package var textByteCount: Int64
    /// The bytes of the search index.
    package var searchIndexByteCount: Int64
    /// The bytes of indexes for lists, duplicates and references.
    package var indexByteCount: Int64
    /// The bytes of rows of snippets and tags, of the record of changes, and of the file's own
    /// structure.
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

    /// The content of the snippets outside the trash, by kind.
    package var kinds: [SnippetKind: Share]
    /// The content of the snippets outside the trash, by tag, ordered by name.
    ///
    /// A snippet with several tags counts for each.
    package var tags: [TagShare]
    /// The content of the snippets outside the trash, by the month in UTC in which they were made,
    /// in ascending order.
    package var months: [MonthShare]
    /// The content of the snippets in the trash.
    package var trash: Share
    /// The bytes saved by storing equal content only once.
    package var sharedByteCount: Int64

    /// The size of the file: all parts except the log.
    package var fileByteCount: Int64 {
      originalByteCount + derivativeByteCount + textByteCount + searchIndexByteCount
        + indexByteCount + rowByteCount + freeByteCount
    }

    /// The content of some snippets; content that several share counts for each.
    package struct Share: Sendable, Hashable {
      /// The number of snippets.
      package var snippetCount = 0
      /// The size of their contents in bytes.
      package var byteCount: Int64 = 0

      /// Counts nothing yet.
      package init() {}
    }

    /// The content of the snippets with a tag.
    package struct TagShare: Sendable, Hashable {
      /// The tag.
      package var name: String
      /// The content of the snippets.
      package var share: Share
    }

    /// The content of the snippets of a month.
    package struct MonthShare: Sendable, Hashable {
      /// The month, such as `2026-01`.
      package var month: String
      /// The content of the snippets.
      package var share: Share
    }
  }

  /// Measures how the bytes of the store are used.
  ///
  /// - Returns: The use at one moment.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled before it began.
  /// - Complexity: O(*n*) in the number of rows and the size of derivatives; no blob is read.
  package func storageUse() async throws(SnippetStoreError) -> StorageUse {
    let connections = connections
    return try await connections.read(.scans, to: "tell what takes up the room") { db in
      try StorageCount(db: db).use(logByteCount: connections.logByteCount)
    }
  }
}
