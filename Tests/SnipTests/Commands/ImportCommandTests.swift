import Foundation
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ImportCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  @Test func `the kind is told by the content, whatever the name`() async throws {
    let samples = try SampleFiles.write(to: TemporaryDirectory.file("files"))
    let byteCount = samples.reduce(0) { $0 + $1.bytes.count }

    let output = try await snip("import", "--json", "files")

    let lines = try output.json()
    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(
      lines.last == [
        "imported": .integer(Int64(samples.count)), "broughtBack": 0, "updated": 0,
        "moved": 0, "movedFolders": 0, "trashed": 0, "missing": 0, "conflicts": 0, "unchanged": 0,
        "duplicates": 0, "unsupported": 0, "leftOut": 0,
        "failed": 0, "unreadFrontMatter": 0, "unreadValue": 0, "replacedValue": 0,
        "bytes": .integer(Int64(byteCount)),
      ]
    )
    let rows = try await snip("list", "--json", "--limit", "0").json()
    let types = Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["mediaType"]) })
    for sample in samples {
      let path = TemporaryDirectory.file("files/\(sample.name)").path
      let line = try #require(lines.first { $0["file"] == .string(path) }, "\(sample.name)")
      #expect(line["outcome"] == "imported")
      #expect(types[line["id"]] == .string(sample.mediaType), "\(sample.name)")
      let id = try #require(line["id"]?.integer)
      #expect(try await snip("cat", "\(id)").bytes == sample.bytes, "\(sample.name)")
    }
  }

  @Test func `an archive is imported, and its members are named in it`() async throws {
    let url = TemporaryDirectory.file("notes.bin")
    try Self.archive.write(to: url)

    let output = try await snip("import", "--json", "notes.bin")
    let again = try await snip("import", "notes.bin")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    let line = try #require(try output.json().first)
    #expect(line["file"] == .string(url.path + "/Notes/list.md") && line["outcome"] == "imported")
    #expect(again.text.hasPrefix("imported 0  unchanged 1  "), "\(again)")
    let shown = try await snip("show", "\(line["id"]?.integer ?? 0)")
    #expect(shown.text.contains("notes.bin/Notes/list.md"), "\(shown)")
  }

  /// A ZIP archive with a note, `Notes/list.md`.
  private static let archive =
    Data(
      base64Encoded: """
        UEsDBBQAAAAAAI9SYVjIiHWaDgAAAA4AAAANAAAATm90ZXMvbGlzdC5tZE1pbGsgI3Nob3BwaW5nUEsB\
        AhQDFAAAAAAAj1JhWMiIdZoOAAAADgAAAA0AAAAAAAAAAAAAAIABAAAAAE5vdGVzL2xpc3QubWRQSwUG\
        AAAAAAEAAQA7AAAAOQAAAAAA
        """
    ) ?? Data()

  @Test func `texts that are edited or kept beside the store are no files to import`() async throws
  {
    let folder = TemporaryDirectory.file("files")
    let edited = folder.appendingPathComponent("s.sqlite-edit-abcdef")
    try FileManager.default.createDirectory(at: edited, withIntermediateDirectories: true)
    let files =
      [edited.appendingPathComponent("snippet-1.txt")]
      + ["s.sqlite-unsaved-1", "other-unsaved-1.txt"].map(folder.appendingPathComponent)
    for file in files { try Data("a text".utf8).write(to: file) }
    let store = ["--store", "files/s.sqlite"]
    #expect(try await snip.run(["add", "--text", "first"] + store).status == 0)

    let output = try await snip.run(["import", "files"] + store)

    // They are named: the store, the two files beside it, and the texts.
    #expect(output.text.hasPrefix("imported 1  left out 5  duplicates 0"), "\(output)")
    #expect(try await snip.run(["list", "--json"] + store).text.contains("other-unsaved-1"))
  }

  @Test func `running it again imports nothing twice`() async throws {
    let count = try SampleFiles.write(to: TemporaryDirectory.file("files")).count
    let first = try await snip("import", "files")
    #expect(first.status == 0 && first.standardError.isEmpty, "\(first)")
    #expect(
      first.text.hasPrefix("imported \(count)  duplicates 0  unsupported 0  failed 0  ("),
      "\(first)"
    )

    let second = try await snip("import", "files")

    #expect(second.status == 0 && second.standardError.isEmpty, "\(second)")
    #expect(
      second.text.hasPrefix(
        "imported 0  unchanged \(count)  duplicates 0  unsupported 0  failed 0  (0 B in "
      ),
      "\(second)"
    )
    #expect(try await snip("list", "--json", "--limit", "0").lines.count == count)
  }

  @Test func `equal bytes are a duplicate under any name, in one run and in the next`() async throws
  {
    let bytes = try SampleFiles.demo("mountain-lake.jpg")
    try snip.write(bytes, "a/lake.jpg", "b/copy of lake.txt")

    let first = try await snip("import", "--json", "a", "b").json()
    try snip.write(bytes, "c/third")
    let again = try await snip("import", "--json", "c").json()

    #expect(first.map { $0["outcome"] } == ["imported", "duplicate", nil])
    #expect(first[1]["id"] == first[0]["id"])
    #expect(again[0]["outcome"] == "duplicate")
    #expect(again[0]["id"] == first[0]["id"])
    #expect(again[1]["duplicates"] == 1)
    #expect(try await snip("list", "--json").json("title") == ["lake"])
  }

  @Test func `what is no text, image or recording is counted as unsupported`() async throws {
    try snip.write(Data("%PDF-1.7\n".utf8), "files/paper.txt")
    try snip.write(Samples.bytes(3000), "files/noise.txt")
    try snip.write(Data(), "files/empty")
    try snip.write(Data("Milk, eggs".utf8), "files/milk")

    let output = try await snip("import", "--json", "files")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    let outcomes = try output.json("outcome").compactMap(\.string)
    #expect(outcomes.sorted() == ["imported", "unsupported", "unsupported", "unsupported"])
    #expect(
      try output.json().last
        == [
          "imported": 1, "broughtBack": 0, "updated": 0, "moved": 0, "movedFolders": 0,
          "trashed": 0, "missing": 0, "conflicts": 0,
          "unchanged": 0, "duplicates": 0, "unsupported": 3, "leftOut": 0, "failed": 0,
          "unreadFrontMatter": 0, "unreadValue": 0, "replacedValue": 0, "bytes": 10,
        ]
    )
  }

  @Test func `what is skipped is named with its reason, the first twenty of each in full`()
    async throws
  {
    _ = try await snip("add", "--text", "Milk", "--title", "milk")
    for number in 10..<33 { try snip.write(Samples.bytes(300 + number), "files/\(number).bin") }
    try snip.write(Data(), "files/empty")
    try snip.write(Data("Milk".utf8), "files/milk.txt")

    let output = try await snip("import", "files")

    let folder = TemporaryDirectory.file("files").path
    let named = (10..<30).map { "  \(folder)/\($0).bin" }
    #expect(
      output.standardError.split(separator: "\n").map(String.init) == [
        "skipped 23: the bytes are not a known text, image or recording"
      ] + named + [
        "  and 3 more: --json names all", "skipped 1: there are no bytes",
        "  \(folder)/empty", "skipped 1: already in the store",
        "  \(folder)/milk.txt is snippet 1",
      ],
      "\(output)"
    )
    let lines = try await snip("import", "--json", "files").json()
    #expect(
      lines.first?["reason"] == "the bytes are not a known text, image or recording",
      "\(lines)"
    )
  }

  @Test func `a note whose front matter cannot be read is named, and is imported`() async throws {
    let note = "---\ntitle: Meeting: with Anna\n---\nMilk"
    try snip.write(Data(note.utf8), "files/milk.md")

    let output = try await snip("import", "files")
    try snip.write(Data("\(note) and eggs".utf8), "files/milk.md")
    let lines = try await snip("import", "--json", "files").json()

    let path = TemporaryDirectory.file("files/milk.md").path
    #expect(output.status == 0, "\(output)")
    #expect(output.text.hasPrefix("imported 1  front matter unread 1  duplicates 0"), "\(output)")
    #expect(
      output.standardError == """
        front matter unread 1: the files were imported with what could be read; correct them, and import again
          \(path): line 2: mapping values are not allowed in this context; a value with a colon and \
        a blank needs quotes

        """
    )
    #expect(lines.map { $0["outcome"] } == ["updated", "unreadFrontMatter", nil])
    #expect(
      lines[1] == [
        "file": .string(path), "id": 1, "outcome": "unreadFrontMatter",
        "reason": .string(
          "line 2: mapping values are not allowed in this context; "
            + "a value with a colon and a blank needs quotes"
        ),
      ]
    )
    #expect(lines[2]["updated"] == 1 && lines[2]["unreadFrontMatter"] == 1, "\(lines)")
  }

  @Test func `what another import of a folder updates, moves and trashes is named`() async throws {
    for name in ["changed", "gone", "moved", "same"] {
      try snip.write(Data(name.utf8), "files/\(name).md")
    }
    let first = try await snip("import", "files")
    #expect(first.standardError.isEmpty, "\(first)")
    let folder = TemporaryDirectory.file("files").path
    try snip.write(Data("changed since".utf8), "files/changed.md")
    try FileManager.default.removeItem(atPath: "\(folder)/gone.md")
    try FileManager.default.moveItem(atPath: "\(folder)/moved.md", toPath: "\(folder)/new.md")

    let output = try await snip("import", "--trash-missing", "files")

    #expect(
      output.text.hasPrefix("imported 0  updated 1  moved 1  trashed 1  unchanged 1  duplicates 0"),
      "\(output)"
    )
    #expect(
      output.standardError == """
        moved 1: known by their bytes
          \(folder)/moved.md → \(folder)/new.md
        updated 1: from their files
          \(folder)/changed.md
        trashed 1: their files are gone
          \(folder)/gone.md, snippet 2

        """
    )
  }

  @Test func `a folder that was moved as a whole is named, with its former place`() async throws {
    for name in ["a", "b"] { try snip.write(Data(name.utf8), "files/\(name).md") }
    _ = try await snip("import", "files")
    let (old, new) = (TemporaryDirectory.file("files"), TemporaryDirectory.file("moved"))
    try FileManager.default.moveItem(at: old, to: new)

    let lines = try await snip("import", "--json", "--dry-run", "moved").json()
    let output = try await snip("import", "moved")

    #expect(
      lines.first == [
        "file": .string(new.path), "outcome": "movedFolder", "from": .string(old.path), "files": 2,
      ]
    )
    #expect(lines.last?["movedFolders"] == 1 && lines.last?["unchanged"] == 2, "\(lines)")
    #expect(
      output.text.hasPrefix("imported 0  folders moved 1  unchanged 2  duplicates 0"),
      "\(output)"
    )
    #expect(
      output.standardError == """
        folders moved 1: their snippets follow
          \(old.path) → \(new.path), 2 files

        """
    )
  }

  @Test func `what comes back from the trash is named and counted apart`() async throws {
    try snip.write(Data("Milk".utf8), "files/milk.md")
    _ = try await snip("import", "files")
    _ = try await snip("rm", "1")

    let output = try await snip("import", "files")
    _ = try await snip("rm", "1")
    let lines = try await snip("import", "--json", "files").json()

    #expect(output.text.hasPrefix("imported 0  brought back 1  duplicates 0"), "\(output)")
    #expect(
      output.standardError == """
        brought back 1: from the trash, since their files are there
          \(TemporaryDirectory.file("files/milk.md").path), snippet 1

        """
    )
    #expect(lines.map { $0["outcome"] } == ["broughtBack", nil])
    #expect(lines[1]["broughtBack"] == 1 && lines[1]["imported"] == 0, "\(lines)")
  }

  @Test func `a name that is not UTF-8 fails with a hint that tells how to rename it`() async throws
  {
    try snip.write(Data("Milk".utf8), "files/milk.txt")
    let file = #""$(printf 'files/caf\351.txt')""#
    let made = try await snip.shell("touch \(file)")
    try #require(made.status == 0, "\(made)")

    let found = try await snip("import", "files")
    let given = try await snip.shell("snip import \(file)")

    #expect(found.standardError.contains("the name is not UTF-8"), "\(found)")
    #expect(
      found.standardError.contains(
        "hint: Rename it, as with: convmv -f latin1 -t utf8 -r --notest FOLDER\n"
      ),
      "\(found)"
    )
    #expect(given.status == 64, "\(given)")
    #expect(
      given.standardError.contains(
        "rename that, as with: convmv -f latin1 -t utf8 --notest FILE\n"
      ),
      "\(given)"
    )
    #expect(found.text.hasPrefix("imported 1  duplicates 0  unsupported 0  failed 1"), "\(found)")
  }

  @Test func `when the totals are printed, the search index holds what was imported`() async throws
  {
    for number in 0..<700 { try snip.write(Data("text \(number)".utf8), "files/\(number).txt") }

    let output = try await snip("import", "files")

    #expect(output.status == 0, "\(output)")
    let state = try await Shell.sqlite3(
      snip.store,
      """
      SELECT unindexed_from, change_number = (SELECT max(number) FROM change),
        (SELECT count(*) FROM search_index) FROM search_state
      """
    )
    #expect(state.standardOutput == "|1|700\n", "\(state)")
  }

  @Test func `what cannot be read fails by name and stops nothing`() async throws {
    try snip.write(Data("Milk".utf8), "files/milk.txt")

    let output = try await snip("import", "missing", "files", "files/milk.txt/below")

    #expect(output.status == 1, "\(output)")
    #expect(
      output.text.hasPrefix("imported 1  duplicates 0  unsupported 0  failed 2  ("),
      "\(output)"
    )
    let missing = TemporaryDirectory.file("missing").path
    #expect(
      output.standardError == """
        snip: could not import a file: \(missing): No such file or directory
        hint: Check the path.
        snip: could not import a file: \
        \(TemporaryDirectory.file("files/milk.txt/below").path): Not a directory
        snip: could not import 2 of the files, named above
        hint: The others were imported. Run it again to retry only what is missing.

        """
    )
  }

  @Test func `where all fails, no others are told of`() async throws {
    let one = try await snip("import", "missing")
    let two = try await snip("import", "missing", "also missing")

    #expect(one.status == 1 && two.status == 1)
    #expect(
      one.standardError.hasSuffix(
        "hint: Check the path.\nsnip: could not import the file named above\n"
      ),
      "\(one)"
    )
    #expect(
      two.standardError.hasSuffix("\nsnip: could not import the files named above\n"),
      "\(two)"
    )
  }

  @Test func `a dry run names what it would do, and makes no store`() async throws {
    let snip = snip.with(["SNIP_STORE": TemporaryDirectory.file("none.sqlite").path])
    try snip.write(Data("one".utf8), "dry/one.txt")

    let output = try await snip("import", "--dry-run", "dry")

    let path = TemporaryDirectory.file("dry/one.txt").path
    #expect(output.text.hasPrefix("imported 1  duplicates 0"), "\(output)")
    #expect(
      output.standardError
        == "would import 1: not in the store yet\n  \(path)\ndry run: nothing was changed\n"
    )
    #expect(!FileManager.default.fileExists(atPath: TemporaryDirectory.file("none.sqlite").path))
  }

  @Test func `a dry run says what would happen, and numbers no snippet that is not there`()
    async throws
  {
    for name in ["back", "both", "gone"] { try snip.write(Data(name.utf8), "files/\(name).md") }
    _ = try await snip("import", "files")
    _ = try await snip("rm", "1")
    _ = try await snip("edit", "2", "--text", "changed here")
    try snip.write(Data("changed there".utf8), "files/both.md")
    let folder = TemporaryDirectory.file("files").path
    try FileManager.default.removeItem(atPath: "\(folder)/gone.md")
    for name in ["one.png", "two.png"] { try snip.write(Samples.png, "files/\(name)") }

    let output = try await snip("import", "--dry-run", "--trash-missing", "files", "missing")
    let lines = try await snip("import", "--json", "--dry-run", "files").json()

    #expect(output.status == 1, "\(output)")
    let ending = "\nsnip: could not import 1 of the files, named above\n"
    #expect(output.standardError.hasSuffix(ending), "\(output)")
    for words in [
      "would bring back 1: from the trash, since their files are there\n  \(folder)/back.md",
      "would import 1: not in the store yet\n  \(folder)/one.png\n",
      "skipped 1: equal to another new file\n  \(folder)/two.png\n",
      "would trash 1: their files are gone\n  \(folder)/gone.md, snippet 3\n",
      "the file would become a new snippet, and `snip export --markdown` would write snippet 2 beside",
    ] {
      #expect(output.standardError.contains(words), "\(output)")
    }
    let outcomes = ["imported", "conflict", "duplicate"]
    let new = lines.filter { outcomes.contains($0["outcome"]?.string ?? "") }
    #expect(new.count == 3 && new.allSatisfy { $0["id"] == nil }, "\(lines)")
  }

  @Test func `a conflict with a note of Keep says that its snippet stays, and promises no file`()
    async throws
  {
    func note(_ text: String) -> Data {
      let dates = #""createdTimestampUsec": 1000000, "userEditedTimestampUsec": 2000000"#
      return Data(#"{"title": "M", "textContent": "\#(text)", \#(dates)}"#.utf8)
    }
    try snip.write(note("Berlin"), "Keep/M.json")
    _ = try await snip("import", "Keep")
    _ = try await snip("edit", "1", "--text", "Paris")
    try snip.write(note("Rome and more"), "Keep/M.json")

    let dry = try await snip("import", "--dry-run", "Keep")
    let output = try await snip("import", "Keep")

    let words = "the file would become a new snippet, and snippet 1 would stay as it is\n"
    #expect(dry.standardError.contains(words), "\(dry)")
    let said = "the file is snippet 2 now, and snippet 1 stays as it is\n"
    #expect(output.standardError.contains(said), "\(output)")
  }

  @Test func `a folder without a file is told`() async throws {
    let folder = TemporaryDirectory.file("empty")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)

    let output = try await snip("import", "empty")

    #expect(output.status == 0, "\(output)")
    #expect(output.standardError == "nothing to import in empty\n", "\(output)")
  }

  @Test func `an empty path is refused, and is not the current folder`() async throws {
    try snip.write(Data("Milk".utf8), "milk.txt")

    let output = try await snip("import", "")

    #expect(output.status == 64, "\(output)")
    #expect(output.bytes.isEmpty && output.standardError.hasPrefix("snip: "), "\(output)")
  }

  @Test func `folders are walked in order, hidden files and links left out`() async throws {
    try snip.write(Data("one".utf8), "files/a/one.txt")
    try snip.write(Data("two".utf8), "files/b.txt")
    try snip.write(Data("three".utf8), "files/.hidden/three.txt")
    try snip.write(Data("four".utf8), "elsewhere/four.txt")
    let link = TemporaryDirectory.file("files/link")
    try FileManager.default.createSymbolicLink(
      at: link,
      withDestinationURL: TemporaryDirectory.file("elsewhere")
    )

    let found = try await snip("import", "--json", "files")
    let hidden = try await snip("import", "--json", "--hidden", "--tag", "later", "files")
    let followed = try await snip("import", "--json", "files/link")

    #expect(
      try files(found) == [
        "files/.hidden leftOut", "files/link leftOut", "files/a/one.txt imported",
        "files/b.txt imported",
      ]
    )
    #expect(
      try files(hidden) == [
        "files/link leftOut", "files/.hidden/three.txt imported", "files/a/one.txt updated",
        "files/b.txt updated",
      ]
    )
    let named = try await snip("import", "files")
    #expect(named.text.hasPrefix("imported 0  unchanged 2  left out 2  duplicates 0"), "\(named)")
    #expect(
      named.standardError == """
        left out 1: it is hidden
          \(TemporaryDirectory.file("files/.hidden").path)
        left out 1: it is a link
          \(TemporaryDirectory.file("files/link").path)

        """
    )
    #expect(try files(followed) == ["files/link/four.txt imported"])
    let tagged = try await snip("list", "--json", "--tag", "later").json("title")
    #expect(Set(tagged.compactMap(\.string)) == ["b", "one", "three"])
  }

  @Test func `the files of the store are not imported into it`() async throws {
    _ = try await snip("add", "--text", "Milk")
    try snip.write(Data("eggs".utf8), "eggs.txt")

    let output = try await snip("import", "--json", ".")

    #expect(output.status == 0, "\(output)")
    let outcomes = try output.json("outcome").compactMap(\.string)
    #expect(Set(outcomes) == ["imported", "leftOut"])
    #expect(outcomes.count { $0 == "imported" } == 1)
    #expect(try await snip("check").status == 0)
  }

  @Test func `title and date come from the file`() async throws {
    try snip.write(Data("Milk".utf8), "Shopping: 100% of it? #1, «né» 俳句.txt")
    let file = TemporaryDirectory.file("Shopping: 100% of it? #1, «né» 俳句.txt")
    try FileManager.default.setAttributes(
      [.modificationDate: Samples.date.addingTimeInterval(0.25)],
      ofItemAtPath: file.path
    )

    let output = try await snip("import", file.lastPathComponent)

    #expect(output.status == 0, "\(output)")
    let row = try #require(try await snip("list", "--json").json().first)
    #expect(row["title"] == "Shopping: 100% of it? #1, «né» 俳句")
    #expect(row["createdAt"] == "2026-01-01T00:00:00.250Z")
  }

  @Test func `in a pipe, progress is shown only when asked for`() async throws {
    try snip.write(Data("Milk".utf8), "files/milk.txt")

    let plain = try await snip("import", "--progress", "plain", "files")
    try snip.write(Data("Eggs".utf8), "others/eggs.txt")
    let none = try await snip.onTerminal("import", "--progress", "none", "others")

    #expect(plain.standardError.hasPrefix("Importing ["), "\(plain)")
    #expect(plain.standardError.contains("1/1 100%"), "\(plain)")
    #expect(none.lines.count == 1, "\(none)")
  }

  /// The files of an import, relative to the folder of the test, and what became of them.
  private func files(_ output: SnipOutput) throws -> [String] {
    let folder = TemporaryDirectory.current.url.path + "/"
    return try output.json().compactMap { line in
      guard let file = line["file"]?.string, let outcome = line["outcome"]?.string else {
        return nil
      }
      return "\(file.replacingOccurrences(of: folder, with: "")) \(outcome)"
    }
  }
}
