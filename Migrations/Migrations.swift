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
/// A step is never edited once released; a change is a new step.
package enum Migrations {
  /// Every step, first to last.
  package static let all: [Migration] = [
    Migration(1, "0001_create_snippets.sql", PackageResources._001_create_snippets_sql),
    Migration(2, "0002_create_tags.sql", PackageResources._002_create_tags_sql),
    Migration(3, "0003_create_views.sql", PackageResources._003_create_views_sql),
    Migration(4, "0004_create_change_record.sql", PackageResources._004_create_change_record_sql),
    Migration(5, "0005_create_search_index.sql", PackageResources._005_create_search_index_sql),
    Migration(
      6,
      "0006_add_trash_and_derivatives.sql",
      PackageResources._006_add_trash_and_derivatives_sql
    ),
    Migration(7, "0007_create_recordings.sql", PackageResources._007_create_recordings_sql),
    Migration(8, "0008_add_sound_facts.sql", PackageResources._008_add_sound_facts_sql),
    Migration(9, "0009_add_staged_blobs.sql", PackageResources._009_add_staged_blobs_sql),
  ]

  /// The version that this build writes.
  package static let latestVersion = 9

  /// What `PRAGMA application_id` says in a store: the letters `Snip`.
  package static let applicationID: Int32 = 0x536E_6970
}
