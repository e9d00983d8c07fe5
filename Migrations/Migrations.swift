/// One step of the schema's history.
package struct Migration: Sendable {
  /// The value of `PRAGMA user_version` once the step has been taken; 1 is the first.
  package let version: Int
  /// The name of the file in the `Migrations` folder.
  package let fileName: String
  /// The text of the file.
  package let sql: String

  init(_ version: Int, _ fileName: String, _ bytes: [UInt8]) {
    self.version = version
    self.fileName = fileName
    self.sql = String(decoding: bytes, as: UTF8.self)
  }
}

/// The schema's history, in order.
///
/// A step is never edited once released; a change is a new step. Nothing has been released yet.
package enum Migrations {
  /// Every step, first to last.
  package static let all: [Migration] = [
    Migration(1, "0001_create_blobs.sql", PackageResources._001_create_blobs_sql),
    Migration(2, "0002_create_changes.sql", PackageResources._002_create_changes_sql),
    Migration(3, "0003_create_snippets.sql", PackageResources._003_create_snippets_sql),
    Migration(4, "0004_create_tags.sql", PackageResources._004_create_tags_sql),
    Migration(5, "0005_create_search_index.sql", PackageResources._005_create_search_index_sql),
    Migration(6, "0006_create_derivatives.sql", PackageResources._006_create_derivatives_sql),
    Migration(7, "0007_create_views.sql", PackageResources._007_create_views_sql),
  ]

  /// The version that this build writes.
  package static let latestVersion = 7

  /// What `PRAGMA application_id` says in a store: the letters `Snip`.
  package static let applicationID: Int32 = 0x536E_6970
}
