import Foundation
import GRDB
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// What a file says of its snippet besides its content, from one import or export to the next.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FileNoteTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  @Test func `a tag taken out of a file that was exported goes, whatever was changed since`()
    async throws
  {
    try tree.add("a.md", "Milk")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(title: "Dairy", addedTags: ["one", "two"]), to: id)
    try await store.exportMarkdown(to: tree.url)
    #expect(try tree.text("a.md") == "---\ntitle: Dairy\ntags:\n  - one\n  - two\n---\nMilk")
    // Nothing of it is what the file says now.
    try await store.apply(SnippetEdit(isPinned: true, addedTags: ["three"]), to: id)
    try tree.add("a.md", "---\ntitle: Milk products\ntags:\n  - uno\n  - two\n---\nMilk")

    #expect(try await importVault()[.updated] == 1)

    let row = try #require(try store.row(id))
    #expect(row.tags == ["three", "two", "uno"])
    #expect(row.title == "Milk products" && row.isPinned)
  }

  @Test func `a file that was exported and moved says the same as before`() async throws {
    try tree.add("a.md", "Milk")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(addedTags: ["one"]), to: id)
    try await store.exportMarkdown(to: tree.url)
    try await store.apply(SnippetEdit(isPinned: true), to: id)
    try tree.move("a.md", to: "b.md")
    #expect(try await importVault()[.moved] == 1)
    try tree.add("b.md", "---\ntags: [uno]\n---\nMilk")

    #expect(try await importVault()[.updated] == 1)

    #expect(try store.row(id)?.tags == ["uno"])
    #expect(try store.row(id)?.isPinned == true)
  }

  // Other writers may cut blobs into chunks of any size from 1 byte to 16 MiB.
  @Test func `a tag taken out of a long file goes, however its bytes are cut`() async throws {
    let about = String(repeating: "word ", count: 10_000)
    func note(_ tag: String) -> String {
      "---\nabout: \(about)\ntags: [\(tag)]\n---\n\(Samples.longText())"
    }
    try tree.add("a.md", note("one"))
    try await importVault()
    let id = try #require(try row("a")?.id)
    try cutBlobs(intoChunksOf: 4096)
    try tree.add("a.md", note("uno"))

    #expect(try await importVault()[.updated] == 1)

    #expect(try store.row(id)?.tags == ["uno"])
  }

  /// Gives blobs of one chunk several smaller ones.
  private func cutBlobs(intoChunksOf size: Int) throws {
    try store.seam.write(to: "cut blobs") { db in
      try db.withoutTriggers {
        try db.execute(
          sql: """
            INSERT INTO blob_chunk (id, data)
            WITH RECURSIVE piece (blob, number) AS (
              SELECT id, 0 FROM blob
              UNION ALL
              SELECT piece.blob, number + 1 FROM piece JOIN blob ON blob.id = piece.blob
              WHERE (number + 1) * \(size) < byte_count
            )
            SELECT (piece.blob << 20) + number, substr(data, 1 + number * \(size), \(size))
            FROM piece JOIN blob_chunk ON blob_chunk.id = piece.blob << 20
            WHERE number > 0;
            UPDATE blob_chunk SET data = substr(data, 1, \(size));
            UPDATE blob SET chunk_size = \(size);
            """
        )
      }
    }
  }

  @Test(arguments: [false, true])
  func `a title inside a picture is followed, unless people gave another`(
    isRenamed: Bool
  ) async throws {
    let file = try #require(TitledFile.all.first { $0.testDescription == "PNG with a text" })
    try tree.add("a.png", Data(file.bytes(Array("Old".utf8))))
    try await importVault()
    let id = try #require(try row("Old")?.id)
    if isRenamed { try await store.apply(SnippetEdit(title: "Mine"), to: id) }
    try tree.add("a.png", Data(file.bytes(Array("New".utf8))))

    #expect(try await importVault()[.updated] == 1)
    #expect(try store.row(id)?.title == (isRenamed ? "Mine" : "New"))
    try tree.add("a.png", Samples.png)
    #expect(try await importVault()[.updated] == 1)
    #expect(try store.row(id)?.title == (isRenamed ? "Mine" : "a"))
  }
}
