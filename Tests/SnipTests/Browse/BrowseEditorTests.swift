import Foundation
import SnippetTestSupport
import Testing

/// The user's editor on the terminal of the browser: its end, and what others do until then.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BrowseEditorTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

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

  @Test(arguments: [("m", "was typed\n"), ("t", "theirs")])
  func `what another program saves in the meantime is not written over unasked`(
    key: String,
    text: String
  ) async throws {
    let session = try await edit(status: 0)
    #expect(try await snip("edit", "5", "--text", "theirs").status == 0)

    try session.type("was typed\r")
    try await session.read(until: "changed elsewhere while you edited it")
    #expect(try await snip("cat", "5").text == "theirs")
    try session.type(key)
    try await session.read(until: key == "m" ? "Saved. u takes it back." : "Took theirs")
    try session.type(key == "m" ? "q" : "qq")

    #expect(try await session.end().status == 0)
    #expect(try await snip("cat", "5").text == text)
  }
}
