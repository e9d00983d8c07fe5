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
      schemaDigest: "9740f9631e569a63b0bd395e407f33c26ebaf6fb9d7424715492b5b1e650d78c"
    ),
    Migration(
      4,
      "0004_create_tags.sql",
      PackageResources._004_create_tags_sql,
      schemaDigest: "48fb7474a446014abdd589178432da3445b1f99cb2d5daec05959c02d0a2d76b"
    ),
    Migration(
      5,
      "0005_create_search_index.sql",
      PackageResources._005_create_search_index_sql,
      schemaDigest: "0443f5c004ccad1fe720b3e67957fe739c492f127e68092bf813ef5c79824225"
    ),
    Migration(
      6,
      "0006_create_derivatives.sql",
      PackageResources._006_create_derivatives_sql,
      schemaDigest: "02eaec2d6d1889ee75a0390557c00e40f4d33de5ee18fff10f0554fc9f819d30"
    ),
    Migration(
      7,
      "0007_create_views.sql",
      PackageResources._007_create_views_sql,
      schemaDigest: "78ccfda5b2b7534d62606ee1a9b2bd710befb74a26476b3f93221aed53bc8cf9"
    ),
    Migration(
      8,
      "0008_create_origins.sql",
      PackageResources._008_create_origins_sql,
      schemaDigest: "92596101633e59b4876a84af5740364a3a169902b55ec2c2cae67ca4584252c3"
    ),
  ]

  /// The version that this build writes.
  package static let latestVersion = 8

  /// What `PRAGMA application_id` says in a store: the letters `Snip`.
  package static let applicationID: Int32 = 0x536E_6970
}
