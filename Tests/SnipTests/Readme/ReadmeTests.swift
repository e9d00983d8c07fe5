import Foundation
import SnipCore
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ReadmeTests {
  private let readme = Page("README.md")
  private static let commandLine = "Sources/SnippetStorage/SnippetStorage.docc/CommandLine.md"
  private let safety = Page("Sources/SnippetStorage/SnippetStorage.docc/SafetyAndLimits.md")

  @Test func `code comes early`() throws {
    let lines = try readme.text.split(separator: "\n", omittingEmptySubsequences: false)

    let first = try #require(lines.firstIndex { $0.hasPrefix("```swift") })

    #expect(first < 40)
  }

  @Test(arguments: ["README.md", commandLine])
  func `every command works as written`(page: String) async throws {
    let tool = try SnipTool()
    try tool.write(Data("Milk for the cake\n".utf8), "home/Notes/milk.txt")
    try tool.write(try SampleFiles.demo("sunset-over-hills.png"), "home/Photos/a.png")
    // An archive without members.
    try tool.write(Data([0x50, 0x4B, 5, 6]) + Data(count: 18), "home/takeout.zip")
    let commands = try Page(page).blocks(of: "sh")
      .flatMap { $0.split(separator: "\n").map(String.init) }
      .filter { line in ["snip ", "sqlite3 ", "printf "].contains { line.hasPrefix($0) } }
    #expect(commands.count >= 15)

    for command in commands {
      let output = try await tool.shell(command)
      #expect(output.status == 0, "\(command): \(output)")
    }
  }

  @Test func `the screen that it prints shows something to a newcomer`() async throws {
    let command = try #require(
      readme.blocks(of: "sh").joined().split(separator: "\n").first { $0.contains("browse --d") }
    )

    let output = try await SnipTool().shell(String(command))

    #expect(output.status == 0 && output.text.contains("Potted cactus"), "\(output)")
  }

  @Test func `what CI runs is the test command that it names`() throws {
    let lines = try readme.blocks(of: "sh").filter { $0.hasPrefix("swift test") }
    #expect(lines.count == 1)

    let script = try String(
      contentsOf: readme.root.appendingPathComponent(".ci/run"),
      encoding: .utf8
    )
    #expect(script.contains("/passes the tests:/"))
    #expect(try readme.text.contains("passes the tests:\n\n```sh\n\(lines[0])```"))
  }

  @Test func `each guarantee names tests that are there`() throws {
    let text = try safety.text
    let start = try #require(text.range(of: "## Overview\n")?.upperBound)
    let end = try #require(text.range(of: "\n### ", range: start..<text.endIndex)?.lowerBound)
    let guarantees = text[start..<end].split(separator: #/\n\d+\. /#).dropFirst()
    #expect(guarantees.count >= 9)
    let tests = readme.root.appendingPathComponent("Tests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
      .map { URL(fileURLWithPath: $0).lastPathComponent }

    for guarantee in guarantees {
      let names = guarantee.matches(of: /`(\w+Tests)`/).map { String($0.output.1) }
      #expect(!names.isEmpty, "\(guarantee)")
      for name in names { #expect(files.contains("\(name).swift"), "\(name)") }
    }
  }

  @Test func `every status stands with its meaning in the article on the command line`() throws {
    let rows = ExitStatus.allCases.compactMap { status in
      status.meaning.map { "| \(status.rawValue) | \($0) |\n" }
    }

    let table = "| status | means |\n| --- | --- |\n" + rows.joined()
    #expect(try Page(Self.commandLine).text.hasSuffix(table))
  }

  @Test func `files that it links to are there`() throws {
    let links = try readme.text.matches(of: /\]\(([^)#]+)\)/).map { String($0.output.1) }
    #expect(!links.isEmpty)

    for link in links {
      let file = readme.root.appendingPathComponent(link)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
    }
  }
}

/// A page beside the sources.
private struct Page {
  private let path: String
  let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init(_ path: String) {
    self.path = path
  }

  var text: String {
    get throws { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }
  }

  /// The code blocks of one language.
  func blocks(of language: String) throws -> [String] {
    let start = "```\(language)\n"
    return try text.components(separatedBy: start).dropFirst().map { rest in
      rest.components(separatedBy: "```")[0]
    }
  }
}
