extension IllegalEdit {
  static let synchronization =
    states + devices + entries + logFiles + emptyValues + [
      refusal("UPDATE sync_blob SET sha256 = zeroblob(31)", by: "sync_blob_sha256_has_32_bytes"),
      refusal("UPDATE sync_blob SET generation = 0", by: "generation_is_positive"),
      IllegalEdit(
        sql: "INSERT INTO sync_blob VALUES (zeroblob(32), 2)",
        message: "UNIQUE constraint failed: sync_blob.sha256"
      ),
    ]

  private static let states = [
    refusal(
      """
      INSERT INTO sync_state (id, repository, address, device, name, place)
      VALUES (2, zeroblob(16), '/carrier', zeroblob(16), '', '')
      """,
      by: "there_is_one_sync_state"
    ),
    IllegalEdit(
      sql: """
        INSERT INTO sync_state (repository, address, device, name, place)
        VALUES (zeroblob(16), '/carrier', zeroblob(16), '', '')
        """,
      message: "CHECK constraint failed: there_is_one_sync_state"
    ),
    IllegalEdit(
      sql: "INSERT INTO sync_state SELECT * FROM sync_state",
      message: "UNIQUE constraint failed: sync_state.id"
    ),
    refusal("UPDATE sync_state SET repository = X'00'", by: "repository_has_16_bytes"),
    refusal("UPDATE sync_state SET address = ''", by: "address_is_not_empty"),
    refusal("UPDATE sync_state SET address = 'a' || char(0)", by: "address_is_not_empty"),
    refusal("UPDATE sync_state SET device = zeroblob(17)", by: "device_has_16_bytes"),
    refusal("UPDATE sync_state SET name = printf('%0101d', 1)", by: deviceName),
    refusal("UPDATE sync_state SET name = 'a' || char(10) || 'b'", by: deviceName),
    refusal("UPDATE sync_state SET name = 'a' || char(0) || 'b'", by: deviceName),
    refusal("UPDATE sync_state SET change_number = -2", by: "change_number_is_at_least_minus_1"),
    refusal("UPDATE sync_state SET sealed = -1", by: "sealed_is_not_negative"),
    refusal("UPDATE sync_state SET sent = sealed + 1", by: "sent_is_at_most_sealed"),
    refusal("UPDATE sync_state SET sent = -1", by: "sent_is_at_most_sealed"),
    refusal("UPDATE sync_state SET sealed = 0", by: "sent_is_at_most_sealed"),
    IllegalEdit(
      sql: "UPDATE sync_state SET synced_at = 'today'",
      message: "cannot store TEXT value in INTEGER column sync_state.synced_at"
    ),
  ]

  private static let devices = [
    refusal("UPDATE sync_device SET id = 0 WHERE id = 1", by: "sync_device_id_is_positive"),
    refusal("UPDATE sync_device SET id = 1 << 53 WHERE id = 1", by: "sync_device_id_is_positive"),
    refusal("UPDATE sync_device SET device = X'' WHERE id = 1", by: "sync_device_has_16_bytes"),
    refusal("UPDATE sync_device SET applied = -1", by: "applied_is_not_negative"),
    refusal("UPDATE sync_device SET knows = -1", by: "knows_is_not_negative"),
    IllegalEdit(
      sql: "INSERT INTO sync_device (device) SELECT device FROM sync_device",
      message: "UNIQUE constraint failed: sync_device.device"
    ),
  ]

  private static let entries = [
    refusal("UPDATE sync_row SET snippet_id = 0", by: "sync_row_snippet_id_is_positive"),
    refusal("UPDATE sync_row SET snippet_id = 1 << 53", by: "sync_row_snippet_id_is_positive"),
    refusal("UPDATE sync_row SET uuid = zeroblob(15)", by: "sync_row_uuid_has_16_bytes"),
    refusal("UPDATE sync_row SET published = 2", by: "published_is_0_or_1"),
    refusal("UPDATE sync_row SET pending = -1", by: "pending_is_0_or_1"),
    refusal("UPDATE sync_row SET entry = '[]'", by: "sync_row_entry_is_an_object"),
    IllegalEdit(
      sql: "INSERT INTO sync_row VALUES (1, zeroblob(16), 1, 0, 0, '{}')",
      message: "UNIQUE constraint failed: sync_row.snippet_id"
    ),
    refusal("UPDATE sync_absent SET uuid = zeroblob(17)", by: "sync_absent_uuid_has_16_bytes"),
    refusal("UPDATE sync_absent SET pending = 2", by: "absent_pending_is_0_or_1"),
    refusal("UPDATE sync_absent SET entry = '{'", by: "sync_absent_entry_is_an_object"),
    IllegalEdit(
      sql: "INSERT INTO sync_absent SELECT * FROM sync_absent",
      message: "UNIQUE constraint failed: sync_absent.uuid"
    ),
    refusal("UPDATE sync_unread SET uuid = zeroblob(1)", by: "sync_unread_uuid_has_16_bytes"),
    refusal("UPDATE sync_unread SET device = 0", by: "sync_unread_device_is_positive"),
    refusal("UPDATE sync_unread SET version = -1", by: "sync_unread_version_is_not_negative"),
    refusal(
      "UPDATE sync_unread SET devices = zeroblob(17)",
      by: "sync_unread_devices_have_16_bytes"
    ),
    refusal("UPDATE sync_unread SET entry = '1'", by: "sync_unread_entry_is_an_object"),
    IllegalEdit(
      sql: "INSERT INTO sync_unread SELECT * FROM sync_unread",
      message: "UNIQUE constraint failed: sync_unread.uuid, sync_unread.device"
    ),
  ]

  private static let logFiles = [
    refusal("UPDATE sync_outbox SET number = 0", by: "outbox_number_is_positive"),
    IllegalEdit(
      sql: "INSERT INTO sync_outbox VALUES (2, X'00')",
      message: "UNIQUE constraint failed: sync_outbox.number"
    ),
    IllegalEdit(
      sql: "UPDATE sync_outbox SET file = 'a text'",
      message: "cannot store TEXT value in BLOB column sync_outbox.file"
    ),
  ]

  /// Every column that must have a value, without one.
  private static let emptyValues = [
    ("sync_state", "repository address device name place change_number sealed sent"),
    ("sync_device", "device name applied knows head"),
    ("sync_row", "uuid revision published pending entry"),
    ("sync_absent", "uuid pending entry"),
    ("sync_unread", "uuid device version devices entry"),
    ("sync_outbox", "file"),
    ("sync_blob", "sha256 generation"),
  ].flatMap { table, columns in
    columns.split(separator: " ").map { column in
      IllegalEdit(
        sql: "UPDATE \(table) SET \(column) = NULL",
        message: "NOT NULL constraint failed: \(table).\(column)"
      )
    }
  }

  private static let deviceName = "device_name_is_one_short_line"

  private static func refusal(_ sql: String, by check: String) -> IllegalEdit {
    IllegalEdit(sql: sql, message: "CHECK constraint failed: \(check)")
  }
}
