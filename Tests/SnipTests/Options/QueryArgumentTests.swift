import Foundation
import SnippetTestSupport
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct QueryArgumentTests {
  @Test(arguments: [
    (["list", "--limit", "-5"], "--limit"), (["list", "--since", "-3d"], "--since"),
    (["list", "--tag", "-x"], "--tag"), (["search", "a", "--limit", "-5"], "--limit"),
  ])
  func `what follows an option is no word that a query excludes`(
    arguments: [String],
    option: String
  ) async throws {
    let output = try await SnipTool.inProcess().run(arguments)

    #expect(output.status == 64 && output.bytes.isEmpty, "\(output)")
    let isNumber = arguments.last == "-5"
    #expect(
      output.standardError.hasPrefix(
        isNumber
          ? "snip: ‘-5’ is not a value for \(option)" : "snip: \(option) needs a value\n"
      ),
      "\(output)"
    )
  }

  @Test(arguments: [
    (["list", "--pinned", "-tag:x"], ["\0-tag:x"]), (["search", "--json", "-a"], ["\0-a"]),
    (["list", "--limit=5", "-kind:text"], ["\0-kind:text"]),
    (["list", "--limit", "5", "-kind:text"], ["5", "\0-kind:text"]),
    (["list", "--tag", "-x", "-y"], ["-x", "\0-y"]), (["browse", "--", "--tag", "-x"], ["-x"]),
    (["show", "-x"], ["-x"]), (["list", "-h"], ["-h"]), (["search", "-"], ["-"]),
  ])
  func `a word that a query excludes is one behind anything else`(
    arguments: [String],
    marked: [String]
  ) {
    #expect(
      QueryArgument.marked(arguments).dropFirst().filter { !$0.hasPrefix("--") } == marked
    )
  }

  @Test(arguments: ["search", "list", "browse"])
  func `every option with a value is known`(command: String) async throws {
    let output = try await SnipTool().run([command, "--experimental-dump-help"])
    let dump = try JSONDecoder().decode(Dump.self, from: output.bytes)

    let arguments = dump.command.arguments ?? []
    #expect(!arguments.isEmpty)
    for argument in arguments where argument.kind != "positional" {
      for name in argument.names ?? [] where name.kind == "long" {
        #expect(
          QueryArgument.valueOptions.contains("--\(name.name)") == (argument.kind == "option"),
          "--\(name.name)"
        )
      }
    }
  }

  /// What the parser tells of a command.
  private struct Dump: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }
    struct Argument: Decodable {
      struct Name: Decodable { var kind: String, name: String }
      var kind: String
      var names: [Name]?
    }
    var command: Command
  }
}
