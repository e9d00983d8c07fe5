import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Damage that leads a search in a circle: it has to end.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DamagedOrderTests {
  private let file = TemporaryDirectory.file("damaged.sqlite")

  // Of the numbers 1, 2, 3 and 4, whose third nothing refers to, that becomes 0: a walk finds it
  // after the second, and a search for what comes after it begins with the first.
  @Test func `a collection of garbage ends where rows are not in their order`() async throws {
    var store = try SnippetStore(at: file)
    for tag in ["first", "second", "third-of-four", "fourth"] {
      try await store.save(SnippetDraft(.text(tag), tags: [tag]))
    }
    try store.runWithoutTriggers("DELETE FROM snippet_tag WHERE tag_id = 3")
    try await store.close()
    var bytes = try Data(contentsOf: file)
    // The size of the row, its number, the size of its header, NULL, and a text of 13 bytes.
    let cell = Data([16, 3, 3, 0, 13 + 2 * 13]) + Data("third-of-four".utf8)
    let place = try #require(bytes.range(of: cell))
    bytes[place.lowerBound + 1] = 0
    try bytes.write(to: file)
    store = try SnippetStore(at: file)

    #expect(await errorCode { try await store.collectGarbage() } == .damaged)
    try await store.close()
  }

  @Test func `a purge ends where only an index knows of a snippet in the trash`() async throws {
    let store = try SnippetStore(at: file)
    let row = try await store.save(SnippetDraft(.text("gone")))
    try await store.moveToTrash([row.id])
    try await store.close()
    // Deleted by somebody who does not know of the index.
    let output = try await Shell.sqlite3(
      file,
      """
      PRAGMA writable_schema = ON;
      CREATE TEMP TABLE kept AS
        SELECT * FROM sqlite_schema WHERE name = 'snippet_trash_by_deleted';
      DELETE FROM sqlite_schema WHERE name = 'snippet_trash_by_deleted';
      PRAGMA writable_schema = RESET;
      DELETE FROM snippet;
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM kept;
      """
    )
    #expect(output == Shell.Output(standardOutput: ""))
    let damaged = try SnippetStore(at: file)

    #expect(await errorCode { try await damaged.purge() } == .damaged)
    #expect(await errorCode { try await damaged.emptyTrash() } == .damaged)
    try await damaged.close()
  }

  @Test func `a budget ends where only an index knows of a derivative`() async throws {
    var configuration = SnippetStore.Configuration()
    configuration.derivativeByteLimit = 1
    let store = try SnippetStore(at: file)
    let row = try await store.save(Samples.image(Samples.bytes(100)))
    let derivative = Derivative(
      blobID: try #require(row.blobID),
      recipe: Recipe("small"),
      data: Data("1".utf8)
    )
    try await store.saveDerivatives([derivative])
    try await store.close()
    let output = try await Shell.sqlite3(
      file,
      """
      PRAGMA writable_schema = ON;
      CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'derivative_by_use';
      DELETE FROM sqlite_schema WHERE name = 'derivative_by_use';
      PRAGMA writable_schema = RESET;
      DELETE FROM derivative;
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM kept;
      UPDATE derivative_total SET byte_count = 100;
      """
    )
    #expect(output == Shell.Output(standardOutput: ""))
    let damaged = try SnippetStore(at: file, configuration: configuration)

    #expect(try await damaged.saveDerivatives([derivative]) == 1)
    try await damaged.close()
  }
}
