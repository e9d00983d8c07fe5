import Foundation
import SnipCore
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import snip

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

  // MARK: - An editor

  /// Starts an editor that writes what is typed and ends with a status.
  private func edit(status: Int32) async throws -> TerminalSession {
    let editor = snip.folder.appendingPathComponent("editor.sh")
    let lines = "echo EDITOR-IS-HERE\nread line\necho \"$line\" >\"$1\"\nexit \(status)"
    try await Shell.writeScript(lines, to: editor)
    let session = try TerminalSession(snip.with(["VISUAL": editor.path]), ["browse"])
    try await session.read(until: "Harbour")
    try session.type("e")
    try await session.read(until: "EDITOR-IS-HERE")
    return session
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a text is saved after a signal that came while it was edited`(signal: Int32) async throws {
    let session = try await edit(status: 0)

    session.send(signal)
    try session.type("was typed\r")

    #expect(try await session.end().status == 130)
    #expect(try await snip("list", "--json").text.contains("was typed"))
  }

  @Test func `where an edited text is that was not saved is told after a signal`() async throws {
    let session = try await edit(status: 3)

    session.send(SIGTERM)
    try session.type("was typed\r")
    let output = try await session.end()

    #expect(output.status == 130)
    let end = output.text.components(separatedBy: "\u{1B}[?1049l").last ?? ""
    #expect(end.contains("not saved: the editor ended with status 3"), "\(output)")
    let file = try #require(end.firstMatch(of: /It is in (\S+)/)).output.1
    #expect(try String(contentsOfFile: String(file), encoding: .utf8) == "was typed\n")
    #expect(try session.editsLines())
  }

  @Test func `a text whose browser was killed is offered by the next, once its editor has ended`()
    async throws
  {
    let editor = snip.folder.appendingPathComponent("editor.sh")
    try await Shell.writeScript(
      "trap '' HUP\necho typed >\"$1\"\necho EDITOR-IS-HERE\nread line",
      to: editor
    )
    let variables = ["VISUAL": Optional(editor.path)]
    let session = try TerminalSession(snip.with(variables), ["browse"])
    try await session.read(until: "Harbour")
    try session.type("e")
    try await session.read(until: "EDITOR-IS-HERE")

    session.send(SIGKILL)
    let next = try TerminalSession(snip.with(variables), ["browse"])
    try await next.read(until: "Harbour")
    try next.type("?")
    try await next.read(until: "Keys")
    try next.type("qq")
    #expect(try await !next.end().text.contains("was kept"))
    try session.type("\r")
    #expect(try await session.end().status == 128 + SIGKILL)

    let last = try TerminalSession(snip.with(variables), ["browse"])
    try await last.read(until: "was not saved, and was kept")
    try await last.read(until: "typed")
    try last.type("m")
    try await last.read(until: "Saved. u takes it back.")
    try last.type("q")
    #expect(try await last.end().status == 0)
    #expect(try await snip("list", "--json").text.contains("typed"))
  }

  @Test func `an editor that was killed leaves the terminal as it was`() async throws {
    let editor = snip.folder.appendingPathComponent("editor.sh")
    try await Shell.writeScript(
      "stty -icanon -echo\nprintf '\\033[?1002h'\necho EDITOR-IS-HERE\nkill -9 $$",
      to: editor
    )
    let session = try TerminalSession(snip.with(["VISUAL": editor.path]), ["browse"])
    try await session.read(until: "Harbour")
    try session.type("e")
    try await session.read(until: "a signal ended the editor (Killed).")
    let reset = "\u{1B}[?1002l"
    let after = session.text.components(separatedBy: "\u{1B}[?1002h").last ?? ""
    #expect(after.contains(reset), "\(after)")
    try session.type("q")

    #expect(try await session.end().status == 0)
    #expect(try session.editsLines())
  }

  @Test(arguments: [
    ("no-such-editor --wait", "“no-such-editor --wait” was not found. Set VISUAL or EDITOR."),
    ("; rm -rf", "Nothing was changed: the editor ended with status 2."),
    ("/", "“/” cannot be run."), ("true", "must wait: `code --wait`"),
  ])
  func `an editor that edits nothing is told`(name: String, words: String) async throws {
    let variables = ["VISUAL": Optional("  "), "EDITOR": name]
    let session = try TerminalSession(snip.with(variables), ["browse"], columns: 100)
    try await session.read(until: "Harbour")
    try session.type("e")
    try await session.read(until: words)
    #expect(try !session.editsLines())
    try session.type("q")
    #expect(try await session.end().status == 0)
    #expect(try session.editsLines())
  }
}
