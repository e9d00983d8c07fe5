import Foundation
import SnippetTestSupport
import Testing

/// What replaces or destroys asks who sits at a terminal.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ConfirmationTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
    #expect(try await snip("backup", "copy.sqlite").status == 0)
    #expect(try await snip("rm", "3").status == 0)
    try snip.write(Data("mine".utf8), "there.txt")
  }

  /// Commands with a part of their question, and a line of shell that prints 1 once they are done.
  private static let commands: [([String], question: String, done: String)] = [
    (
      ["restore", "copy.sqlite"], "store.sqlite with copy.sqlite? [y/N] ",
      "snip list --json | grep -c '\"id\":3'"
    ),
    (
      ["purge", "--quick"], "Delete the 1 snippet in the trash for good? [y/N] ",
      "snip list --trash --json | wc -l | grep -c '^0'"
    ),
    (
      ["rm", "1", "2", "--permanently"], "Delete 2 snippets for good? [y/N] ",
      "snip list --json | wc -l | grep -c '^2'"
    ),
    (["cat", "1", "-o", "there.txt"], "Replace there.txt? [y/N] ", "grep -c Milk there.txt"),
  ]

  @Test(arguments: commands, ["y", "YES"])
  func `yes has it done`(
    command: ([String], question: String, done: String),
    answer: String
  ) async throws {
    let session = try TerminalSession(snip, command.0)
    #expect(try await session.read(until: command.question), "\(session.text)")
    try session.type(answer + "\n")

    let output = try await session.end()

    #expect(output.status == 0, "\(output)")
    #expect(try await snip.shell(command.done).text == "1\n")
  }

  @Test(arguments: commands, ["n\n", "\n", "yesterday\n", "\u{4}"])
  func `any other answer changes nothing`(
    command: ([String], question: String, done: String),
    answer: String
  ) async throws {
    let session = try TerminalSession(snip, command.0)
    #expect(try await session.read(until: command.question), "\(session.text)")
    try session.type(answer)

    let output = try await session.end()

    #expect(output.status == 1, "\(output)")
    #expect(output.text.contains("not confirmed; nothing was changed"), "\(output)")
    #expect(try await snip.shell(command.done).text == "0\n")
  }

  @Test(arguments: commands)
  func `Ctrl-C at the question changes nothing`(
    command: ([String], question: String, done: String)
  ) async throws {
    let session = try TerminalSession(snip, command.0)
    #expect(try await session.read(until: command.question), "\(session.text)")

    session.send(SIGINT)

    #expect(try await session.end().status == 130)
    #expect(try await snip.shell(command.done).text == "0\n")
  }

  @Test(arguments: commands)
  func `--yes asks nobody, nor does a script`(
    command: ([String], question: String, done: String)
  ) async throws {
    let copy = TemporaryDirectory.file("saved.sqlite")
    #expect(try await snip("backup", copy.path).status == 0)

    let told = try await snip.onTerminal(command.0 + ["--yes"])
    #expect(told.status == 0 && !told.text.contains("[y/N]"), "\(told)")
    #expect(try await snip.shell(command.done).text == "1\n")

    #expect(try await snip("restore", copy.path).status == 0)
    try snip.write(Data("mine".utf8), "there.txt")
    if command.0[0] == "restore" { _ = try await snip("rm", "3") }
    let script = try await snip.run(command.0)
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
