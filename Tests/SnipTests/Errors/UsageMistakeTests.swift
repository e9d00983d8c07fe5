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
    ("snip list --bogus", "Error: Unknown option '--bogus'"),
    ("snip import --yes x", "Error: Unknown option '--yes'\n"),
    (
      "snip import --folder-tag x",
      "Error: Unknown option '--folder-tag'. Did you mean '--folder-tags'?\n"
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
