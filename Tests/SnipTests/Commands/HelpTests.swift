import Foundation
import SnippetTestSupport
import TerminalKit
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct HelpTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  private static let commands = [
    "import", "add", "capture", "demo", "list", "browse", "search", "show", "cat", "open", "play",
    "tag", "edit", "rm", "undelete", "purge", "info", "doctor", "watch", "scroll", "check",
    "backup",
    "restore", "export", "salvage", "derive", "gc", "sync", "setup",
  ]

  @Test(arguments: commands)
  func `every command explains itself with an example, in eighty columns`(
    command: String
  ) async throws {
    let output = try await snip(command, "--help")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(output.text.hasPrefix("OVERVIEW: "))
    #expect(output.text.contains("\n  snip \(command)"), "\(output)")
    #expect(output.lines.allSatisfy { $0.displayWidth <= 80 }, "\(output)")
    #expect(try await snip("help", command) == output)
    // These give bytes and frames.
    if !["cat", "browse"].contains(command) {
      #expect(output.text.contains("--json"), "\(output)")
    }
    #expect(output.text.contains("--color <when>"), "\(output)")
    // This is about the program, not about a store.
    if command != "setup" { #expect(output.text.contains("--store <file>"), "\(output)") }
  }

  @Test func `the overview names every command, in eighty columns`() async throws {
    let output = try await snip("--help")

    #expect(output.status == 0 && output.standardError.isEmpty)
    #expect(output.lines.allSatisfy { $0.displayWidth <= 80 }, "\(output)")
    let named = output.lines.filter { $0.wholeMatch(of: #/  [a-z]+ {2,}[A-Z].*/#) != nil }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(named.sorted() == Self.commands.sorted())
    #expect(try await snip() == output)
  }

  @Test func `nothing but help is done`() async throws {
    for command in Self.commands { _ = try await snip(command, "--help") }

    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }
}
