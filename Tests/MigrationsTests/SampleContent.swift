import Foundation
import SnippetBase
import SnippetTestSupport

@testable import SnippetStorage

/// A small store that the `sqlite3` shell makes, with something of everything, fixed values and an
/// empty record of changes.
enum SampleContent {
  static let text = "Grüße\nand 牛乳"
  static let picture = Data([0x89, 0x50, 0x00, 0xFF])
  static let recording = Data("twelve bytes".utf8)
  static let longText = Data("kept as a blob".utf8)
  /// The titles in their order.
  static let titles = ["a text", "long text", "picture", "recording"]

  /// A capture of two chunks and a tail, as SQL that adds it to what a store of these holds.
  static let captureInProgress = """
    INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (randomblob(32), 1, 1);
    DELETE FROM blob WHERE id = 4;
    INSERT INTO staged_blob (id, uuid, appended_at, process, chunk_size, tail)
      VALUES (4, X'C0112233445566778899AABBCCDDEEFF', 2000, '77 5', 4, X'010203');
    INSERT INTO capture VALUES (4, 3, 'half said', 'car, late', 'audio/wav', 1000);
    INSERT INTO blob_chunk VALUES (4 << 20, X'00010203'), ((4 << 20) + 1, X'04050607');
    """

  /// The bytes of the stores made so far, by version: each is made once in a run of the tests.
  private static let made = Lock<[Int: Data]>([:])

  /// Makes the store in a file.
  static func make(in file: URL, version: Int = .max) async throws {
    if let bytes = made.withLock({ $0[version] }) { return try bytes.write(to: file) }
    try await MigrationFolder.build(file, upTo: version, content: sql(ofVersion:))
    // Before the first version there is no file.
    let bytes = try? Data(contentsOf: file)
    made.withLock { $0[version] = bytes }
  }

  /// The tables and rows of the store in its newest version, as the shell prints them.
  static func dump() async throws -> Shell.Output {
    try await dumping.value
  }

  private static let dumping = Task {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("sample-content-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try await make(in: file)
    return try await Shell.sqlite3(file, ".dump")
  }

  /// The step that makes the table of snippets.
  static let firstVersionWithSnippets = 3

  /// What a version can hold that the one before it could not.
  private static func sql(ofVersion version: Int) throws -> String {
    switch version {
    case firstVersionWithSnippets:
      return """
        INSERT INTO snippet (id, uuid, kind, title, created_at, modified_at)
          VALUES (1, X'00112233445566778899AABBCCDDEEFF', 1, 'a text', 1000, 2000);
        INSERT INTO snippet_text VALUES (1, '\(text)');
        UPDATE snippet SET revision = 3, modified_at = 2000 WHERE id = 1;
        INSERT INTO blob VALUES (1, X'\(try sha256(of: picture))', 4, 262144);
        INSERT INTO blob_chunk VALUES (1 << 20, X'\(hex(picture))');
        INSERT INTO snippet (id, uuid, kind, title, created_at, modified_at, byte_count, media_type,
            pixel_width, pixel_height, blob_id)
          VALUES (2, X'F0112233445566778899AABBCCDDEEFF', 2, 'picture', 1767225600123,
            1767225600999, 4, 'image/png', 7, 5, 1);
        INSERT INTO blob VALUES (2, X'\(try sha256(of: recording))', 12, 5);
        INSERT INTO blob_chunk VALUES (2 << 20, CAST('twelv' AS BLOB));
        INSERT INTO blob_chunk VALUES ((2 << 20) + 1, CAST('e byt' AS BLOB));
        INSERT INTO blob_chunk VALUES ((2 << 20) + 2, CAST('es' AS BLOB));
        INSERT INTO snippet (id, uuid, kind, title, created_at, modified_at, pinned, byte_count,
            media_type, duration_ms, blob_id)
          VALUES (3, X'A0112233445566778899AABBCCDDEEFF', 3, 'recording', -62135596800000,
            253402300799999, 1, 12, 'audio/wav', 61500, 2);
        INSERT INTO blob VALUES (3, X'\(try sha256(of: longText))', 14, 7);
        INSERT INTO blob_chunk VALUES (3 << 20, CAST('kept as' AS BLOB));
        INSERT INTO blob_chunk VALUES ((3 << 20) + 1, CAST(' a blob' AS BLOB));
        INSERT INTO snippet (id, uuid, kind, title, preview, created_at, modified_at, byte_count,
            text_encoding, blob_id)
          VALUES (4, X'B0112233445566778899AABBCCDDEEFF', 1, 'long text', 'kept as a blob', 5, 6, 14,
            'UTF-8', 3);
        """
    case 4:
      return """
        INSERT INTO tag VALUES (1, 'home'), (2, 'week 2');
        INSERT INTO snippet_tag VALUES (1, 2), (1, 1), (3, 2);
        DELETE FROM change;
        DELETE FROM sqlite_sequence WHERE name = 'change';
        """
    case 8:
      return """
        INSERT INTO origin_folder VALUES (1, '/home/me/Notes', 1);
        INSERT INTO origin VALUES
          (1, 'a text.md', 1, 1767225600123456789, 21, zeroblob(32), NULL, NULL, 0),
          (1, 'pictures/picture.png', 2, 0, 4, zeroblob(32), zeroblob(32), '{"title":"Sea"}', 1),
          (1, 'pictures/the same.png', 2, 0, 4, zeroblob(32), NULL, NULL, 1);
        INSERT INTO deleted_file VALUES ('/home/me/Notes/gone.md', 9, zeroblob(32));
        """
    case 9:
      return """
        INSERT INTO sync_state VALUES
          (1, \(id("1F")), '/home/me/Carrier', \(id("2F")), 'laptop', 'machine 7:42', 3, 2, 1, 1000);
        INSERT INTO sync_device VALUES (1, \(id("2F")), 'laptop', 0, 0, '', NULL, NULL),
          (2, \(id("3F")), 'phone', 5, 1, 'tag', 1000, 1000);
        INSERT INTO sync_row VALUES
          (1, X'00112233445566778899AABBCCDDEEFF', 5, 1, 0, '{"u":1}'),
          (2, X'F0112233445566778899AABBCCDDEEFF', 1, 0, 1, '{"u":2}');
        INSERT INTO sync_absent VALUES (\(id("4F")), 1, '{}');
        INSERT INTO sync_unread VALUES (\(id("5F")), 2, 1, \(id("3F")), '{"c":{"kind":"map"}}');
        INSERT INTO sync_outbox VALUES (2, X'010203');
        INSERT INTO sync_blob VALUES (zeroblob(32), 1);
        """
    default:
      return ""
    }
  }

  /// An identity of 16 equal bytes, as SQL.
  private static func id(_ byte: String) -> String {
    "X'\(String(repeating: byte, count: 16))'"
  }

  static func sha256(of data: Data) throws -> String {
    hex(try MemoryBytes(data: data).contentHash())
  }

  private static func hex(_ data: Data) -> String {
    data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
