extension LegalEdit {
  static let synchronization = [
    LegalEdit(
      rule: "a store joins a repository with nothing done",
      sql: """
        DELETE FROM sync_state; DELETE FROM sync_outbox;
        INSERT INTO sync_state (id, repository, address, device, name, place)
          VALUES (1, zeroblob(16), 's3://notes/me', zeroblob(16), '', 'here');
        INSERT INTO sync_device (device) VALUES (zeroblob(16))
        """,
      question: """
        SELECT change_number, sealed, sent, synced_at FROM sync_state;
        SELECT id, name, applied, knows, head, wrote_at FROM sync_device WHERE id > 2
        """,
      answer: "-1|0|0|\n3||0|0||\n"
    ),
    LegalEdit(
      rule: "the state of a synchronization goes to its limits",
      sql: """
        UPDATE sync_state SET name = printf('%0100d', 1), place = '', change_number = -1, sent = 0;
        UPDATE sync_device SET id = 9007199254740991, applied = 0, knows = 0 WHERE id = 2;
        UPDATE sync_row SET snippet_id = 9007199254740991, revision = 0 WHERE snippet_id = 2;
        UPDATE sync_outbox SET number = 1; UPDATE sync_state SET sealed = 1
        """,
      question: """
        SELECT change_number, sealed, sent FROM sync_state; SELECT max(id) FROM sync_device;
        SELECT max(snippet_id) FROM sync_row; SELECT number FROM sync_outbox
        """,
      answer: "-1|1|0\n9007199254740991\n9007199254740991\n1\n"
    ),
    LegalEdit(
      rule: "a log file is sealed and sent",
      sql: """
        UPDATE sync_state SET sealed = 3; INSERT INTO sync_outbox VALUES (3, X'00');
        UPDATE sync_row SET published = 1, pending = 0; UPDATE sync_absent SET pending = 0;
        UPDATE sync_state SET sent = 3, synced_at = NULL;
        DELETE FROM sync_outbox WHERE number <= 2
        """,
      question: """
        SELECT number FROM sync_outbox;
        SELECT count(*) FROM sync_row WHERE pending = 1; SELECT pending FROM sync_absent
        """,
      answer: "3\n0\n0\n"
    ),
    LegalEdit(
      rule: "an entry and a blob may be replaced",
      sql: """
        REPLACE INTO sync_row VALUES (1, zeroblob(16), 4, 1, 1, '{"n":1}');
        REPLACE INTO sync_blob VALUES (zeroblob(32), 2);
        INSERT INTO sync_blob VALUES (randomblob(32), 1)
        """,
      question: """
        SELECT entry FROM sync_row WHERE snippet_id = 1;
        SELECT generation FROM sync_blob ORDER BY 1
        """,
      answer: "{\"n\":1}\n1\n2\n"
    ),
    LegalEdit(
      rule: "an edit of a snippet touches no entry",
      sql: "UPDATE snippet SET title = 'other' WHERE id = 1",
      question: "SELECT revision, pending FROM sync_row WHERE snippet_id = 1",
      answer: "5|0\n"
    ),
    LegalEdit(
      rule: "an entry stays when its snippet is deleted",
      sql: "DELETE FROM snippet WHERE id = 1",
      question: "SELECT hex(uuid), entry FROM sync_row WHERE snippet_id = 1",
      answer: "00112233445566778899AABBCCDDEEFF|{\"u\":1}\n"
    ),
    LegalEdit(
      rule: "a synchronization is in no change, and its end deletes no snippet",
      sql: """
        DELETE FROM sync_state; DELETE FROM sync_device; DELETE FROM sync_row;
        DELETE FROM sync_absent; DELETE FROM sync_unread; DELETE FROM sync_outbox;
        DELETE FROM sync_blob
        """,
      question: "SELECT count(*) FROM change; SELECT count(*) FROM snippet",
      answer: "0\n4\n"
    ),
  ]
}
