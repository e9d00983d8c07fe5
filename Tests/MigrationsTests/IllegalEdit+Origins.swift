extension IllegalEdit {
  static let origins = [
    IllegalEdit(
      sql: insertion(snippet: 99),
      message: "an origin needs its snippet and its folder"
    ),
    IllegalEdit(
      sql: insertion(folder: 99),
      message: "an origin needs its snippet and its folder"
    ),
    IllegalEdit(
      sql: insertion(path: "a text.md"),
      message: "the file is the origin of a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "REPLACE \(insertion(path: "a text.md").dropFirst(7))",
      message: "the file is the origin of a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "UPDATE OR REPLACE origin SET path = 'a text.md' WHERE path = 'pictures/picture.png'",
      message: "the file is the origin of a snippet already: change it by UPDATE"
    ),
    IllegalEdit(
      sql: "UPDATE origin SET snippet_id = 99",
      message: "an origin needs its snippet and its folder"
    ),
    IllegalEdit(sql: insertion(path: ""), message: below),
    IllegalEdit(sql: insertion(path: "/etc/passwd"), message: below),
    IllegalEdit(sql: insertion(path: "../up.md"), message: below),
    IllegalEdit(sql: insertion(path: "a/../../up.md"), message: below),
    IllegalEdit(sql: insertion(path: "a//b.md"), message: below),
    IllegalEdit(sql: insertion(path: "./b.md"), message: below),
    IllegalEdit(sql: insertion(path: "a/"), message: below),
    IllegalEdit(
      sql: "UPDATE origin SET sha256 = zeroblob(31)",
      message: "CHECK constraint failed: origin_sha256_has_32_bytes"
    ),
    IllegalEdit(
      sql: "UPDATE origin SET content_sha256 = zeroblob(31)",
      message: "CHECK constraint failed: origin_content_sha256_has_32_bytes"
    ),
    IllegalEdit(
      sql: "UPDATE origin SET note = '[]'",
      message: "CHECK constraint failed: origin_note_is_an_object"
    ),
    IllegalEdit(
      sql: "UPDATE origin SET tagged_folders = -1",
      message: "CHECK constraint failed: origin_tagged_folders_is_not_negative"
    ),
    IllegalEdit(
      sql: "UPDATE origin SET byte_count = -1",
      message: "CHECK constraint failed: origin_byte_count_is_not_negative"
    ),
    IllegalEdit(
      sql: "INSERT INTO origin_folder (path) VALUES ('Notes')",
      message: "CHECK constraint failed: origin_folder_path_is_absolute"
    ),
    IllegalEdit(
      sql: "INSERT OR REPLACE INTO origin_folder (path) VALUES ('/home/me/Notes')",
      message: "there is such a folder of origins already"
    ),
    IllegalEdit(
      sql: """
        INSERT INTO origin_folder (path) VALUES ('/other');
        UPDATE OR REPLACE origin_folder SET path = '/home/me/Notes' WHERE path = '/other'
        """,
      message: "there is such a folder of origins already"
    ),
    IllegalEdit(
      sql: "INSERT INTO origin_folder VALUES (1 << 40, '/far', 0)",
      message: "the id is too far ahead of the last: leave it out"
    ),
    IllegalEdit(
      sql: "UPDATE origin_folder SET imported = 2",
      message: "CHECK constraint failed: imported_is_0_or_1"
    ),
    IllegalEdit(
      sql: "UPDATE origin_folder SET id = 7",
      message: "the id of a folder of origins never changes"
    ),
    IllegalEdit(
      sql: "UPDATE deleted_file SET path = 'gone.md'",
      message: "CHECK constraint failed: deleted_file_path_is_absolute"
    ),
    IllegalEdit(
      sql: "UPDATE deleted_file SET snippet_id = 0",
      message: "CHECK constraint failed: deleted_file_had_a_snippet"
    ),
    IllegalEdit(
      sql: "UPDATE deleted_file SET sha256 = X'00'",
      message: "CHECK constraint failed: deleted_file_sha256_has_32_bytes"
    ),
  ]

  private static let below = "CHECK constraint failed: origin_path_stays_below_its_folder"

  private static func insertion(
    folder: Int = 1,
    path: String = "new.md",
    snippet: Int = 1
  ) -> String {
    "INSERT INTO origin VALUES (\(folder), '\(path)', \(snippet), 0, 1, zeroblob(32), NULL, NULL, 0)"
  }
}
