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
      schemaDigest: "5d09c5123144100d95af7186b95073460e7928d66aa9225dfcf0fbbd86c5802a"
    ),
    Migration(
      3,
      "0003_create_snippets.sql",
      PackageResources._003_create_snippets_sql,
      schemaDigest: "f6af0c8525c55a7929090acc21eefcd01c65e853661d1977f1935069f017ea55"
    ),
    Migration(
      4,
      "0004_create_tags.sql",
      PackageResources._004_create_tags_sql,
      schemaDigest: "eb8d924324cf318f13668b3ae8f88bd5f7861c95a75e80952686e4aa74f9e6e5"
    ),
    Migration(
      5,
      "0005_create_search_index.sql",
      PackageResources._005_create_search_index_sql,
      schemaDigest: "8ce50bc2645757414fa769c67592effd1fdc9e31cd4127ee65372781255d1803"
    ),
    Migration(
      6,
      "0006_create_derivatives.sql",
      PackageResources._006_create_derivatives_sql,
      schemaDigest: "594e6dea8f02d6a567e10f677d19d600e6146136f897eccfca721dde17a757d3"
    ),
    Migration(
      7,
      "0007_create_views.sql",
      PackageResources._007_create_views_sql,
      schemaDigest: "2cf28ec51c51f9b892c56b0d7b9eda4bc32bddba37001e1441c72f85ce747bd8"
    ),
    Migration(
      8,
      "0008_create_origins.sql",
      PackageResources._008_create_origins_sql,
      schemaDigest: "b2dfc609593bf5d507d792b5a3e9f37d4f52d269259e18871fdd7fde9bcfe9af"
    ),
    Migration(
      9,
      "0009_create_synchronization.sql",
      PackageResources._009_create_synchronization_sql,
      schemaDigest: "c8beb787d72d43dc94f3bfacef48e1941e2cde60de3ade8ed830e21484044d6b"
    ),
  ]

  /// The version that this build writes.
  package static let latestVersion = 9

  /// What `PRAGMA application_id` says in a store: the letters `Snip`.
  package static let applicationID: Int32 = 0x536E_6970
}
