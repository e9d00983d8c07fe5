import Foundation
import SnippetTestSupport
import Testing

/// `tag`, `edit`, `rm` and `undelete`.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ChangingCommandsTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  @Test func `tags are put on and taken off, whatever their case`() async throws {
    #expect(
      try await snip("tag", "2", "sea", "  summer   2026 ")
        == SnipOutput("holiday\nsea\nsummer 2026\n")
    )
    #expect(
      try await snip("tag", "2", "--remove", "SEA", "--add", "boats", "--remove", "none")
        == SnipOutput("boats\nholiday\nsummer 2026\n")
    )
    #expect(try await snip("tag", "2") == SnipOutput("boats\nholiday\nsummer 2026\n"))
    #expect(
      try await snip("tag", "2", "--remove", "none")
        == SnipOutput(
          "boats\nholiday\nsummer 2026\n",
          error: "Nothing was taken off: the tag is not there.\n"
        )
    )
  }

  @Test func `a picture is added with a note, which is shown, found, changed and removed`()
    async throws
  {
    let photo = TemporaryDirectory.current.url.appendingPathComponent("photo.png")
    try (Samples.png + Data("other bytes".utf8)).write(to: photo)

    let added = try await snip("add", "photo.png", "--note", "The beach\nat \u{1B}noon")
    #expect(added == SnipOutput("6\n"))
    let shown = try await snip("show", "6", "--pixels", "none")
    #expect(shown.text.contains("\n\nThe beach\nat ␛noon\n"))
    #expect(try await snip("show", "6", "--json").json("note") == ["The beach\nat \u{1B}noon"])
    #expect(try await snip("search", "noon").text.contains("The beach"))
    #expect(try await snip("cat", "6").bytes == Data(contentsOf: photo))

    #expect(try await snip("edit", "6", "--note", "A lighthouse") == SnipOutput(""))
    #expect(try await snip("search", "lighthouse", "--json").json("preview") == ["A lighthouse"])
    #expect(try await snip("edit", "6", "--note", "").status == 0)
    #expect(try await snip("show", "6", "--json").json("note") == [])
    let refused = try await snip("edit", "1", "--note", "x")
    #expect(refused.status == 65)
    #expect(refused.standardError.contains("only an image or voice has a note"))
  }

  @Test func `several snippets are tagged at once, or none`() async throws {
    let output = try await snip("tag", "1", "2", "1", "Sunday", "2026")
    let json = try await snip("tag", "2", "3", "--add", "7", "--remove", "sunday", "--json")

    #expect(output == SnipOutput("1  2026, Home, shopping, Sunday\n2  2026, holiday, Sunday\n"))
    #expect(try json.json("tags") == [["2026", "7", "holiday"], ["7"]])
    #expect(try await snip("tag", "2", "3") == SnipOutput("2  2026, 7, holiday\n3  7\n"))
    let before = try await snip("tag")
    #expect(
      try await snip("tag", "1", "99", "98", "x")
        == SnipOutput(
          error: """
            snip: there are no snippets 99, 98
            hint: Nothing was changed. For a tag that is a number: snip tag ID --add NUMBER

            """,
          status: 2
        )
    )
    _ = try await snip("rm", "3")
    #expect(try await snip("tag", "1", "3", "x").status == 2)
    #expect(try await snip("tag", "1", "2", "a,b").status == 65)
    #expect(try await snip("tag") == SnipOutput(before.text.replacing("7  2", with: "7  1")))
  }

  @Test func `many numbers are not told one by one`() async throws {
    try FileManager.default.removeItem(at: snip.store)
    try await SampleLibrary.make(textCount: 300)
    let numbers = (1...300).map(String.init)
    let apart = stride(from: 1, through: 300, by: 2).map(String.init)

    let removed = try await snip.run(["rm"] + numbers)
    let again = try await snip.run(["rm"] + numbers)

    #expect(
      removed.standardError == "Moved 300 to the trash.\nTo bring back: snip undelete 1-300\n"
    )
    #expect(try await snip("undelete", "1-300").standardError == "Brought back 300.\n")
    #expect(
      try await snip.run(["rm"] + apart).standardError == """
        Moved 150 to the trash.
        To bring back: snip undelete with their numbers, which `snip list --trash` shows

        """
    )
    #expect(again.status == 2)
    #expect(again.standardError.contains(" 19, 20 and 280 more are in the trash already"))
  }

  @Test func `all tags are listed with the number of their snippets`() async throws {
    #expect(try await snip("tag") == SnipOutput("holiday  1\nHome  2\nshopping  1\n"))
    #expect(
      try await snip("tag", "--json").json() == [
        ["tag": "holiday", "snippets": 1], ["tag": "Home", "snippets": 2],
        ["tag": "shopping", "snippets": 1],
      ]
    )
  }

  @Test func `a tag that nothing carries any more is gone`() async throws {
    _ = try await snip("tag", "2", "--remove", "holiday")

    #expect(try await snip("tag") == SnipOutput("Home  2\nshopping  1\n"))
  }

  @Test func `title, text and pin are changed, and the revision goes up`() async throws {
    let title = try await snip("edit", "1", "--title", "For Sunday", "--no-pin")
    let text = try await snip("edit", "1", "--text", "Milk only", "--json")

    #expect(title == SnipOutput())
    let row = try #require(try text.json().first)
    #expect(row["title"] == "For Sunday")
    #expect(row["preview"] == "Milk only")
    #expect(row["pinned"] == false)
    #expect(row["byteCount"] == 9)
    #expect(row["createdAt"] == "2026-01-01T00:00:00.000Z")
    let revision = try #require(row["revision"]?.integer)
    #expect(revision > 1)
    #expect(try await snip("cat", "1") == SnipOutput("Milk only"))
  }

  @Test(arguments: [("short\n", 1), ("a long line 俳句\n", 9000)])
  func `a text comes from standard input as it is`(line: String, count: Int) async throws {
    let text = String(repeating: line, count: count)
    for id in ["1", "4", "5"] {
      #expect(try await snip("edit", id, "--stdin", input: Data(text.utf8)) == SnipOutput())
      #expect(try await snip("cat", id) == SnipOutput(text))
    }
    #expect(try await snip("check").status == 0)
  }

  @Test(
    arguments: [
      (["edit", "2", "--text", "x"], 65), (["edit", "99", "--title", "x"], 2), (["edit", "1"], 64),
      (["edit", "1", "--text", "x", "--stdin"], 64), (["edit", "1", "--title", "é\u{0}"], 0),
      (["tag", "99", "x"], 2), (["tag", "1", ""], 65), (["tag", "1", "a,b"], 65),
      (["tag", "--add", "x"], 64), (["tag", "99"], 2),
      (["tag", "1", "x", "--remove", "X"], 64), (["tag", "2", "--add", "a", "--remove", "#a"], 64),
      (["edit", "1", "--title", String(repeating: "é", count: 1001)], 65),
      (["undelete"], 64), (["undelete", "99"], 2), (["undelete", "1"], 2),
      (["rm"], 64), (["rm", "x"], 64), (["rm", "0"], 64), (["rm", "-1"], 64),
    ] as [([String], Int32)]
  )
  func `what cannot be changed is reported and left alone`(
    arguments: [String],
    status: Int32
  ) async throws {
    let before = try await snip("list", "--json")

    let output = try await snip.run(arguments)

    #expect(output.status == status && output.bytes.isEmpty, "\(output)")
    guard status != 0 else { return }
    #expect(!output.standardError.isEmpty)
    #expect(try await snip("list", "--json") == before)
  }

  @Test func `front matter and tags that are written into a text are in the row`() async throws {
    let text = "---\ntitle: Supper\ntags: [soup]\npinned: true\n---\nLeeks #autumn\n"
    let id = try await snip("add", "--text", "Leeks").text.trimmingCharacters(in: .newlines)

    let saved = try await snip("edit", id, "--stdin", "--json", input: Data(text.utf8))
    let json = try #require(try saved.json().first)
    #expect(json["title"] == "Supper" && json["tags"] == ["autumn", "soup"])
    #expect(json["pinned"] == true)

    let edited = try await snip("edit", id, "--text", "Leeks", "--title", "Said", "--json")
    #expect(try edited.json("title") == ["Said"])
    #expect(try edited.json("tags") == [[]])
  }

  @Test func `an empty standard input empties no text, and --text does`() async throws {
    let text = try await snip("cat", "1")

    let output = try await snip("edit", "1", "--stdin", input: Data())

    #expect(
      output
        == SnipOutput(
          error: """
            snip: could not read the text from standard input: there are no bytes
            hint: Nothing was changed. To empty the text: snip edit 1 --text ''

            """,
          status: 65
        )
    )
    #expect(try await snip("cat", "1") == text)
    #expect(try await snip("edit", "1", "--text", "") == SnipOutput())
    #expect(try await snip("cat", "1") == SnipOutput())
  }

  @Test func `bytes that are no UTF-8 are not taken for a text`() async throws {
    let output = try await snip("edit", "1", "--stdin", input: SampleLibrary.latin1)

    #expect(
      output
        == SnipOutput(
          error: """
            snip: could not read the text from standard input: it is not UTF-8
            hint: Convert it first, for example with iconv -t UTF-8. Nothing was changed.

            """,
          status: 65
        )
    )
  }

  @Test func `what is moved to the trash is there, and comes back`() async throws {
    let output = try await snip("rm", "2", "4", "2")
    let json = try await snip("rm", "3", "--json")

    #expect(
      output == SnipOutput(error: "Moved 2 to the trash.\nTo bring back: snip undelete 2 4\n")
    )
    #expect(json == SnipOutput("{\"deleted\":[3],\"permanently\":false}\n"))
    #expect(try await snip("list", "--json").json("id") == [5, 1])
    let trash = try await snip("list", "--trash", "--json")
    #expect(try trash.json("id") == [3, 4, 2])
    #expect(try trash.json().allSatisfy { $0["deletedAt"]?.string != nil })
    #expect(try await snip("list", "--trash", "--order", "title", "--json").json("id").count == 3)
    #expect(try await snip("search", "harbour", "--json").json().isEmpty)
    #expect(try await snip("search", "harbour", "--trash", "--json").json("id") == [2])
    #expect(try await snip("edit", "2", "--title", "x").status == 2)
    #expect(try await snip("show", "2").text.contains("in trash"))

    let back = try await snip("undelete", "2", "3")
    let more = try await snip("undelete", "4", "1", "--json")

    #expect(back == SnipOutput(error: "Brought back 2.\n"))
    #expect(
      more
        == SnipOutput(
          "{\"undeleted\":[4]}\n",
          error: """
            snip: there is no snippet 1 in the trash
            hint: `snip list --trash` shows the trash.

            """,
          status: 2
        )
    )
    #expect(try await snip("list", "--json").json("id").count == 5)
    #expect(
      try await snip("list", "--trash") == SnipOutput(error: "Nothing here is in the trash.\n")
    )
  }

  @Test func `what is in the trash cannot go there again`() async throws {
    _ = try await snip("rm", "2")

    let output = try await snip("rm", "2")

    #expect(
      output
        == SnipOutput(
          error: """
            snip: snippet 2 is in the trash already
            hint: `snip rm --permanently` deletes snippets in the trash for good.

            """,
          status: 2
        )
    )
  }

  @Test func `snippets are deleted with their blobs`() async throws {
    let output = try await snip("rm", "2", "4", "2", "--permanently")
    _ = try await snip("rm", "3")
    let json = try await snip("rm", "3", "--json", "--permanently")

    #expect(output == SnipOutput(error: "Deleted 2.\n"))
    #expect(json == SnipOutput("{\"deleted\":[3],\"permanently\":true}\n"))
    #expect(try await snip("list", "--json").json("id") == [5, 1])
    let information = try #require(try await snip("info", "--json").json().first)
    #expect(information["blobs"] == 1)
  }

  @Test func `files that outlive their snippets are named`() async throws {
    for name in ["a.md", "b.md", "c.md"] { try snip.write(Data(name.utf8), "Notes/\(name)") }
    _ = try await snip("import", "Notes")
    try FileManager.default.removeItem(at: snip.folder.appendingPathComponent("Notes/b.md"))

    let output = try await snip("rm", "6", "7", "--permanently")
    _ = try await snip("rm", "8")
    let purge = try await snip("purge", "--json")

    let folder = snip.folder.resolvingSymlinksInPath().path
    #expect(output.standardError.contains("Its file stays"), "\(output)")
    #expect(output.standardError.contains("\n  \(folder)/Notes/a.md\n"), "\(output)")
    #expect(!output.standardError.contains("b.md"))
    let files = try #require(try purge.json().first?["files"])
    #expect("\(files)".contains("\(folder)/Notes/c.md"), "\(purge)")
  }

  @Test func `a thousand files that outlive their snippets may be more`() async throws {
    for number in 0..<1_001 { try snip.write(Data("note \(number)".utf8), "Notes/\(number).md") }
    _ = try await snip("import", "Notes")

    let output = try await snip("rm", "--query", "from:Notes", "--yes")

    #expect(output.standardError.contains("\nAt least 1000 files stay, and the next "), "\(output)")
  }

  @Test func `an archive that would bring snippets back is named by a purge`() async throws {
    let notes = "<en-export><note><title>A</title><content>zyzzyva</content></note></en-export>"
    try snip.write(Data("<?xml version=\"1.0\"?>\n\(notes)".utf8), "notes.enex")
    let imported = try await snip("import", "notes.enex")
    #expect(imported.text.hasPrefix("imported 1  "), "\(imported)")
    _ = try await snip("rm", "6")

    let output = try await snip("purge", "--quick")

    let path = snip.folder.resolvingSymlinksInPath().appendingPathComponent("notes.enex").path
    let words = "Another import of \(path) brings back what was in it.\n"
    #expect(output.standardError.contains(words), "\(output)")
    _ = try await snip("import", "notes.enex")
    _ = try await snip("rm", "--query", "zyzzyva", "--yes")
    let json = try await snip("purge", "--quick", "--json").json().first
    #expect(json?["archives"] == .array([.string(path)]))
  }

  @Test func `files that would bring snippets back from the trash are named`() async throws {
    for name in ["a.md", "b.md"] { try snip.write(Data(name.utf8), "Notes/\(name)") }
    _ = try await snip("import", "Notes")

    let output = try await snip("rm", "6")
    let json = try await snip("rm", "7", "--json")

    let folder = snip.folder.resolvingSymlinksInPath().path
    let advice = "snip export --markdown --delete-trashed FOLDER\n"
    #expect(output.standardError.contains("To bring back: snip undelete 6\n"), "\(output)")
    #expect(output.standardError.contains("\n  \(folder)/Notes/a.md\n"), "\(output)")
    #expect(output.standardError.hasSuffix(advice), "\(output)")
    #expect(try json.json().first?["files"] == .array([.string("\(folder)/Notes/b.md")]))
  }

  @Test func `files of an export that would bring snippets back are named as well`() async throws {
    for title in ["six", "seven"] { _ = try await snip("add", "--text", title, "--title", title) }
    _ = try await snip("export", "--markdown", "out")

    let trashed = try await snip("rm", "6")
    let deleted = try await snip("rm", "7", "--permanently")

    let folder = snip.folder.resolvingSymlinksInPath().path
    let advice = "snip export --markdown --delete-trashed FOLDER\n"
    #expect(trashed.standardError.contains("\n  \(folder)/out/six.md\n"), "\(trashed)")
    #expect(trashed.standardError.hasSuffix(advice), "\(trashed)")
    #expect(deleted.standardError.contains("\n  \(folder)/out/seven.md\n"), "\(deleted)")
    // No export knows that one any more.
    #expect(deleted.standardError.hasSuffix("coming back, delete it too.\n"), "\(deleted)")
    let output = try await snip("import", "out")
    #expect(output.text.hasPrefix("imported 1  brought back 1  "), "\(output)")
  }

  @Test func `those that are there are deleted, the others reported`() async throws {
    let output = try await snip("rm", "98", "1", "99", "--permanently")

    #expect(
      output
        == SnipOutput(
          error: """
            Deleted 1.
            snip: there are no snippets 98, 99
            hint: `snip list` shows all snippets.

            """,
          status: 2
        )
    )
  }
}
