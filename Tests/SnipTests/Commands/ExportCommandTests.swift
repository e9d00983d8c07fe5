import Foundation
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ExportCommandTests {
  private let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  @Test func `a vault is imported, edited on both sides and exported to where it was`() async throws
  {
    let snip = snip.with(["SNIP_STORE": TemporaryDirectory.file("vault.sqlite").path])
    try snip.write(Data("Milk\n".utf8), "vault/lists/milk.md")
    try snip.write(Data("Eggs\n".utf8), "vault/eggs.md")
    try snip.write(Data("%PDF-1.7\n".utf8), "vault/paper.pdf")
    #expect(try await snip("import", "--folder-tags", "vault").status == 0)
    let id = try await snip("list", "--json", "--tag", "lists").json("id")
    #expect(id.count == 1)
    let number = try #require(id.first?.integer)
    _ = try await snip("tag", "\(number)", "mine")
    try snip.write(Data("Eggs and more\n".utf8), "vault/eggs.md")

    let dry = try await snip("export", "--markdown", "--dry-run", "vault")
    let early = try await snip("export", "--markdown", "vault")
    let again = try await snip("import", "vault")
    let export = try await snip("export", "--json", "--markdown", "vault")

    // What was changed there since is not touched.
    #expect(dry.standardError.contains("snip: would leave 1 file as it is, named"), "\(dry)")
    #expect(early.status == 1, "\(early)")
    #expect(early.standardError.contains("its file was changed since"), "\(early)")
    #expect(early.standardError.contains("snip: left 1 file as it is, named above\n"), "\(early)")
    #expect(
      early.text.hasPrefix("vault: written 0  updated 1  unchanged 0  conflicts 1"),
      "\(early)"
    )
    #expect(again.text.hasPrefix("imported 0  updated 1  unchanged 1  duplicates 0"), "\(again)")
    #expect(export.status == 0, "\(export)")
    #expect(
      try export.json().last == [
        "exported": 0, "updated": 0, "unchanged": 2, "conflicts": 0, "failed": 0,
        "missing": 0, "trashed": 0, "incomplete": 0, "leftOut": 0, "bytes": 0,
      ]
    )
    let note = try String(
      contentsOf: TemporaryDirectory.file("vault/lists/milk.md"),
      encoding: .utf8
    )
    #expect(note == "---\ntags:\n  - mine\n---\nMilk\n")
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: TemporaryDirectory.file("vault").path
    )
    #expect(files.sorted() == ["eggs.md", "lists", "lists/milk.md", "paper.pdf"])
  }

  @Test func `a vault gets back its own, and what else is asked for`() async throws {
    let snip = snip.with(["SNIP_STORE": TemporaryDirectory.file("vault.sqlite").path])
    try snip.write(Data("Milk\n".utf8), "vault/milk.md")
    try snip.write(Data("Harbour\n".utf8), "other/harbour.md")
    _ = try await snip("import", "vault", "other")
    _ = try await snip("add", "Eggs")

    let own = try await snip("export", "--markdown", "vault")
    let dry = try await snip("export", "--markdown", "--new", "--dry-run", "vault")
    let added = try await snip("export", "--markdown", "--new", "vault")
    let all = try await snip("export", "--markdown", "--all", "vault")

    #expect(own.text.hasPrefix("vault: written 0  updated 0  unchanged 1"), "\(own)")
    #expect(
      own.standardError == """
        2 snippets have no file in vault and were left out: --new adds those without a file, --all all

        """
    )
    let path = TemporaryDirectory.file("vault/Eggs.md").path
    #expect(dry.text.hasPrefix("dry run, nothing written: vault: written 1"), "\(dry)")
    #expect(dry.standardError.hasPrefix("would write \(path)\n"), "\(dry)")
    #expect(dry.standardError.contains("and would be left out: --all adds them\n"), "\(dry)")
    #expect(added.text.hasPrefix("vault: written 1  updated 0  unchanged 1"), "\(added)")
    #expect(all.text.hasPrefix("vault: written 1  updated 0  unchanged 2"), "\(all)")
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: TemporaryDirectory.file("vault").path
    )
    #expect(files.sorted() == ["Eggs.md", "milk.md", "other", "other/harbour.md"])
    #expect(try await snip("export", "--all", "out").status == 64)
  }

  @Test func `a file that was renamed in a vault is named, and written again when asked for`()
    async throws
  {
    let snip = snip.with(["SNIP_STORE": TemporaryDirectory.file("vault.sqlite").path])
    try snip.write(Data("Milk\n".utf8), "vault/milk.md")
    try snip.write(Data("Eggs\n".utf8), "vault/eggs.md")
    _ = try await snip("import", "vault")
    let old = TemporaryDirectory.file("vault/milk.md")
    let new = TemporaryDirectory.file("vault/new.md")
    try FileManager.default.moveItem(at: old, to: new)

    let output = try await snip("export", "--markdown", "vault")
    let dry = try await snip("export", "--markdown", "--missing", "--dry-run", "vault")
    let lines = try await snip("export", "--json", "--markdown", "vault").json()
    try FileManager.default.removeItem(at: new)
    try FileManager.default.removeItem(at: TemporaryDirectory.file("vault/eggs.md"))
    let empty = try await snip("export", "--markdown", "vault")
    let again = try await snip("export", "--markdown", "--missing", "vault")

    #expect(output.status == 0, "\(output)")
    #expect(
      output.text.hasPrefix(
        "vault: written 0  updated 0  unchanged 1  conflicts 0  failed 0  missing 1  ("
      ),
      "\(output)"
    )
    #expect(output.standardError.contains("the file was moved or removed there"), "\(output)")
    #expect(dry.standardError.contains("would write \(old.path)\n"), "\(dry)")
    #expect(lines.count { $0["outcome"] == "missing" } == 1 && lines.last?["missing"] == 1)
    #expect(empty.status == 73, "\(empty)")
    #expect(empty.standardError.contains("none of the 2 files known there"), "\(empty)")
    #expect(again.text.hasPrefix("vault: written 2"), "\(again)")
    #expect(try await snip("export", "--missing", "out").status == 64)
  }

  @Test func `a note that cannot take a tag is named`() async throws {
    let snip = snip.with(["SNIP_STORE": TemporaryDirectory.file("vault.sqlite").path])
    try snip.write(Data("---\ntitle: Meeting: with Anna\n---\nMilk\n".utf8), "vault/milk.md")
    _ = try await snip("import", "vault")
    _ = try await snip("tag", "1", "mine")

    let output = try await snip("export", "--markdown", "vault")
    let lines = try await snip("export", "--json", "--markdown", "vault").json()

    let path = TemporaryDirectory.file("vault/milk.md").path
    let reason = """
      its front matter cannot be read: line 2: mapping values are not allowed in this context; a \
      value with a colon and a blank needs quotes
      """
    #expect(output.status == 0, "\(output)")
    #expect(
      output.text.hasPrefix(
        "vault: written 0  updated 0  unchanged 1  conflicts 0  failed 0  incomplete 1  ("
      ),
      "\(output)"
    )
    #expect(
      output.standardError == """
        snip: could not write the tags of snippet 1 into \(path): \(reason)
        hint: Correct the front matter there, import the folder, then export again.

        """
    )
    #expect(lines.map { $0["outcome"] } == ["unchanged", "incomplete", nil])
    #expect(lines[1]["file"] == .string(path) && lines[1]["reason"] == .string(reason))
    #expect(lines[2]["incomplete"] == 1)
  }

  @Test func `the files are there byte for byte, and the way back is told`() async throws {
    let output = try await snip("export", "my files")

    #expect(output.text == "my files: 5 snippets, 96.2 kB\n", "\(output)")
    #expect(output.standardError == "To bring them back: snip import 'my files'\n")
    for (name, bytes) in zip(
      [
        "texts/1 Milk, eggs, bread.txt", "images/2 Harbour.png", "recordings/3 Memo.wav",
        "texts/4 A long one.txt", "texts/5 An older encoding.txt",
      ],
      SampleLibrary.contents
    ) {
      #expect(try Data(contentsOf: TemporaryDirectory.file("my files/\(name)")) == bytes)
    }
  }

  @Test func `a file that is larger than files may be there is reported`() async throws {
    let output = try await snip.shell("ulimit -f 100; snip export small")

    #expect(output.status == 73, "\(output)")
    #expect(output.standardError.contains(": File too large\n"), "\(output)")
    #expect(
      output.standardError.hasSuffix("hint: Export to a disk that takes files of this size.\n"),
      "\(output)"
    )
  }

  @Test func `a folder that holds something is refused`() async throws {
    try snip.write(Data(), "full/file")

    let output = try await snip("export", "full")

    #expect(output.status == 73)
    #expect(output.standardError.contains("Give a new or empty folder."), "\(output)")
  }
}
