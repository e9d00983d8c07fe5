import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

/// What a terminal gets, and what a pipe does.
///
/// With `SNIP_LONG_TESTS` set: with every command and width; otherwise some, which the seed draws.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct TerminalTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
    try snip.write(Data("new".utf8), "files/new.txt")
  }

  private static let commands = [
    "list", "list --json", "search milk", "show 1", "show 2", "tag", "info", "check",
    "sql 'SELECT * FROM snippets'", "backup other.sqlite", "restore copy.sqlite", "import files",
    "scroll --frames 2", "demo", "show 99", "bogus", "--help", "rm 5",
  ]

  @Test func `a pipe gets no escape sequence`() async throws {
    #expect(try await snip("backup", "copy.sqlite").status == 0)
    var generator = SeededGenerator()
    for command in Self.commands.share(6, using: &generator) {
      let output = try await snip.shell("snip \(command) 2>&1")
      #expect(!output.bytes.contains(0x1B), "\(command): \(output)")
      #expect(!output.bytes.contains(0x0D), "\(command): \(output)")
    }
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"], ["TERM": ""], ["CLICOLOR": "0"]])
  func `a terminal gets no style where none is wanted`(variables: [String: String]) async throws {
    let snip = snip.with(variables.mapValues(Optional.some))

    var generator = SeededGenerator()
    let commands = [["list"], ["show", "1"], ["info"], ["show", "99"]]
    for arguments in commands.share(2, using: &generator) {
      let output = try await snip.onTerminal(arguments)
      #expect(!output.bytes.contains(0x1B), "\(arguments) \(output)")
    }
  }

  @Test func `a terminal gets styles, and a pipe that asks for them`() async throws {
    let shown = try await snip.onTerminal(["list"])
    let forced = try await snip.with(["CLICOLOR_FORCE": "1"]).start(["list"]).output()
    let unset = try await snip.with(["NO_COLOR": ""]).onTerminal(["show", "99"])

    #expect(shown.text.hasPrefix("\u{1B}[1mID "), "\(shown)")
    #expect(forced.text.hasPrefix("\u{1B}[1mID "), "\(forced)")
    #expect(unset.text.hasPrefix("\u{1B}[1;31msnip:\u{1B}[0m "), "\(unset)")
  }

  @Test(arguments: ["list", "show 1", "search milk", "info", "tag", "show 99"])
  func `--color goes before the environment`(command: String) async throws {
    let forced = ["CLICOLOR_FORCE": "1"]
    let never = try await snip.shell("snip \(command) --color never", forced)
    let always = try await snip.shell("snip \(command) --color always", ["NO_COLOR": "1"])
    let auto = try await snip.shell("snip \(command) --color auto", forced)

    #expect(!(never.text + never.standardError).contains("\u{1B}"), "\(never)")
    #expect(always == auto && always.status == never.status)
    if command != "tag" {
      #expect((always.text + always.standardError).contains("\u{1B}"), "\(always)")
    }
  }

  private static let widths = {
    var generator = SeededGenerator()
    return [20, 30, 40, 54, 62, 72, 80, 132].share(3, using: &generator)
  }()

  @Test(arguments: widths)
  func `tables fit the terminal and leave room for the snippet`(columns: Int) async throws {
    try await SampleLibrary.makeWide()

    for arguments in [
      ["list", "--store", "wide.sqlite"], ["search", "a", "--store", "wide.sqlite"],
    ] {
      let output = try await snip.with(["NO_COLOR": "1"]).onTerminal(columns: columns, arguments)

      #expect(output.lines.allSatisfy { $0.displayWidth <= columns }, "\(output)")
      let header = try #require(output.lines.first)
      let start = try #require(header.range(of: "SNIPPET")).lowerBound
      let room = columns - header[..<start].displayWidth
      #expect(room >= min(20, columns - 14), "\(header)")
      #expect(output.lines[1].contains("四季の俳"), "\(output)")
    }
  }

  @Test(arguments: [20, 40, 80])
  func `a text is wrapped where the terminal ends, wide characters too`(columns: Int) async throws {
    try await SampleLibrary.makeWide()

    let output = try await snip.onTerminal(
      columns: columns,
      ["show", "1", "--store", "wide.sqlite"]
    )

    let text = output.lines.drop { !$0.isEmpty }.dropFirst()
    #expect(text.count > 1 && text.allSatisfy { $0.displayWidth <= columns }, "\(output)")
    #expect(
      text.joined().filter { !$0.isWhitespace }
        == SampleLibrary.wideText.filter { !$0.isWhitespace }
    )
  }

  @Test func `progress is drawn over on one line, and erased`() async throws {
    for number in 0..<30 {
      try snip.write(
        Samples.bytes(200_000, seed: UInt64(number)).base64EncodedData(),
        "big/\(number)"
      )
    }

    let output = try await snip.onTerminal(["import", "big"])

    let parts = output.text.components(separatedBy: "\r")
    #expect(parts.count > 2 && parts[0].isEmpty, "\(output)")
    #expect(parts.dropFirst().dropLast().allSatisfy { $0.hasPrefix("Importing [") })
    #expect(parts.dropLast().allSatisfy { !$0.contains("\n") && $0.count < 80 + 3 }, "\(output)")
    #expect(parts.last?.hasPrefix("\u{1B}[Kimported 30  duplicates 0  ") == true, "\(output)")
  }

  @Test func `check, backup and restore tell the bytes they are at`() async throws {
    let store = try TemporaryStore.open("big.sqlite")
    for seed in 0..<12 as Range<UInt64> {
      try await store.save(Samples.image(Samples.bytes(1 << 20, seed: seed)))
    }
    try await store.close()

    let output = try await snip.onTerminal(["backup", "copy", "--store", "big.sqlite"])

    #expect(output.status == 0)
    let line = output.text.split(separator: "\r").first { $0.hasPrefix("Backing up [") }
    #expect(try #require(line, "\(output)").contains(/MB\/1[23]\.\d MB/), "\(output)")
  }
}
