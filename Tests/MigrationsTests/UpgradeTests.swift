import Foundation
import Migrations
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UpgradeTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: 0..<Migrations.latestVersion)
  func `a store of an older version is brought up to date with all it holds`(
    version: Int
  ) async throws {
    try await SampleContent.make(in: file, version: version)
    let dump = """
      SELECT id, hex(uuid), kind, title, preview, created_at, modified_at, pinned, revision,
        byte_count, media_type, text_encoding, pixel_width, pixel_height, duration_ms, blob_id
      FROM snippet ORDER BY id;
      SELECT id, hex(data) FROM blob_chunk
      """
    let before = try await Shell.sqlite3(file, dump)

    let store = try TemporaryStore.open()

    #expect(try await store.information().schemaVersion == Migrations.latestVersion)
    let after = try await Shell.sqlite3(file, dump)
    guard version >= SampleContent.firstVersionWithSnippets else {
      #expect(try store.list().count == 0)
      return
    }
    #expect(before == after)
    #expect(try store.list(order: .byTitle).rows(in: 0..<9).map(\.title) == SampleContent.titles)
    let text = try await store.text(of: SnippetID(rawValue: 1))
    #expect(text == SampleContent.text)
    let picture = try await store.content(of: SnippetID(rawValue: 2))
    #expect(picture == SampleContent.picture)
    let recording = try await store.content(of: SnippetID(rawValue: 3))
    #expect(recording == SampleContent.recording)
    #expect(try store.list().rows(in: 0..<9).allSatisfy { $0.facts.sampleRate == nil })
    let old = try store.row(SnippetID(rawValue: 3))?.facts
    #expect(old == MediaFacts(duration: .milliseconds(61_500)))
    let tags = try store.row(SnippetID(rawValue: 1))?.tags
    #expect(tags == (version > 3 ? ["home", "week 2"] : []))
  }

  @Test func `an upgraded store tells of new recordings what it cannot tell of old ones`()
    async throws
  {
    try await SampleContent.make(in: file, version: 7)
    let store = try TemporaryStore.open()

    let new = try await store.save(SnippetDraft(.bytes(Samples.wav())))
    let edited = try await store.apply(
      SnippetEdit(title: "Renamed"),
      to: SnippetID(rawValue: 3)
    )

    #expect(new.facts == MediaFacts(duration: .seconds(1), sampleRate: 8000, channelCount: 1))
    #expect(edited.facts == MediaFacts(duration: .milliseconds(61_500)))
    let shown = try await Shell.sqlite3(
      file,
      "SELECT id, milliseconds, sample_rate, channels FROM snippets WHERE kind = 'voice' ORDER BY id"
    )
    #expect(shown.standardOutput == "3|61500||\n\(new.id)|1000|8000|1\n")
  }

  @Test func `a synchronization is kept in the store and in its backup`() async throws {
    try await SampleContent.make(in: file)
    let backup = TemporaryDirectory.file("backup.sqlite")
    let dump = ".dump sync_%"
    let before = try await Shell.sqlite3(file, dump)
    #expect(before.standardOutput.contains("laptop"))

    let store = try TemporaryStore.open()
    try await store.backUp(to: backup)

    let report = try await store.check()
    #expect(report.isSound, "\(report.problems)")
    #expect(try await Shell.sqlite3(file, dump) == before)
    #expect(try await Shell.sqlite3(backup, dump) == before)
  }

  @Test func `an empty database of the shell becomes a store`() async throws {
    _ = try await Shell.sqlite3(file, "VACUUM")

    let store = try TemporaryStore.open()

    #expect(try await store.information().schemaVersion == Migrations.latestVersion)
  }

  @Test func `an upgraded store has the schema of a new one`() async throws {
    try await MigrationFolder.build(file, upTo: 1)
    let sql = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"

    try await SnippetStore(at: file).close()
    try await SnippetStore(at: TemporaryDirectory.file("new.sqlite")).close()

    let upgraded = try await Shell.sqlite3(file, sql)
    let new = try await Shell.sqlite3(TemporaryDirectory.file("new.sqlite"), sql)
    #expect(upgraded == new)
  }
}
