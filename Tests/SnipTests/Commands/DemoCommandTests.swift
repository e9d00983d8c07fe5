import Foundation
import SnipBrowser
import SnipCore
import SnippetTestSupport
import TerminalKit
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DemoCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  @Test func `the library is made once, in a store of its own`() async throws {
    let snip = snip.with(["SNIP_STORE": nil])
    let demo = "home/.local/share/snip/demo.sqlite"

    let first = try await snip("demo")
    let second = try await snip("demo")

    #expect(first.status == 0 && first.standardError.isEmpty, "\(first)")
    #expect(first.text.contains("\n20 snippets added ("), "\(first)")
    #expect(second.text.contains("\n0 snippets added (0 B), 20 were there already\n"), "\(second)")
    #if os(Linux)
    #expect(try await snip("list", "--store", demo, "--json").lines.count == 20)
    #expect(try await snip("check", "--store", demo).status == 0)
    #endif
    #expect(try await snip("list", "--json").lines.isEmpty)
  }

  @Test func `it lists everything, shows one of each kind, and scrolls`() async throws {
    let output = try await snip("demo", "--store", "demo.sqlite")

    let lines = output.lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("ID  KIND") })
    #expect(lines[(start + 1)...].prefix { !$0.isEmpty }.count == 20)
    for heading in ["One text: ", "One image: ", "One recording: ", "A thumb ", "What to try next"]
    {
      #expect(lines.contains { $0.hasPrefix(heading) }, "\(heading) in \(output)")
    }
    #expect(output.text.contains(", and each cell showed its own content at the end"), "\(output)")
    #expect(!output.text.contains("starts with"), "\(output)")
    for kind in [("text", 10), ("image", 6), ("voice", 4)] {
      let list = try await snip("list", "--json", "--kind", kind.0, "--store", "demo.sqlite")
      #expect(list.lines.count == kind.1)
    }
  }

  @Test(.enabled(if: TerminalAbilities.libraryVersion != nil), arguments: [40, 80])
  func `on a terminal it ends in pictures of all there is to see`(columns: Int) async throws {
    let output = try await snip.onTerminal(columns: columns, "demo", "--store", "demo.sqlite")

    let sheet = output.lines.drop { !$0.contains("What is in it to be seen and heard") }.dropFirst()
    #expect(output.status == 0 && sheet.joined().contains("\u{1B}[48;2;"), "\(output)")
    let shown = sheet.map { $0.replacing(/\x1B\[[0-9;]*m/, with: "") }
    #expect(shown.allSatisfy { $0.displayWidth <= columns }, "\(output)")
    // Each tile has six lines over its title, and an empty line below unless it is of the last row.
    let perRow = (columns + 2) / 20
    let rowCount = (10 + perRow - 1) / perRow
    #expect(sheet.count == rowCount * 8 - 1, "\(output)")
    for title in ["Sunset over hills", "Bird chirp", "Potted cactus", "Sailing boat"] {
      #expect(shown.contains { $0.contains(title) }, "\(title)")
    }
    // All of it can be decoded: nothing stands as a box of facts.
    #expect(!shown.contains { $0.contains("┌") }, "\(output)")
    let piped = try await snip("demo", "--store", "demo.sqlite")
    #expect(!piped.text.contains("to be seen"))
  }

  @Test(arguments: ["demo.sqlite", "a folder/it's «mine» & $HOME.sqlite"])
  func `what it says to try next works as printed`(name: String) async throws {
    try snip.write(Data("a document".utf8), "home/Documents/a.txt", "a folder/b.txt")

    let output = try await snip.shell("snip demo --store \"$PLACE\"", ["PLACE": name])

    let commands = output.lines.drop { $0 != "What to try next" }.dropFirst()
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(commands.filter { $0.hasPrefix("snip ") }.count == 5, "\(output)")
    #expect(commands.filter { $0.hasPrefix("sqlite3 ") }.count == 3, "\(output)")
    for command in commands {
      // Fewer rows than it says: these are for people with time.
      let command = command.replacingOccurrences(of: "--rows 100000", with: "--rows 100 --frames 5")
      let tried = try await snip.shell(command)
      #expect(tried.status == 0 && tried.standardError.isEmpty, "\(command): \(tried)")
      #expect(!tried.bytes.isEmpty, "\(command)")
    }
    #expect(
      try Data(contentsOf: TemporaryDirectory.file("copy.png"))
        == SampleFiles.demo("sunset-over-hills.png")
    )
  }

  @Test func `called by its path, it says how to call it by its name`() async throws {
    let output = try await snip("demo", "--store", "demo.sqlite")
    let place = SnipTool.executable.deletingLastPathComponent().path

    let hint = try #require(output.lines.first { $0.contains("PATH=") }, "\(output)")

    #expect(try await snip.shell("\(hint); command -v snip").text == "\(place)/snip\n")
  }

  @Test func `what else is in the store stays`() async throws {
    try await SampleLibrary.make()

    let report = try #require(try await snip("demo", "--json").json().first)

    #expect(report["imported"] == 20)
    #expect(report["snippets"] == 25)
    #expect(report["store"] == .string(snip.store.path))
    #expect(try await snip("cat", "1").bytes == SampleLibrary.contents[0])
  }
}
