import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct ReadmeTests {
  private let readme = Readme()

  @Test func `code comes early`() throws {
    let lines = try readme.text.split(separator: "\n", omittingEmptySubsequences: false)

    let first = try #require(lines.firstIndex { $0.hasPrefix("```swift") })

    #expect(first < 40)
  }

  @Test func `every command works as written`() async throws {
    let tool = try SnipTool()
    try tool.write(Data("Milk for the cake\n".utf8), "home/Notes/milk.txt")
    try tool.write(try SampleFiles.demo("sunset-over-hills.png"), "home/Photos/a.png")
    let commands = try readme.blocks(of: "sh")
      .flatMap { $0.split(separator: "\n").map(String.init) }
      .filter { line in ["snip ", "sqlite3 ", "printf "].contains { line.hasPrefix($0) } }
    #expect(commands.count >= 15)

    for command in commands {
      let output = try await tool.shell(command)
      #expect(output.status == 0, "\(command): \(output)")
    }
  }

  @Test(.enabled(if: MediaSupport.current.decodesImages))
  func `the frame of the browser is what it draws`() async throws {
    let tool = try SnipTool()
    _ = try await tool("demo")
    let commands = try readme.blocks(of: "sh")
    let command = try #require(commands.first { $0.contains("browse --script - --dump") })

    let output = try await tool.shell(command)

    // Dates follow the day, and the size of thumbnails the version of a library.
    let varying = /\d{4}-\d\d-\d\d \d\d:\d\d|[\d.]+ kB(?=  0\.0 ms)/
    let drawn = output.text.replacing(varying, with: "…")
    let frames = try readme.blocks(of: "text").map { $0.replacing(varying, with: "…") }
    #expect(frames.contains(drawn), "\(output)")
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

  @Test func `files that it links to are there`() throws {
    let links = try readme.text.matches(of: /\]\(([^)#]+)\)/).map { String($0.output.1) }
    #expect(!links.isEmpty)

    for link in links {
      let file = readme.root.appendingPathComponent(link)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
    }
  }

  @Test func `what the table of articles names is declared`() throws {
    let rows = try readme.text.split(separator: "\n").filter { $0.hasPrefix("|") }
    let names = rows.flatMap { row in
      row.matches(of: /`([A-Z][A-Za-z]+)/).map { String($0.output.1) }
    }
    #expect(names.count >= 10)

    let sources = try readme.sources()
    for name in Set(names) {
      let pattern = try Regex("(struct|class|protocol|enum) \(name)\\b")
      #expect(sources.contains { $0.contains(pattern) }, "\(name)")
    }
  }
}

/// The README beside the sources.
private struct Readme {
  let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  var text: String {
    get throws {
      try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    }
  }

  /// The code blocks of one language.
  func blocks(of language: String) throws -> [String] {
    let start = "```\(language)\n"
    return try text.components(separatedBy: start).dropFirst().map { rest in
      rest.components(separatedBy: "```")[0]
    }
  }

  /// The text of every Swift file of the package's libraries and tool.
  func sources() throws -> [String] {
    let folder = root.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (files ?? []).filter { $0.hasSuffix(".swift") }.map { path in
      try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }
  }
}
