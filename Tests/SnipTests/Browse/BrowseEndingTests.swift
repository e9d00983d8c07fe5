import Foundation
import SnippetTestSupport
import Testing

/// What becomes of changes that are under way when the browser ends.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BrowseEndingTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  private func pinnedCount() async throws -> Int {
    try await snip("list", "--pinned", "--json").lines.count
  }

  @Test(arguments: [("m; m; p; q", 3), ("m; m; p", 3), ("p; q", 2), ("p", 2), ("p; ctrl-c", 2)])
  func `the last change of a script is made`(script: String, count: Int) async throws {
    let output = try await snip.browse(script)

    #expect(output.status == (script.hasSuffix("ctrl-c") ? 130 : 0), "\(output)")
    #expect(try await pinnedCount() == count)
  }

  @Test func `an export that was begun is complete`() async throws {
    let folder = TemporaryDirectory.file("exported").path

    let output = try await snip.browse("m; m; x; type \(folder); enter; q")

    #expect(output.status == 0, "\(output)")
    let texts = try FileManager.default.contentsOfDirectory(atPath: folder + "/texts")
    #expect(texts.count == 2, "\(texts)")
  }

  @Test func `what an export leaves out behind the end is told`() async throws {
    let folder = TemporaryDirectory.file("exported").path
    _ = try await snip("backup", "copy.sqlite")
    let damage = try await Shell.sqlite3(
      TemporaryDirectory.file("copy.sqlite"),
      """
      CREATE TEMP TABLE kept AS
        SELECT * FROM sqlite_schema WHERE name = 'blob_chunk_before_delete';
      DROP TRIGGER blob_chunk_before_delete;
      DELETE FROM blob_chunk;
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM kept;
      """
    )
    try #require(damage == Shell.Output(standardOutput: ""))

    let keys = "m; m; m; m; m; x; type \(folder); enter; q"
    let output = try await snip.browse(keys, size: "60x16", ["--store", "copy.sqlite"])

    #expect(output.status == 1, "\(output)")
    #expect(output.standardError.contains("snippets could not be exported"), "\(output)")
  }

  @Test func `a last change that fails is told, and fails the command`() async throws {
    let long = String(repeating: "x", count: 300)

    let output = try await snip.browse("t; type \(long); enter; q")

    #expect(output.status == 1 && output.standardError.contains("could not"), "\(output)")
  }

  @Test func `the last change before q is made on a terminal`() async throws {
    let session = try TerminalSession(snip, ["browse"])
    try await session.read(until: "Harbour")

    try session.type("mmpq")

    #expect(try await session.end().status == 0)
    #expect(try await pinnedCount() == 3)
  }
}
