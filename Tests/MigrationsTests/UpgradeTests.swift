import Foundation
import Migrations
import SnippetTestSupport
import Testing

@testable import SnippetStore

@Suite(.temporaryDirectory, .timeLimit(.minutes(1)))
struct UpgradeTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: 0..<Migrations.latestVersion)
  func `a store of an older version is brought up to date with all it holds`(
    version: Int
  ) async throws {
    try await MigrationFolder.build(file, upTo: version)
    for step in 1...Migrations.latestVersion where step <= version {
      let inserted = try await Shell.sqlite3(file, try OldData.sql(ofVersion: step))
      #expect(inserted == Shell.Output(standardOutput: ""))
    }
    let dump = "SELECT * FROM snippet ORDER BY id; SELECT id, hex(data) FROM blob_chunk"
    let before = try await Shell.sqlite3(file, dump)

    let store = try TemporaryStore.open()

    #expect(try store.information().schemaVersion == Migrations.latestVersion)
    let after = try await Shell.sqlite3(file, dump)
    guard version > 0 else {
      #expect(try store.list().count == 0)
      return
    }
    #expect(before == after)
    #expect(try store.list(order: .byTitle).rows(in: 0..<9).map(\.title) == OldData.titles)
    let text = try await store.text(of: SnippetID(rawValue: 1))
    #expect(text == OldData.text)
    let picture = try await store.content(of: SnippetID(rawValue: 2))
    #expect(picture == OldData.picture)
    let recording = try await store.content(of: SnippetID(rawValue: 3))
    #expect(recording == OldData.recording)
    let tags = try store.row(SnippetID(rawValue: 1))?.tags
    #expect(tags == (version > 1 ? ["home", "week 2"] : []))
  }

  @Test func `an empty database of the shell becomes a store`() async throws {
    _ = try await Shell.sqlite3(file, "VACUUM")

    let store = try TemporaryStore.open()

    #expect(try store.information().schemaVersion == Migrations.latestVersion)
  }

  @Test func `an upgraded store has the schema of a new one`() async throws {
    try await MigrationFolder.build(file, upTo: 1)
    let sql = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"

    try SnippetStore(at: file).close()
    try SnippetStore(at: TemporaryDirectory.file("new.sqlite")).close()

    let upgraded = try await Shell.sqlite3(file, sql)
    let new = try await Shell.sqlite3(TemporaryDirectory.file("new.sqlite"), sql)
    #expect(upgraded == new)
  }
}

/// What a user of an older version may have had.
private enum OldData {
  static let text = "Grüße\nand 牛乳"
  static let picture = Data([0x89, 0x50, 0x00, 0xFF])
  static let recording = Data("twelve bytes".utf8)
  static let titles = ["a text", "picture", "recording"]

  /// What a version can hold that the one before it could not.
  static func sql(ofVersion version: Int) throws -> String {
    switch version {
    case 1:
      return """
        INSERT INTO snippet (id, kind, title, created_at, modified_at)
          VALUES (1, 1, 'a text', 1000, 2000);
        INSERT INTO snippet_text VALUES (1, '\(text)');
        INSERT INTO blob VALUES (1, X'\(try sha256(of: picture))', 4, 262144);
        INSERT INTO blob_chunk VALUES (1 << 20, X'\(hex(picture))');
        INSERT INTO snippet (id, kind, title, byte_count, media_type, pixel_width, pixel_height,
          blob_id) VALUES (2, 2, 'picture', 4, 'image/png', 7, 5, 1);
        INSERT INTO blob VALUES (2, X'\(try sha256(of: recording))', 12, 5);
        INSERT INTO blob_chunk VALUES (2 << 20, CAST('twelv' AS BLOB));
        INSERT INTO blob_chunk VALUES ((2 << 20) + 1, CAST('e byt' AS BLOB));
        INSERT INTO blob_chunk VALUES ((2 << 20) + 2, CAST('es' AS BLOB));
        INSERT INTO snippet (id, kind, title, pinned, byte_count, media_type, duration_ms, blob_id)
          VALUES (3, 3, 'recording', 1, 12, 'audio/wav', 1500, 2);
        """
    case 2:
      return """
        INSERT INTO tag VALUES (1, 'home'), (2, 'week 2');
        INSERT INTO snippet_tag VALUES (1, 1), (1, 2), (3, 2);
        """
    default:
      return ""
    }
  }

  private static func sha256(of data: Data) throws -> String {
    hex(try ContentHash.of(MemoryBytes(data: data)))
  }

  private static func hex(_ data: Data) -> String {
    data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
