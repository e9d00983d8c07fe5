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
      schemaDigest: "268fad56f2dcf4522dbdff1fa22760ec682fc87303aa01c36264d7c7b2e52aa2"
    ),
    Migration(
      4,
      "0004_create_tags.sql",
      PackageResources._004_create_tags_sql,
      schemaDigest: "a48b200c900d8efea1873a14d00ba69c6d6355a31a2f83267c70565142ab06ea"
    ),
    Migration(
      5,
      "0005_create_search_index.sql",
      PackageResources._005_create_search_index_sql,
      schemaDigest: "6f7b5d0cf366bbc77085f2bd065d7b1e2445217a0cbd7c38a64b42282b092967"
    ),
    Migration(
      6,
      "0006_create_derivatives.sql",
      PackageResources._006_create_derivatives_sql,
      schemaDigest: "1438fa653009b8150f17402e3a7edb5306e97fb5f31fee4edadfb23cd671a278"
    ),
    Migration(
      7,
      "0007_create_views.sql",
      PackageResources._007_create_views_sql,
      schemaDigest: "b154a155dbf2e8924c0b6acf3e22fa72f85e35bcc325f3a3a30d3e4d2f2071b6"
    ),
    Migration(
      8,
      "0008_create_origins.sql",
      PackageResources._008_create_origins_sql,
      schemaDigest: "a38d38de373cd6ba6eae5a9dad2f84d2ca3c088276481b34f6d3b975e7beae73"
    ),
    Migration(
      9,
      "0009_create_synchronization.sql",
      PackageResources._009_create_synchronization_sql,
      schemaDigest: "f815d31ee59e61d961fcf448e9ba5be6bd8e523ed7b16f17ee18e93d6e824211"
    ),
  ]

  /// The version that this build writes.
  package static let latestVersion = 9

  /// What `PRAGMA application_id` says in a store: the letters `Snip`.
  package static let applicationID: Int32 = 0x536E_6970
}
