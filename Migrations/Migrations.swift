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
      schemaDigest: "d3daee967476c7afcafd827b41acccc6c241dcdf8f028df457a4e18bad134f47"
    ),
    Migration(
      4,
      "0004_create_tags.sql",
      PackageResources._004_create_tags_sql,
      schemaDigest: "77e4b2eb561a1bab05ff478f7262e87281a9115e1d321c57178dfcf3d9a1130c"
    ),
    Migration(
      5,
      "0005_create_search_index.sql",
      PackageResources._005_create_search_index_sql,
      schemaDigest: "6a1170c238ff55bdd6384f1aaad9ab0e719c640767adaadd4df0ae53a8662d9e"
    ),
    Migration(
      6,
      "0006_create_derivatives.sql",
      PackageResources._006_create_derivatives_sql,
      schemaDigest: "6d3f1324efc315d72926c3d6a0e70f2d8d830220e79180675bf16903f7ba4cf5"
    ),
    Migration(
      7,
      "0007_create_views.sql",
      PackageResources._007_create_views_sql,
      schemaDigest: "0f885aa354fb18fce364409bf55c527fd89e2cbe0dbe197319dc79969650b1cb"
    ),
    Migration(
      8,
      "0008_create_origins.sql",
      PackageResources._008_create_origins_sql,
      schemaDigest: "db60eb67afd12b20ac1e300edc9d92d93f3a181149105634851aa3c3b08cfe58"
    ),
    Migration(
      9,
      "0009_create_synchronization.sql",
      PackageResources._009_create_synchronization_sql,
      schemaDigest: "681270e654fd511dfdb0616c4565e5fa8175c0efdece644038c86962893c19f1"
    ),
  ]

  /// The version that this build writes.
  package static let latestVersion = 9

  /// What `PRAGMA application_id` says in a store: the letters `Snip`.
  package static let applicationID: Int32 = 0x536E_6970
}
