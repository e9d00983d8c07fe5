import Foundation
import SnippetTestSupport
import Testing

/// `show` of texts that are longer than a screen, with and without a pager.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct PagerTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
  }

  private static func lines(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "line \($0)\n" }.joined()
  }

  private func add(_ text: String) async throws {
    #expect(try await snip("add", "--stdin", input: Data(text.utf8)) == SnipOutput("1\n"))
  }

  @Test func `on a terminal a text goes through the pager of the user`() async throws {
    try await add(Self.lines(1...5000))

    let output = try await snip.with(["PAGER": "tee seen | tail -n 1"]).onTerminal(["show", "1"])

    let seen = try String(contentsOf: TemporaryDirectory.file("seen"), encoding: .utf8)
    #expect(output.status == 0 && seen.hasSuffix("\nline 4999\nline 5000\n\n"), "\(output)")
    #expect(seen.hasPrefix("\u{1B}[1mline 1\u{1B}[0m\n"), "\(seen.prefix(80))")
    #expect(!output.text.contains("line 4999"), "\(output)")
  }

  @Test(arguments: [
    (["SNIP_PAGER": "cat > own", "PAGER": "cat > other"], "own"),
    (["PAGER": "env > other; cat > /dev/null"], "other"),
  ])
  func `SNIP_PAGER goes before PAGER`(variables: [String: String], file: String) async throws {
    try await add("Milk")

    let output = try await snip.with(variables.mapValues(Optional.some)).onTerminal(["show", "1"])

    #expect(output == SnipOutput(""), "\(output)")
    let seen = try String(contentsOf: TemporaryDirectory.file(file), encoding: .utf8)
    #expect(file == "own" ? seen.contains("Milk") : seen.contains("LESS=FRX\n"), "\(seen)")
  }

  @Test func `less is told to let a text that fits the screen stand`() async throws {
    try await add("Milk")

    let output = try await snip.with(["PAGER": nil]).onTerminal([
      "show", "1", "--lines", "1",
    ])
    let chosen = try await snip.with(["PAGER": "echo $LESS", "LESS": "-R"]).onTerminal([
      "show", "1",
    ])

    #expect(output.text.contains("Milk"), "\(output)")
    #expect(chosen.text == "-R\n", "\(chosen)")
  }

  @Test func `who leaves the pager early has seen enough`() async throws {
    // More than any pipe holds.
    try await add(Self.lines(1...300_000))

    let output = try await snip.with(["PAGER": "head -n 1"]).onTerminal(["show", "1"])

    #expect(output.status == 0, "\(output)")
    #expect(output.text == "\u{1B}[1mline 1\u{1B}[0m\n", "\(output)")
  }

  @Test func `Ctrl-C is for the pager`() async throws {
    try await add(Self.lines(1...300_000))
    let session = try TerminalSession(
      snip.with(["PAGER": "head -n 1; echo ready; read answer < /dev/stderr; echo $answer"]),
      ["show", "1"]
    )
    try await session.read(until: "ready")

    session.send(SIGINT)
    try session.type("still here\n")

    let output = try await session.end()
    #expect(
      output.status == 0 && output.text.hasSuffix("still here\r\nstill here\r\n"),
      "\(output)"
    )
  }

  @Test func `a pager that is not there is told, and the status says so`() async throws {
    try await add("Milk")

    let output = try await snip.with(["PAGER": "no-such-pager"]).onTerminal(["show", "1"])

    #expect(output.status == 1, "\(output)")
    #expect(output.text.contains("could not start the pager ‘no-such-pager’"), "\(output)")
    #expect(output.text.contains("--no-pager"), "\(output)")
  }

  @Test(
    arguments: [
      (["--no-pager"], ["PAGER": "cat > seen"]), ([], ["PAGER": "cat"]), ([], ["PAGER": ""]),
      ([], ["TERM": "dumb", "PAGER": "cat > seen"]), ([], ["PAGER": nil, "PATH": "/nowhere"]),
    ] as [([String], [String: String?])]
  )
  func `without a pager a terminal gets the beginning, and how to see the rest`(
    options: [String],
    variables: [String: String?]
  ) async throws {
    try await add(Self.lines(1...5000))
    let snip = snip.with(variables).with(["NO_COLOR": "1"])

    let output = try await snip.onTerminal(["show", "1"] + options)
    let all = try await snip.onTerminal(["show", "1", "--all"] + options)

    #expect(output.status == 0)
    #expect(
      output.text.hasSuffix(
        "\nline 999\nline 1000\nThis is the beginning. All of it: snip show 1 --all\n"
      ),
      "\(output.text.suffix(200))"
    )
    #expect(all.text.hasSuffix("\nline 4999\nline 5000\n\n"), "\(all.text.suffix(200))")
    #expect(!FileManager.default.fileExists(atPath: TemporaryDirectory.file("seen").path))
  }

  @Test func `one endless line is bounded too, and nothing is lost where it is cut`() async throws {
    let words = (1...60_000).map { "word\($0)" }
    try await add(words.joined(separator: " "))

    let output = try await snip.with(["NO_COLOR": "1"]).onTerminal(["show", "1"])
    let all = try await snip.with(["NO_COLOR": "1"]).onTerminal(["show", "1", "--all"])

    #expect(
      output.bytes.count < 400_000 && output.text.contains("--all"),
      "\(output.text.suffix(99))"
    )
    let text = all.lines.drop { !$0.isEmpty }.dropFirst()
    #expect(text.allSatisfy { $0.count <= 80 })
    #expect(text.joined(separator: " ").split(separator: " ") == words.map { Substring($0) })
  }

  @Test func `a pipe gets all of it, or the lines that were asked for`() async throws {
    try await add(Self.lines(1...5000))

    let all = try await snip("show", "1")
    let some = try await snip("show", "1", "--lines", "3")
    let short = try await snip("show", "1", "--lines", "9000")

    #expect(all.text.hasSuffix("\nline 4999\nline 5000\n\n"))
    #expect(some.text.hasSuffix("\n\nline 1\nline 2\nline 3\n"), "\(some)")
    #expect(some.standardError.isEmpty)
    #expect(short == all)
  }
}
