import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory)
struct BlobStorageTests {
  let store: SnippetStore
  let file = TemporaryDirectory.file("store.sqlite")

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test func `the same bytes are stored once`() async throws {
    let bytes = Samples.bytes(700_000)

    let rows = try await (0..<3).asyncMap { _ in try await store.save(Samples.image(bytes)) }

    #expect(Set(rows.map(\.blobID)).count == 1)
    #expect(try await store.information().blobCount == 1)
    #expect(try await store.information().blobByteCount == 700_000)
  }

  @Test func `a blob is cut into chunks and found by its hash`() async throws {
    let bytes = Samples.bytes(700_000)
    try bytes.write(to: TemporaryDirectory.file("bytes"))
    let row = try await store.save(Samples.image(bytes))

    let output = try await Shell.sqlite3(
      file,
      """
      SELECT lower(hex(sha256)), byte_count, chunk_size FROM blob;
      SELECT id & 1048575, length(data) FROM blob_chunk ORDER BY id;
      """
    )

    let hash = try await Shell.sha256(TemporaryDirectory.file("bytes"))
    #expect(row.blobID == BlobID(rawValue: 1))
    #expect(
      output.standardOutput == """
        \(hash)|700000|262144
        0|262144
        1|262144
        2|175712

        """
    )
  }

  @Test(
    arguments: [
      "UPDATE blob SET sha256 = zeroblob(32)",
      "UPDATE blob SET byte_count = 4",
      "UPDATE blob_chunk SET data = x'00'",
      "UPDATE blob_chunk SET id = id + 1",
      "INSERT INTO blob_chunk VALUES ((1 << 20) + 3, x'00')",
      "INSERT INTO blob_chunk VALUES (9 << 20, x'00')",
    ]
  )
  func `a blob never changes, whatever is tried`(_ sql: String) async throws {
    let bytes = Samples.bytes(700_000)
    let row = try await store.save(Samples.image(bytes))

    let output = try await Shell.sqlite3(file, sql)

    #expect(output.status != 0)
    #expect(output.standardError.contains("blob"))
    #expect(try await store.content(of: row.id) == bytes)
  }

  @Test func `a blob in use cannot be deleted, one that is not takes its chunks along`()
    async throws
  {
    let row = try await store.save(Samples.image(Samples.bytes(700_000)))

    let refused = try await Shell.sqlite3(file, "PRAGMA foreign_keys = ON; DELETE FROM blob")
    let deleted = try await Shell.sqlite3(
      file,
      "PRAGMA foreign_keys = ON; DELETE FROM snippet; SELECT count(*) FROM blob_chunk"
    )

    #expect(refused.status != 0)
    #expect(deleted == Shell.Output(standardOutput: "0\n"))
    #expect(try store.row(row.id) == nil)
  }

  @Test func `a number of a blob is never given twice`() async throws {
    let first = try await store.save(Samples.image(Samples.bytes(10)))
    try await store.delete([first.id])

    let second = try await store.save(Samples.image(Samples.bytes(10)))

    let (old, new) = (try #require(first.blobID), try #require(second.blobID))
    #expect(new > old)
    #expect(second.id > first.id)
  }
}
