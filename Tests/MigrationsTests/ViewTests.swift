import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct ViewTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `snippets are shown in words`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(file, "SELECT * FROM snippets ORDER BY id")

    #expect(
      shown.standardOutput == """
        1|text|a text|Grüße and 牛乳|home, week 2|no|1970-01-01T00:00:01.000Z|\
        1970-01-01T00:00:02.000Z|18 B|text/plain|||||00112233-4455-6677-8899-aabbccddeeff|5|
        2|image|picture|||no|2026-01-01T00:00:00.123Z|2026-01-01T00:00:00.999Z|4 B|image/png|\
        7 × 5||||f0112233-4455-6677-8899-aabbccddeeff|1|1
        3|voice|recording||week 2|yes|0001-01-01T00:00:00.000Z|9999-12-31T23:59:59.999Z|12 B|\
        audio/wav||1:01.500|||a0112233-4455-6677-8899-aabbccddeeff|2|2
        4|text|long text|kept as a blob||no|1970-01-01T00:00:00.005Z|1970-01-01T00:00:00.006Z|\
        14 B|text/plain|||||b0112233-4455-6677-8899-aabbccddeeff|1|3

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
        blobs: id sha256 byte_count size chunks snippet_ids
        changes: number event snippet_id tag kind_before title_before pinned_before created_before \
        modified_before deleted_before
        derivatives: blob_id recipe version size used
        recordings: id kind title tags media_type started appended byte_count process
        small_blobs: snippet_id title media_type data
        snippets: id kind title preview tags pinned created modified size media_type pixels \
        duration sample_rate channels uuid revision blob_id
        tags: name snippets
        texts: id title body
        tombstones: snippet_id uuid revision deleted
        trash: id kind title preview deleted created size media_type blob_id

        """
    )
  }

  @Test func `texts are shown in full`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(file, "SELECT * FROM texts")

    #expect(shown.standardOutput == "1|a text|\(SampleContent.text)\n")
  }

  @Test func `blobs are shown with their hash, their pieces and their snippets`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(file, "SELECT * FROM blobs ORDER BY id")

    #expect(
      shown.standardOutput == """
        1|\(try SampleContent.sha256(of: SampleContent.picture))|4|4 B|1|2
        2|\(try SampleContent.sha256(of: SampleContent.recording))|12|12 B|3|3
        3|\(try SampleContent.sha256(of: SampleContent.longText))|14|14 B|2|4

        """
    )
  }

  @Test func `tags are shown with the number of their snippets`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(file, "SELECT * FROM tags ORDER BY name")

    #expect(shown.standardOutput == "home|1\nweek 2|2\n")
  }

  @Test func `changes and what was deleted are shown in words`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(
      file,
      """
      DELETE FROM snippet WHERE id = 3;
      SELECT * FROM changes;
      SELECT snippet_id, uuid, revision, deleted GLOB '20??-??-??T??:??:??.???Z' FROM tombstones
      """
    )

    #expect(
      shown.standardOutput == """
        2|tag taken off|3|week 2||||||
        1|deleted|3||voice|recording|yes|0001-01-01T00:00:00.000Z|9999-12-31T23:59:59.999Z|
        3|a0112233-4455-6677-8899-aabbccddeeff|2|1

        """
    )
  }

  @Test func `recordings are shown with what there is of them`() async throws {
    try await SampleContent.make(in: file)

    let shown = try await Shell.sqlite3(
      file,
      "\(SampleContent.recordingInProgress) SELECT * FROM recordings"
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
      SELECT * FROM tags; SELECT id, kind, title, deleted, size FROM trash;
      SELECT event, snippet_id, deleted_before FROM changes;
      UPDATE snippet SET deleted_at = NULL WHERE id = 3;
      SELECT * FROM tags; SELECT event, snippet_id, deleted_before FROM changes LIMIT 1
      """
    )

    #expect(
      shown.standardOutput == """
        2
        4
        2
        3|voice|recording|1970-01-01T00:00:03.000Z|12 B
        1|text|a text|1970-01-01T00:00:01.000Z|18 B
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
      SELECT size FROM snippets; SELECT size FROM blobs
      """
    )

    #expect(shown == Shell.Output(standardOutput: "\(size)\n\(size)\n"))
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
