import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Nothing that a user keeps, and no name of a file, acts on the terminal.
///
/// Some of what is shown is shown on a terminal; with `SNIP_LONG_TESTS` set, all of it.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct HostileTextTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await Self.template.copy()
  }

  private static let template = StoreTemplate { store in
    for text in Hostile.texts {
      try await store.save(SnippetDraft(.text(text + "\n" + text), title: text, tags: [text]))
    }
    try await store.save(
      SnippetDraft(
        .bytes(SampleLibrary.picture),
        kind: .image,
        mediaType: "image/\u{1B}[31m\u{202E}",
        title: Hostile.line
      )
    )
  }

  private static let commands = [
    ["list", "--limit", "0"], ["list", "--json", "--limit", "0"], ["search", "e"],
    ["search", "e", "--json"], ["search", Hostile.line], ["show", "21"], ["show", "21", "--json"],
    ["tag"], ["tag", "--json"], ["tag", "1"], ["tag", "1", Hostile.line],
    ["tag", "1", "x", "--json"],
    ["edit", "1", "--title", Hostile.line, "--json"],
    ["import", Hostile.line], ["import", Hostile.line, "--json"], ["import", "--\(Hostile.line)"],
    ["backup", Hostile.line], ["backup", "missing/\(Hostile.line)"],
    ["restore", Hostile.line, "--yes"],
    ["add", "./\(Hostile.line)/x"], ["add", "store.sqlite", Hostile.line],
    ["list", "--store", Hostile.line], ["info", "--store", "./\(Hostile.line)"],
    ["demo", "--store", Hostile.line], ["check", "--store", "missing/\(Hostile.line)"],
    ["cat", "1", "-o", "missing/\(Hostile.line)"], ["cat", "1", "--range", Hostile.line],
    ["list", "--kind", Hostile.line], [Hostile.line], ["list", Hostile.line],
    ["show", Hostile.line],
    ["--\(Hostile.line)"], ["add", "--image", Hostile.line], ["help", Hostile.line],
  ]

  /// Those that run on a terminal too, each in a process of its own.
  private static let shownCommands: Set<[String]> = {
    var generator = SeededGenerator()
    return Set(commands.share(8, using: &generator))
  }()

  @Test(arguments: commands)
  func `no command sends it on, neither to a terminal nor into a pipe`(
    arguments: [String]
  ) async throws {
    let piped = try await snip.run(arguments)

    #expect(Hostile.findings(in: piped.bytes, isTerminal: false) == [], "\(piped)")
    #expect(Hostile.findings(in: Data(piped.standardError.utf8), isTerminal: false) == [])
    guard Self.shownCommands.contains(arguments) else { return }
    let shown = try await snip.onTerminal(arguments)
    #expect(Hostile.findings(in: shown.bytes, isTerminal: true) == [], "\(shown)")
  }

  @Test func `every snippet can be looked at`() async throws {
    var generator = SeededGenerator()
    for id in Array(1...Hostile.texts.count).share(6, using: &generator) {
      for command in ["show", "cat"] {
        let shown = try await snip.onTerminal([command, "\(id)"])

        #expect(shown.status == 0)
        #expect(Hostile.findings(in: shown.bytes, isTerminal: true) == [], "\(shown)")
      }
    }
    for (index, text) in Hostile.texts.enumerated() {
      #expect(try await snip("cat", "\(index + 1)") == SnipOutput(text + "\n" + text))
    }
  }

  @Test func `names in folders cannot act either, and their files are imported`() async throws {
    let folder = TemporaryDirectory.file("files")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for (number, text) in Hostile.texts.enumerated() {
      let bytes = Data((number % 2 == 0 ? "text \(number)" : "%PDF-\(number)").utf8)
      try bytes.write(to: folder.appendingPathComponent(text))
    }

    let shown = try await snip.onTerminal(["import", "files", "--progress", "plain"])
    let piped = try await snip("import", "files", "--json")

    #expect(shown.status == 0 && piped.status == 0, "\(shown) \(piped)")
    #expect(Hostile.findings(in: shown.bytes, isTerminal: true) == [], "\(shown)")
    #expect(Hostile.findings(in: piped.bytes, isTerminal: false) == [], "\(piped)")
    #expect(try piped.json().last?["unchanged"] == 10)
    #expect(
      try piped.json("file").compactMap { $0.string?.split(separator: "/").last.map(String.init) }
        .sorted() == Hostile.texts.sorted()
    )
  }

  @Test func `what a check finds cannot act either`() async throws {
    let sql = "CREATE TRIGGER \"\(Hostile.line)\" AFTER INSERT ON tag BEGIN SELECT 1; END"
    _ = try await snip("backup", "copy.sqlite")
    let made = try await Shell.sqlite3(TemporaryDirectory.file("copy.sqlite"), sql)
    #expect(made.status == 0, "\(made)")

    for options in [[], ["--json"]] {
      let shown = try await snip.onTerminal(["check", "--store", "copy.sqlite"] + options)

      #expect(shown.status == 1, "\(shown)")
      #expect(Hostile.findings(in: shown.bytes, isTerminal: true) == [], "\(shown)")
    }
  }
}
