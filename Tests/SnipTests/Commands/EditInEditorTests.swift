import Foundation
import SnippetTestSupport
import Testing

/// `edit` without options: the user's editor on the terminal.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct EditInEditorTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  /// Saves the text that was kept, as the browser offers it, also over one that was `changedElsewhere`.
  private func saveKeptText(changedElsewhere: Bool = false) async throws {
    let browser = try TerminalSession(snip, ["browse"])
    try await browser.read(until: "was not saved, and was kept")
    try browser.type("m")
    if changedElsewhere {
      try await browser.read(until: "changed elsewhere")
      try browser.type("m")
    }
    try await browser.read(until: "Saved.")
    try browser.type("q")
    #expect(try await browser.end().status == 0)
    #expect(try await snip("cat", "1").text == "was typed\n")
  }

  /// Starts an editor that tells the name of its file, writes what is typed and ends with a status.
  private func edit(_ id: String = "1", status: Int32 = 0) async throws -> TerminalSession {
    let editor = snip.folder.appendingPathComponent("editor.sh")
    let lines = "echo \"EDITOR-HAS ${1##*/}.\"\nread line\necho \"$line\" >\"$1\"\nexit \(status)"
    try await Shell.writeScript(lines, to: editor)
    let session = try TerminalSession(snip.with(["VISUAL": editor.path]), ["edit", id])
    try await session.read(until: "EDITOR-HAS")
    return session
  }

  @Test func `a text is edited and saved`() async throws {
    let session = try await edit()
    try session.type("was typed\r")
    let output = try await session.end()

    #expect(output.status == 0 && output.text.contains("Saved."), "\(output)")
    #expect(try await snip("cat", "1").text == "was typed\n")
    #expect(session.text.contains("EDITOR-HAS snippet-1.txt."))
    #expect(try session.editsLines())
  }

  @Test func `the editor sees the name of the file, or that a text is Markdown`() async throws {
    try snip.write(Data("echo hello\n".utf8), "vault/run.sh")
    _ = try await snip("import", "vault")
    let heading = try await snip("add", "--text", "# A list\n\n- one").text

    let script = try await edit("6")
    try script.type("echo bye\r")
    #expect(try await script.end().text.contains("EDITOR-HAS run.sh."))
    let note = try await edit(heading.trimmingCharacters(in: .newlines))
    try note.type("x\r")
    #expect(try await note.end().text.contains(".md."))
  }

  @Test func `a text with bytes that an editor would lose is left alone`() async throws {
    let bytes =
      Data(String(repeating: "Grüße aus Köln\n", count: 20).utf8) + Data([0x47, 0x72, 0xFC, 0x0A])
    #expect(try await snip("add", "--stdin", input: bytes) == SnipOutput("6\n"))

    let output = try await TerminalSession(snip.with(["VISUAL": "true"]), ["edit", "6"]).end()

    #expect(output.status == 1 && output.text.contains("an editor would lose"), "\(output)")
    #expect(output.text.contains("snip cat 6 > FILE keeps them"), "\(output)")
    #expect(try await snip("cat", "6").bytes == bytes)
  }

  @Test func `of an image the note is edited, and an empty file takes it off`() async throws {
    let session = try await edit("2")
    try session.type("The boats\r")
    let output = try await session.end()

    #expect(output.status == 0 && output.text.contains("EDITOR-HAS snippet-2.md."), "\(output)")
    #expect(try await snip("show", "2").text.contains("The boats"))
    #expect(try await snip("search", "boats", "--json").json("id") == [2])
    let empty = try await edit("2")
    try empty.type("\r")
    #expect(try await empty.end().status == 0)
    #expect(try await !snip("show", "2").text.contains("The boats"))
  }

  @Test func `an empty file from the editor does not empty a text`() async throws {
    let before = try await snip("cat", "1").text
    let editor = snip.folder.appendingPathComponent("emptying.sh")
    try await Shell.writeScript(": >\"$1\"", to: editor)

    let output = try await TerminalSession(snip.with(["VISUAL": editor.path]), ["edit", "1"]).end()

    #expect(output.status == 0 && output.text.contains("Nothing was changed."), "\(output)")
    #expect(output.text.contains("snip edit 1 --text ''"), "\(output)")
    #expect(try await snip("cat", "1").text == before)
  }

  @Test func `what another program saves in the meantime is not overwritten, and the text is kept`()
    async throws
  {
    let session = try await edit()
    #expect(try await snip("edit", "1", "--text", "theirs").status == 0)
    try session.type("was typed\r")
    let output = try await session.end()

    #expect(output.status == 1, "\(output)")
    #expect(output.text.contains("not saved: it was changed elsewhere while you edited it"))
    #expect(output.text.contains("It is kept: `snip browse` offers it."))
    #expect(try await snip("cat", "1").text == "theirs")
    let again = try await TerminalSession(snip, ["edit", "1"]).end()
    #expect(again.status == 1 && again.text.contains("is kept"), "\(again)")
    try await saveKeptText(changedElsewhere: true)
  }

  @Test func `a text whose store was moved is offered once that is back`() async throws {
    let session = try await edit()
    let away = snip.folder.appendingPathComponent("away.sqlite")
    try FileManager.default.moveItem(at: snip.store, to: away)
    try session.type("was typed\r")
    let output = try await session.end()

    #expect(output.status == 1, "\(output)")
    let words = /Move the store back to (\S+), and `snip browse` offers it/
    let place = try #require(output.text.firstMatch(of: words), "\(output)").output.1
    #expect(place.hasSuffix("/store.sqlite"))
    try FileManager.default.moveItem(at: away, to: URL(fileURLWithPath: String(place)))
    try await saveKeptText()
  }

  @Test func `an editor that failed saves nothing, and its text is told`() async throws {
    let session = try await edit(status: 3)
    try session.type("was typed\r")
    let output = try await session.end()

    #expect(output.status == 1)
    #expect(output.text.contains("not saved: the editor ended with status 3"), "\(output)")
    let file = try #require(output.text.firstMatch(of: /It is in (\S+)/)).output.1
    #expect(try String(contentsOfFile: String(file), encoding: .utf8) == "was typed\n")

    // Later edits leave it where it is.
    _ = try await TerminalSession(snip.with(["VISUAL": "true"]), ["edit", "5"]).end()
    let again = try await TerminalSession(snip, ["edit", "1"]).end()
    #expect(again.status == 1 && again.text.contains("It is in \(file), and"), "\(again)")
    #expect(try String(contentsOfFile: String(file), encoding: .utf8) == "was typed\n")
    try await saveKeptText()
  }

  @Test func `what an editor saves beside the text stays, and a sentence says where`()
    async throws
  {
    let editor = snip.folder.appendingPathComponent("saving.sh")
    try await Shell.writeScript("echo mine >\"$1\"\necho other >\"$1.v2\"", to: editor)

    let output = try await TerminalSession(snip.with(["VISUAL": editor.path]), ["edit", "1"]).end()

    #expect(output.status == 0 && output.text.contains("Saved."), "\(output)")
    let words = /Other files that the editor wrote are in (\S+)\./
    let folder = try #require(output.text.firstMatch(of: words)).output.1
    let file = "\(folder)/snippet-1.txt.v2"
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "other\n")
    #expect(try await snip("cat", "1").text == "mine\n")
  }

  @Test func `a text is saved after a signal that came while it was edited`() async throws {
    let session = try await edit()
    session.send(SIGTERM)
    try session.type("was typed\r")

    #expect(try await session.end().status == 130)
    #expect(try await snip("cat", "1").text == "was typed\n")
  }

  @Test(arguments: [
    ("true", 0, "Nothing was changed. An editor with a window must wait: `code --wait`."),
    ("false", 1, "nothing was changed: the editor ended with status 1"),
    ("no-such-editor", 1, "“no-such-editor” was not found. Set VISUAL or EDITOR"),
  ])
  func `an editor that changes nothing is told`(
    editor: String,
    status: Int32,
    words: String
  ) async throws {
    let session = try TerminalSession(snip.with(["VISUAL": editor]), ["edit", "1"])
    let output = try await session.end()

    #expect(output.status == status && output.text.contains(words), "\(output)")
  }

  @Test func `a snippet outside the trash is edited, on a terminal`() async throws {
    _ = try await snip("rm", "4")

    let outputs = [
      try await snip("edit", "1"), try await TerminalSession(snip, ["edit", "4"]).end(),
      try await TerminalSession(snip, ["edit", "99"]).end(),
    ]

    #expect(outputs.map(\.status) == [64, 2, 2])
    #expect(outputs[0].standardError.contains("could not open an editor: it needs a terminal"))
    #expect(outputs[1].text.contains("To bring it back: snip undelete 4"))
  }
}
