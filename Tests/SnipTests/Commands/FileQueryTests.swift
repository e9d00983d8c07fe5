import Foundation
import SnippetTestSupport
import Testing

/// Conditions on types, and on the files that snippets came from.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FileQueryTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try snip.write(Data("# Plan".utf8), "Notes/work/Plan.md")
    try snip.write(Data("echo".utf8), "Notes/run.sh")
    try snip.write(SampleLibrary.picture, "Photos/2024/Harbour.png")
    try snip.write(SampleLibrary.recording, "Memos/New Recording 12.wav")
    _ = try await snip("import", "Notes", "Photos", "Memos")
    _ = try await snip("add", "a text without a file")
  }

  private func titles(_ query: String...) async throws -> [ParsedJSON?] {
    try await snip.run(["list", "--json", "--order", "title"] + query).json("title")
  }

  @Test func `files are found by their names, paths, folders and types`() async throws {
    #expect(try await titles("file:recording") == ["New Recording 12"])
    #expect(try await titles("file:*.md OR file:run.??") == ["Plan", "run.sh"])
    #expect(try await titles("path:photos/2024") == ["Harbour"])
    #expect(try await titles("path:work/*.md") == ["Plan"])
    #expect(try await titles("from:Notes") == ["Plan", "run.sh"])
    #expect(try await titles("from:Notes/work") == ["Plan"])
    #expect(try await titles("from:not") == [])
    #expect(try await titles("from:\(snip.folder.path)/Photos") == ["Harbour"])
    #expect(try await titles("type:png OR type:audio/wav") == ["Harbour", "New Recording 12"])
    #expect(try await titles("kind:text -from:Notes") == ["a text without a file"])
  }

  @Test func `a search joins them with words, and other commands take them`() async throws {
    let search = try await snip("search", "--json", "plan", "from:Notes")
    let browser = try await SnipTool().run(["browse", "file:plan", "--dump", "--size", "60x8"])
    let export = try await snip("export", "out", "--query", "from:Photos", "--json")
    let removed = try await snip("rm", "--query", "file:*.sh OR type:wav", "--json")

    #expect(try search.json("title") == ["Plan"])
    #expect(browser.text.contains("Plan") && !browser.text.contains("run.sh"), "\(browser)")
    #expect(try export.json().last?["exported"] == 1, "\(export)")
    #expect(try removed.json().first?["deleted"]?.shape == "[integer]")
    #expect(try await titles() == ["a text without a file", "Harbour", "Plan"])
  }

  @Test func `addresses and types of a program are words`() async throws {
    _ = try await snip("add", "--text", "file:///etc/fstab has type:Foo")

    #expect(try await snip("search", "--json", "file:///etc").json("id").count == 1)
    #expect(try await snip("search", "--json", "type:Foo").json("id").count == 1)
    #expect(try await snip("list", "file:").status == 64)
  }
}
