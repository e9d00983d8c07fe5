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
    #expect(try removed.json().first?["files"]?.shape == "[string]")
    let again = try await snip("rm", "--query", "is:trashed", "--json")
    #expect(try again.json().first?["files"] == nil, "\(again)")
    #expect(try await titles() == ["a text without a file", "Harbour", "Plan"])
  }

  @Test func `files that were added or imported one by one are found too`() async throws {
    try snip.write(Data("# Loose".utf8), "Desk/Loose.md")
    try snip.write(Data("Other".utf8), "Desk/deep/Other.txt")
    try snip.write(SampleLibrary.picture + Data("x".utf8), "Desk/IMG_1.png")
    _ = try await snip("add", "Desk/Loose.md")
    _ = try await snip("add", "Desk/deep/Other.txt", "Desk/IMG_1.png")
    try snip.write(Data("One".utf8), "Inbox/One.md")
    _ = try await snip("import", "Inbox/One.md")

    #expect(try await titles("from:Desk") == ["IMG_1", "Loose", "Other"])
    #expect(try await titles("path:desk/deep/*.txt") == ["Other"])
    #expect(try await titles("file:loose OR file:img_?.png") == ["IMG_1", "Loose"])
    #expect(try await titles("from:\(snip.folder.path)/Inbox") == ["One"])
    let shown = try await snip("show", "8").text
    #expect(shown.contains("\(snip.folder.path)/Desk/IMG_1.png"), "\(shown)")

    // The folder is imported later, and has them then; nothing is added twice.
    let report = try await snip("import", "Desk", "--json").json().last
    #expect(report?["imported"] == 0 && report?["duplicates"] == 3, "\(report as Any)")
    #expect(try await titles("from:Desk") == ["IMG_1", "Loose", "Other"])
    try snip.write(Data("# Loose, and changed".utf8), "Desk/Loose.md")
    #expect(try await snip("import", "Desk", "--json").json().last?["updated"] == 1)
    let dry = try await snip("export", "--markdown", "Desk", "--dry-run", "--json")
    #expect(try dry.json().last?["unchanged"] == 3, "\(dry)")
  }

  @Test func `texts are found by the types that the names of their files tell`() async throws {
    #expect(try await titles("type:markdown") == ["Plan"])
    #expect(try await titles("type:MD -from:work") == [])
    #expect(try await titles("type:shell OR type:text/markdown") == ["Plan", "run.sh"])
    #expect(try await snip("search", "--json", "plan", "type:md").json("id").count == 1)
  }

  @Test func `recordings are found by their lengths`() async throws {
    #expect(try await titles("duration:>1h") == [])
    #expect(try await titles("duration:<=1h") == ["New Recording 12"])
    #expect(try await titles("duration:0..5m kind:voice") == ["New Recording 12"])
    #expect(try await titles("-duration:<10h type:wav") == [])
    #expect(try await titles("-duration:<10h from:Notes") == ["Plan", "run.sh"])
    let tagged = try await snip("tag", "--query", "duration:<10h", "memo", "--json")
    #expect(tagged.status == 0)
    #expect(try await snip("search", "--json", "tag:memo", "recording").json("id").count == 1)
    #expect(try await snip("search", "--json", "recording duration:<1m").json("id").count == 1)
  }

  @Test func `a search with conditions alone shows the text without its front matter`()
    async throws
  {
    try snip.write(
      Data("---\ntitle: Front\ntags: [odd]\n---\nThe body".utf8),
      "Notes/front.md"
    )
    _ = try await snip("import", "Notes")

    let search = try await snip("search", "file:front")
    #expect(search.text.contains("The body") && !search.text.contains("title:"), "\(search)")
    #expect(try await snip("search", "body").text.contains("The body"))
  }

  @Test func `addresses and types of a program are words`() async throws {
    _ = try await snip("add", "--text", "file:///etc/fstab has type:Foo")

    #expect(try await snip("search", "--json", "file:///etc").json("id").count == 1)
    #expect(try await snip("search", "--json", "type:Foo").json("id").count == 1)
    #expect(try await snip("list", "file:").status == 64)
  }
}
