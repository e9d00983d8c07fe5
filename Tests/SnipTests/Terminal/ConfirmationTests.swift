import Foundation
import SnippetTestSupport
import Testing

/// What replaces or destroys asks who sits at a terminal.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ConfirmationTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.makeWithTrash()
    try snip.write(Data("mine".utf8), "there.txt")
  }

  struct Command: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    /// The last part of the question.
    var question: String
    var isDone: @Sendable (SnipTool) async throws -> Bool

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let commands = [
    Command(
      arguments: ["restore", "copy.sqlite"],
      question: "store.sqlite with copy.sqlite? [y/N] "
    ) { snip in try await snip("list", "--json").json("id").contains(3) },
    Command(
      arguments: ["purge", "--quick"],
      question: "Delete the 1 snippet in the trash for good? [y/N] "
    ) { snip in
      let trash = try await snip("list", "--trash", "--json")
      return trash.status == 0 && trash.bytes.isEmpty
    },
    Command(
      arguments: ["rm", "1", "2", "--permanently"],
      question: "Delete 2 snippets for good? [y/N] "
    ) { snip in try await snip("list", "--json").json("id") == [5, 4] },
    Command(arguments: ["cat", "1", "-o", "there.txt"], question: "Replace there.txt? [y/N] ") {
      snip in
      let file = snip.folder.appendingPathComponent("there.txt")
      return try String(contentsOf: file, encoding: .utf8) == SampleLibrary.shopping
    },
  ]

  @Test(arguments: commands, ["y", "YES"])
  func `yes has it done`(
    command: Command,
    answer: String
  ) async throws {
    let session = try TerminalSession(snip, command.arguments)
    #expect(try await session.read(until: command.question), "\(session.text)")
    try session.type(answer + "\n")

    let output = try await session.end()

    #expect(output.status == 0, "\(output)")
    #expect(try await command.isDone(snip))
  }

  @Test(arguments: commands, ["n\n", "\n", "yesterday\n", "\u{4}"])
  func `any other answer changes nothing`(
    command: Command,
    answer: String
  ) async throws {
    let session = try TerminalSession(snip, command.arguments)
    #expect(try await session.read(until: command.question), "\(session.text)")
    try session.type(answer)

    let output = try await session.end()

    #expect(output.status == 1, "\(output)")
    #expect(output.text.contains("not confirmed; nothing was changed"), "\(output)")
    #expect(try await !command.isDone(snip))
  }

  @Test(arguments: commands)
  func `Ctrl-C at the question changes nothing`(command: Command) async throws {
    let session = try TerminalSession(snip, command.arguments)
    #expect(try await session.read(until: command.question), "\(session.text)")

    session.send(SIGINT)

    #expect(try await session.end().status == 130)
    #expect(try await !command.isDone(snip))
  }

  @Test(arguments: commands)
  func `--yes asks nobody, nor does a script`(command: Command) async throws {
    let copy = TemporaryDirectory.file("saved.sqlite")
    #expect(try await snip("backup", copy.path).status == 0)

    let told = try await snip.onTerminal(command.arguments + ["--yes"])
    #expect(told.status == 0 && !told.text.contains("[y/N]"), "\(told)")
    #expect(try await command.isDone(snip))

    #expect(try await snip("restore", copy.path).status == 0)
    try snip.write(Data("mine".utf8), "there.txt")
    if command.arguments[0] == "restore" { _ = try await snip("rm", "3") }
    // A process of its own, whose input is no terminal.
    let script = try await snip.start(command.arguments).output()
    #expect(script.status == 0 && !script.standardError.contains("[y/N]"), "\(script)")
  }

  @Test func `nobody is asked where there is nothing to lose`() async throws {
    let other = snip.with(["SNIP_STORE": TemporaryDirectory.file("new.sqlite").path])

    #expect(try await other.onTerminal(["restore", "copy.sqlite"]).status == 0)
    #expect(try await other.onTerminal(["rm", "3"]).status == 0)
    #expect(try await other.onTerminal(["purge", "--yes"]).status == 0)
    #expect(try await other.onTerminal(["purge"]).status == 0)
    #expect(try await other.onTerminal(["cat", "1", "-o", "fresh.txt"]).status == 0)
  }
}
