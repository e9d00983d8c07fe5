import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// The browser on a terminal: what it is sent, and how it is left.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BrowseTerminalTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  private static let leaving =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  private func start(_ variables: [String: String] = [:]) async throws -> TerminalSession {
    let session = try TerminalSession(snip.with(variables.mapValues(Optional.some)), ["browse"])
    try await session.read(until: "Harbour")
    return session
  }

  @Test func `it takes the whole screen, and leaves it at q`() async throws {
    let session = try await start()
    #expect(session.text.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"))
    #expect(try !session.editsLines())

    try session.type("q")
    let output = try await session.end()

    #expect(output.status == 0 && output.text.hasSuffix(Self.leaving), "\(output)")
    #expect(try session.editsLines())
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `the terminal is in order after a signal`(signal: Int32) async throws {
    let session = try await start()

    session.send(signal)
    let output = try await session.end()

    #expect(output.status == 130, "\(output)")
    #expect(output.text.hasSuffix(Self.leaving + "\u{1B}[1;31msnip:\u{1B}[0m interrupted\r\n"))
    #expect(try session.editsLines())
  }

  @Test func `the terminal is in order after ctrl-c`() async throws {
    let session = try await start()

    try session.type("\u{3}")

    #expect(try await session.end().status == 130)
    #expect(try session.editsLines())
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGTRAP])
  func `the terminal is in order after a crash`(signal: Int32) async throws {
    let session = try await start(["SWIFT_BACKTRACE": "enable=no"])

    session.send(signal)
    let output = try await session.end()

    #expect(output.status == 128 + signal)
    #expect(output.text.contains(Self.leaving))
    #expect(try session.editsLines())
  }

  @Test func `a key draws only the lines that differ`() async throws {
    let session = try await start()
    let end = "An older encoding"

    try session.type("/zzz")
    try await session.read(until: "Nothing found.")
    try session.type("\u{15}")
    try await session.read(until: end, after: "Nothing found.")
    try session.type("\r?")
    try await session.read(until: "Keys", after: end)
    try session.type("qq")

    #expect(try await session.end().status == 0)
    // The screen is erased once, at the beginning.
    #expect(session.text.components(separatedBy: "\u{1B}[2J").count == 2)
  }

  @Test func `the mouse is taken, and given back at the end and when it stops`() async throws {
    let (taken, given) = ("\u{1B}[?1000h\u{1B}[?1006h", "\u{1B}[?1006l\u{1B}[?1000l" + Self.leaving)
    let session = try await start()
    #expect(session.text.contains(taken))

    // The second row, and the wheel.
    try session.type("\u{1B}[<0;20;7M\u{1B}[<0;20;7m")
    try await session.read(until: "2/5")
    session.send(SIGTSTP)
    try await session.read(until: given)
    try await session.untilStopped()
    session.send(SIGCONT)
    try await session.read(until: taken, after: given)
    try session.type("q")

    #expect(try await session.end().text.hasSuffix(given))
  }

  @Test func `the mouse is left alone if that is asked for`() async throws {
    let session = try TerminalSession(snip, ["browse", "--no-mouse"])
    try await session.read(until: "Harbour")
    try session.type("q")
    #expect(try await !session.end().text.contains("1000"))
  }

  @Test func `the time for which it was stopped is no time of a frame`() async throws {
    let session = try await start()
    try session.type("#")
    try await session.read(until: " wrong ")

    session.send(SIGTSTP)
    try await session.untilStopped()
    // A frame that took so long would be told. On a busy machine any may take a second.
    try await Task.sleep(for: .seconds(5))
    session.send(SIGCONT)
    try await session.read(until: " wrong ", count: 2)
    try session.type("q")
    _ = try await session.end()

    let times = session.text.matches(of: /(\d+)\.\d ms/).compactMap { Int($0.output.1) }
    #expect(!times.isEmpty && times.allSatisfy { $0 < 4500 }, "\(times)")
  }

  @Test func `an editor has the terminal to itself, and then the browser again`() async throws {
    let editor = snip.folder.appendingPathComponent("an editor.sh")
    let lines = "echo EDITOR-IS-HERE\nread line\necho \"$line\" >\"$2\""
    try await Shell.writeScript(lines, to: editor)
    let session = try await start(["VISUAL": "'\(editor.path)' --wait", "EDITOR": "false"])

    try session.type("e")
    try await session.read(until: "EDITOR-IS-HERE")
    let shown = session.text
    #expect(try session.editsLines())
    #expect(shown.contains(Self.leaving + "EDITOR-IS-HERE"), "\(shown.suffix(200))")
    // It is the editor that reads this, keys of the browser among it.
    try session.type("dq was typed\r")
    try await session.read(until: "Saved.", after: "EDITOR-IS-HERE")
    #expect(try !session.editsLines())
    try session.type("q")

    #expect(try await session.end().status == 0)
    #expect(try await snip("list", "--json").text.contains("dq was typed"))
  }

  @Test func `another size draws all of it anew`() async throws {
    let session = try await start()

    try session.resize(columns: 40, lines: 12)
    try await session.read(until: "\u{1B}[2J", count: 2)
    try session.type("q")

    #expect(try await session.end().status == 0)
    #expect(session.text.components(separatedBy: "\u{1B}[2J").count == 3)
  }

  @Test func `a terminal that can is told where a frame ends`() async throws {
    let session = try await start()
    #expect(session.text.contains("\u{1B}[?2026$p"))

    try session.type("\u{1B}[?2026;2$yj")
    try await session.read(until: "\u{1B}[?2026h")
    try session.type("q")

    #expect(try await session.end().status == 0)
  }

  @Test func `it stops with the terminal in order, and goes on`() async throws {
    let session = try await start()

    session.send(SIGTSTP)
    try await session.read(until: Self.leaving)
    try await session.untilStopped()
    session.send(SIGCONT)
    try await session.read(until: "Harbour", after: Self.leaving)
    try session.type("q")

    #expect(try await session.end().status == 0)
    #expect(try session.editsLines())
  }

  @Test func `without colours nothing but the screen is controlled`() async throws {
    let session = try await start(["NO_COLOR": "1"])
    try session.type("q")
    let output = try await session.end()

    let styles = output.text.matches(of: /\x1B\[[0-9;]*m/).map { String($0.output) }
    #expect(Set(styles) == ["\u{1B}[0m"], "\(output)")
  }

  @Test(arguments: ["dumb", ""])
  func `a terminal that cannot be drawn on is told so`(name: String) async throws {
    let output = try await snip.with(["TERM": name]).onTerminal("browse")

    #expect(output.status == 64 && !output.bytes.contains(0x1B), "\(output)")
    #expect(output.text.contains("`snip list`"))
  }

  @Test func `hostile texts control no terminal`() async throws {
    let store = try SnippetStore(at: snip.store)
    try await store.save(contentsOf: Hostile.texts.map { SnippetDraft(.text($0), title: $0) })
    try await store.close()
    let session = try TerminalSession(snip, ["browse"], columns: 100, lines: 90)
    try await session.read(until: "An older encoding")
    try session.type("q")
    let output = try await session.end()

    let rest = output.text.replacing("\u{1B}_Gi=4031,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", with: "")
      .replacing(/\x1B\[\??[0-9;]*[$chlmpGHJK]+/, with: "")
    #expect(Hostile.findings(in: Data(rest.utf8), isTerminal: false).isEmpty, "\(rest)")
  }
}
