import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ViewTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `snippets are shown in words`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(file, "SELECT * FROM snippets ORDER BY id")

    #expect(
      shown.standardOutput == """
        1|text|a text|Grüße and 牛乳|home, week 2|0|1970-01-01T00:00:01.000Z|\
        1970-01-01T00:00:02.000Z|18 B|18||||||text/plain|1000|2000|\
        00112233-4455-6677-8899-aabbccddeeff|5||Grüße
        and 牛乳|
        2|image|picture|||0|2026-01-01T00:00:00.123Z|2026-01-01T00:00:00.999Z|4 B, 7 × 5|4|7|5||||\
        image/png|1767225600123|1767225600999|f0112233-4455-6677-8899-aabbccddeeff|1|1||
        3|voice|recording||week 2|1|0001-01-01T00:00:00.000Z|9999-12-31T23:59:59.999Z|\
        12 B, 1:01.500|12|||61500|||audio/wav|-62135596800000|253402300799999|\
        a0112233-4455-6677-8899-aabbccddeeff|2|2||
        4|text|long text|kept as a blob||0|1970-01-01T00:00:00.005Z|1970-01-01T00:00:00.006Z|\
        14 B|14||||||text/plain|5|6|b0112233-4455-6677-8899-aabbccddeeff|1|3||

        """
    )
  }

  @Test func `the columns have plain names`() async throws {
    try await SampleContent.make(in: file)

    let names = try await Shell.sqlite3(
      file,
      """
      SELECT m.name || ': ' || group_concat(c.name, ' ')
      FROM sqlite_schema m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'view' GROUP BY m.name ORDER BY m.name
      """
    )

    #expect(
      names.standardOutput == """
        blobs: id sha256 bytes chunks snippet_ids
        captures: id kind title tags media_type started appended bytes process
        changes: number event snippet_id tag kind_before title_before pinned_before created_before \
        modified_before deleted_before
        derivatives: blob_id recipe version bytes used
        origins: snippet_id title file folder path modified bytes sha256
        small_blobs: rowid snippet_id title media_type data
        snippets: id kind title preview tags pinned created modified about bytes width height \
        milliseconds sample_rate channels media_type created_at modified_at uuid revision blob_id body \
        note
        tagged: snippet_id tag
        tags: name snippets
        text_beginnings: snippet_id preview letters
        texts: id title body bytes encoding hint
        trash: id kind title preview deleted created bytes media_type blob_id

        """
    )
  }

  @Test func `texts are shown in full, those kept as blobs too`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(
      file,
      """
      INSERT INTO snippet (kind, title) VALUES (1, 'empty');
      SELECT * FROM texts ORDER BY id; UPDATE snippet SET text_encoding = 'utf-16' WHERE id = 4;
      SELECT * FROM texts WHERE id = 4
      """
    )

    #expect(
      shown.standardOutput == """
        1|a text|\(SampleContent.text)|18|utf-8|
        4|long text|kept as a blob|14|UTF-8|
        5|empty||0|utf-8|
        4|long text||14|utf-16|in utf-16: see snip cat 4

        """
    )
  }

  @Test func `a long text is found and shown whole, whatever its chunks cut`() async throws {
    let store = try TemporaryStore.open()
    let text = String(repeating: "Größe 牛乳 👩‍👩‍👧 ", count: 20_000)
    let row = try await store.save(SnippetDraft(.text(text + "needle")))
    let copy = TemporaryDirectory.file("copy")

    let shown = try await Shell.sqlite3(
      file,
      "SELECT id, writefile('\(copy.path)', body) FROM texts WHERE body LIKE '%needle%'"
    )

    #expect(shown.standardOutput == "\(row.id)|\(row.byteCount)\n")
    #expect(try String(contentsOf: copy, encoding: .utf8) == text + "needle")
  }

  @Test(arguments: [
    ("created_at", "snippet_by_created"), ("created_at DESC", "snippet_by_created"),
    ("modified_at", "snippet_by_modified"), ("title", "snippet_by_title"),
  ])
  func `an order by a date or a title walks an index`(order: String, index: String) async throws {
    try await MigrationFolder.build(file)

    let plan = try await Shell.sqlite3(
      file,
      "EXPLAIN QUERY PLAN SELECT id, title, about, created FROM snippets ORDER BY \(order) LIMIT 5"
    )

    #expect(plan.standardOutput.contains("USING INDEX \(index)"), "\(plan)")
    #expect(!plan.standardOutput.contains("TEMP B-TREE"), "\(plan)")
  }

  @Test(arguments: ["bytes", "width", "milliseconds", "created", "created_at", "pinned"])
  func `an order by a column is the order of what it means`(column: String) async throws {
    try await MigrationFolder.build(file)

    let shown = try await Shell.sqlite3(
      file,
      """
      INSERT INTO blob VALUES (1, zeroblob(32), 999, 262144), (2, randomblob(32), 1000, 262144),
        (3, randomblob(32), 20000000, 262144);
      INSERT INTO snippet (kind, byte_count, blob_id, pixel_width, pixel_height, duration_ms,
        created_at, pinned)
      VALUES (3, 20000000, 3, 1000, 1, 600000, 253402300799999, 1),
        (3, 999, 1, 9, 1, 5000, -62135596800000, 0), (3, 1000, 2, 10, 1, 59999, 5, 0);
      SELECT id FROM snippets ORDER BY \(column), id
      """
    )

    #expect(shown.standardOutput == "2\n3\n1\n")
  }

  @Test func `blobs are shown with their hash, their pieces and their snippets`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(file, "SELECT * FROM blobs ORDER BY id")

    #expect(
      shown.standardOutput == """
        1|\(try SampleContent.sha256(of: SampleContent.picture))|4|1|2
        2|\(try SampleContent.sha256(of: SampleContent.recording))|12|3|3
        3|\(try SampleContent.sha256(of: SampleContent.longText))|14|2|4

        """
    )
  }

  @Test func `tags are shown with the number of their snippets`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(file, "SELECT * FROM tags ORDER BY name")

    #expect(shown.standardOutput == "home|1\nweek 2|2\n")
  }

  @Test func `changes are shown in words`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(
      file,
      "DELETE FROM snippet WHERE id = 3; SELECT * FROM changes WHERE event = 'deleted'"
    )

    #expect(
      shown.standardOutput.dropFirst() == """
        |deleted|3||voice|recording|yes|0001-01-01T00:00:00.000Z|9999-12-31T23:59:59.999Z|

        """
    )
  }

  @Test func `captures are shown with what there is of them`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(
      file,
      "\(SampleContent.captureInProgress) SELECT * FROM captures"
    )

    #expect(
      shown.standardOutput == """
        4|voice|half said|car, late|audio/wav|1970-01-01T00:00:01.000Z|1970-01-01T00:00:02.000Z|\
        11|77 5

        """
    )
  }

  @Test func `what is in the trash is shown there and nowhere else`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(
      file,
      """
      UPDATE snippet SET deleted_at = id * 1000 WHERE id IN (1, 3);
      SELECT id FROM snippets ORDER BY id; SELECT id FROM texts; SELECT snippet_id FROM small_blobs;
      SELECT * FROM tags; SELECT id, kind, title, deleted, bytes FROM trash;
      SELECT event, snippet_id, deleted_before FROM changes;
      UPDATE snippet SET deleted_at = NULL WHERE id = 3;
      SELECT * FROM tags; SELECT event, snippet_id, deleted_before FROM changes LIMIT 1
      """
    )

    #expect(
      shown.standardOutput == """
        2
        4
        4
        2
        3|voice|recording|1970-01-01T00:00:03.000Z|12
        1|text|a text|1970-01-01T00:00:01.000Z|18
        moved to the trash|3|
        moved to the trash|1|
        week 2|1
        undeleted|3|1970-01-01T00:00:03.000Z

        """
    )
  }

  @Test(arguments: [
    (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (1_000_000, "1.0 MB"),
    (1_500_000_000, "1.5 GB"),
  ])
  func `a size is shown in the unit that suits it`(byteCount: Int, size: String) async throws {
    try await MigrationFolder.build(file)

    let shown = try await Shell.sqlite3(
      file,
      """
      INSERT INTO blob VALUES (1, zeroblob(32), \(byteCount), 262144);
      INSERT INTO snippet (kind, byte_count, blob_id) VALUES (3, \(byteCount), 1);
      SELECT about FROM snippets
      """
    )

    #expect(shown == Shell.Output(standardOutput: "\(size)\n"))
  }

  @Test func `writefile gives the bytes of a small blob`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(262_144)
    let row = try await store.save(Samples.image(bytes))
    let copy = TemporaryDirectory.file("copy")

    let output = try await Shell.sqlite3(
      file,
      "SELECT writefile('\(copy.path)', data) FROM small_blobs WHERE snippet_id = \(row.id)"
    )

    #expect(output == Shell.Output(standardOutput: "262144\n"))
    #expect(try Data(contentsOf: copy) == bytes)
  }

  @Test func `a blob of several pieces is no small one`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(Samples.image(Samples.bytes(262_145)))

    let shown = try await Shell.sqlite3(file, "SELECT count(*) FROM small_blobs")

    #expect(shown.standardOutput == "0\n")
  }
}
