/// One step of the schema's history.
package struct Migration: Sendable {
  /// The value of `PRAGMA user_version` once the step has been taken; 1 is the first.
  package let version: Int
  /// The name of the file in the `Migrations` folder.
  package let fileName: String
  /// The text of the file.
  package let sql: String
  /// The SHA-256 of the schema that this step and those before it make, in hexadecimal digits, by
  /// which a file is known to have that schema.
  package let schemaDigest: String

  init(_ version: Int, _ fileName: String, _ bytes: [UInt8], schemaDigest: String = "") {
    self.version = version
    self.fileName = fileName
    self.sql = String(decoding: bytes, as: UTF8.self)
    self.schemaDigest = schemaDigest
  }
}

/// The schema's history, in order.
///
/// A step is never edited once released; a change is a new step. Nothing has been released yet.
package enum Migrations {
  /// Every step, first to last.
  package static let all: [Migration] = [
    Migration(
      1,
      "0001_create_blobs.sql",
      PackageResources._001_create_blobs_sql,
      schemaDigest: "66cae06a4ed218645eaee9b9abc6366b49d8355902bc7d796eb531dcb3e87c69"
    ),
    Migration(
      2,
      "0002_create_changes.sql",
      PackageResources._002_create_changes_sql,
      schemaDigest: "e1e793b10163d51e89a2cf4847c759933aa589ecb688954e07784f0d31c0619d"
    ),
    Migration(
      3,
      "0003_create_snippets.sql",
      PackageResources._003_create_snippets_sql,
      schemaDigest: "5070550122dbc088dd4cd786ec494746a0e7d225bc675ed71cb178552c4f1432"
    ),
    Migration(
      4,
      "0004_create_tags.sql",
      PackageResources._004_create_tags_sql,
      schemaDigest: "d91c83d23fb13c2c2d0c55e0059a5c5f2f517e8a1b04cb74028ee29070d422c5"
    ),
    Migration(
      5,
      "0005_create_search_index.sql",
      PackageResources._005_create_search_index_sql,
      schemaDigest: "86659c229fa06e406cf7390c488c758f6d0ffaf32ffe63bdda8f54e32756afc6"
    ),
    Migration(
      6,
      "0006_create_derivatives.sql",
      PackageResources._006_create_derivatives_sql,
      schemaDigest: "7e927d5ae0032f4aa49e2c29abb82d9964b805352850b18a23aa71590aadfd43"
    ),
    Migration(
      7,
      "0007_create_views.sql",
      PackageResources._007_create_views_sql,
      schemaDigest: "8fe043a8f47ea92480099843ebb2c492d9b2f13e04efa704e1683c76e07b7bee"
    ),
  ]

  /// The version that this build writes.
  package static let latestVersion = 7

  /// What `PRAGMA application_id` says in a store: the letters `Snip`.
  package static let applicationID: Int32 = 0x536E_6970
}
