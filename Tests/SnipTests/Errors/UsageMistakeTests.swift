import ArgumentParser
import Foundation
import SnipCore
import SnippetTestSupport
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UsageMistakeTests {
  private static let commands = Snip.configuration.subcommands.map { $0.configuration }

  @Test(arguments: [
    (["lst"], "snip list"), (["help", "lst"], "snip list"), (["ls"], "snip list"),
    (["serach"], "snip search"), (["LIST"], "snip list"), (["exprot", "x"], "snip export"),
    (["delete", "1"], "snip rm"), (["completions"], "snip setup"), (["unde"], "snip undelete"),
    (["trash"], "snip list --trash"),
  ])
  func `a command that there is not is told with what may be meant`(
    arguments: [String],
    suggestion: String
  ) throws {
    let mistake = try #require(UsageMistake(in: arguments, among: Self.commands))

    let word = try #require(arguments.first { $0 != "help" })
    #expect(mistake.message == "there is no command ‘\(word)’" && mistake.status == .usage)
    #expect(try #require(mistake.hint).hasPrefix("Did you mean `\(suggestion)`? "))
  }

  @Test func `a word like no command is told without a guess`() throws {
    #expect(
      UsageMistake(in: ["xyzzyplugh"], among: Self.commands)?.hint
        == "`snip --help` lists the commands."
    )
    // Bounded, whatever is typed.
    let long = String(repeating: "é", count: 100_000)
    #expect(
      UsageMistake(in: [long], among: Self.commands)?.hint == "`snip --help` lists the commands."
    )
  }

  @Test(arguments: [
    [], ["--help"], ["help"], ["help", "list"], ["list", "--bogus"], ["decode-media"],
    ["--version"], ["help", "help"],
  ])
  func `what there is, is no mistake`(arguments: [String]) {
    #expect(UsageMistake(in: arguments, among: Self.commands) == nil)
  }

  @Test(arguments: [
    ("snip lst", "snip: there is no command ‘lst’\nhint: Did you mean `snip list`? "),
    ("snip help lst", "snip: there is no command ‘lst’\nhint: Did you mean `snip list`? "),
    ("snip show -1", "snip: ‘-1’ is not the number of a snippet: they count from 1\nhint: "),
    ("snip tag 1 -5", "snip: ‘-5’ is not the number of a snippet: they count from 1\nhint: "),
    ("snip add '- milk'", "snip: ‘- milk’ starts with - and is not an option\nhint: "),
    ("snip --json list", "snip: ‘--json’ comes before the command\nhint: Options come after it: "),
    (
      "snip list --bogus",
      "snip: there is no option ‘--bogus’ of `snip list`\n"
        + "hint: `snip list --help` lists the options.\n"
    ),
    (
      "snip import --yes x",
      "snip: there is no option ‘--yes’ of `snip import`\nhint: `snip import --help` lists"
    ),
    (
      "snip import --folder-tag x",
      "snip: there is no option ‘--folder-tag’ of `snip import`\n"
        + "hint: Did you mean --folder-tags? `snip import --help` lists the options.\n"
    ),
    ("snip --bogus", "snip: there is no option ‘--bogus’ of `snip`\nhint: `snip --help` lists"),
    (
      "snip show",
      """
      snip: <id> is missing
      hint: <id>: The number of the snippet, as `snip list` shows it.
      hint: Write it as: snip show <id> [options]

      """
    ),
    ("snip search", "snip: <query> is missing\nhint: <query>: "),
    (
      "snip show abc",
      "snip: ‘abc’ is not a value for <id>\n"
        + "hint: <id>: The number of the snippet, as `snip list` shows it.\n"
    ),
    (
      "snip rm 5-2",
      "snip: ‘5-2’ is not a value for <id>\n"
        + "hint: <id>: The numbers of the snippets"
    ),
    (
      "snip list --limit x",
      "snip: ‘x’ is not a value for --limit\n"
        + "hint: --limit <count>: The most"
    ),
    ("snip list --limit", "snip: --limit needs a value\nhint: --limit <count>: The most rows"),
    (
      "snip list --kind audio",
      "snip: ‘audio’ is not a value for --kind\n"
        + "hint: Give one of text, image, "
    ),
    (
      "snip sync foo",
      "snip: ‘foo’ is not a value for <action>\n"
        + "hint: Give one of join, status, devices"
    ),
    ("snip list --since soon", "snip: “soon” is not a date\nhint: Give one such as 2024, "),
    (
      "snip list --json=x",
      "snip: --json takes no value, and ‘x’ was given\n"
        + "hint: `snip list --help`"
    ),
    (
      "snip show 1 2",
      "snip: ‘2’ is one word too many\n"
        + "hint: Write it as: snip show <id> [options]\n"
    ),
    ("snip show 1 2 3", "snip: ‘2’, ‘3’ are too many words\nhint: Write it as: snip show"),
    (
      "snip edit 1 --pin --no-pin",
      "snip: --pin and --no-pin exclude each other\n"
        + "hint: Give one of"
    ),
    (
      "snip list --limit=-1",
      "snip: --limit must not be negative\n"
        + "hint: `snip list --help` explains"
    ),
    (
      "snip rm",
      "snip: give the numbers of snippets, or --query\n"
        + "hint: `snip rm --help` explains it.\n"
    ),
  ])
  func `mistakes end with status 64 and say what is wrong`(line: String, error: String) async throws
  {
    let output = try await SnipTool.inProcess().shell(line)

    #expect(output.status == 64 && output.bytes.isEmpty, "\(output)")
    #expect(output.standardError.hasPrefix(error), "\(output)")
  }

  @Test func `words that hold the letter of help are no wish for it`() async throws {
    let snip = try SnipTool.inProcess()
    _ = try await snip("add", "--text", "the asyncio")

    for line in ["snip show '-the asyncio'", "snip tag '-h e'"] {
      let output = try await snip.shell(line)
      #expect(output.status == 64 && output.bytes.isEmpty, "\(output)")
      #expect(output.standardError.contains("hint: Write -- before words"), "\(output)")
    }
    #expect(try await snip("show", "-h").text.hasPrefix("OVERVIEW: Show one snippet"))
  }
}
