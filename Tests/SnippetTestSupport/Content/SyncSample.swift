/// A synchronization, as SQL that the shell or a test runs in a store.
package enum SyncSample {
  /// Makes a store take part in a synchronization: of two log files it has sent the first.
  package static let state = """
    INSERT INTO sync_state (id, repository, address, device, name, place, sealed, sent)
      VALUES (1, zeroblob(16), '/carrier', zeroblob(16), 'laptop', 'here', 2, 1);
    """

  /// Adds an entry of each snippet, and a row to each table but the state.
  package static let rows = """
    INSERT INTO sync_device (device) VALUES (zeroblob(16));
    INSERT INTO sync_row SELECT id, uuid, revision, 1, 0, '{}' FROM snippet;
    INSERT INTO sync_absent VALUES (zeroblob(16), 0, '{}');
    INSERT INTO sync_unread VALUES (zeroblob(16), 1, 1, zeroblob(32), '{}');
    INSERT INTO sync_outbox VALUES (2, X'00');
    INSERT INTO sync_blob VALUES (zeroblob(32), 1);
    """

  /// Selects the number of rows in all tables of a synchronization.
  package static let rowCount = """
    SELECT count(*) FROM (
      SELECT 1 FROM sync_state UNION ALL SELECT 1 FROM sync_device UNION ALL SELECT 1 FROM sync_row
      UNION ALL SELECT 1 FROM sync_absent UNION ALL SELECT 1 FROM sync_unread
      UNION ALL SELECT 1 FROM sync_outbox
      UNION ALL SELECT 1 FROM sync_blob
    )
    """
}
