import Foundation
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct AddCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  @Test func `a text is added with its title, tags and pin`() async throws {
    let output = try await snip(
      "add",
      "--text",
      "Milk, eggs",
      "--title",
      "For Sunday",
      "--tag",
      "shopping",
      "--tag",
      "home",
      "--pin"
    )

    #expect(output == SnipOutput("1\n"))
    let row = try #require(try await snip("list", "--json").json().first)
    #expect(row["title"] == "For Sunday")
    #expect(row["tags"] == ["home", "shopping"])
    #expect(row["pinned"] == true)
    #expect(try await snip("cat", "1") == SnipOutput("Milk, eggs"))
  }

  @Test func `a note is added with the title, tags, dates and pin in it, as an import does`()
    async throws
  {
    let text = """
      ---
      title: Supper
      tags: [soup]
      created: 2001-09-09T01:46:40Z
      pinned: true
      ---
      Leeks #autumn

      """
    try snip.write(Data(text.utf8), "a.md", "a.txt")
    try snip.write(Data("#+TITLE: Plan\n#+FILETAGS: :work:\n".utf8), "b.org")

    let note = try #require(try await snip("add", "a.md", "--json").json().first)
    #expect(note["title"] == "Supper" && note["pinned"] == true)
    #expect(note["tags"] == ["autumn", "soup"])
    #expect(note["createdAt"] == "2001-09-09T01:46:40.000Z")
    let told = try await snip("add", "a.md", "--title", "Said", "--tag", "more", "--json")
    #expect(try told.json("title") == ["Said"])
    #expect(try told.json("tags") == [["autumn", "more", "soup"]])
    let others = try await snip("add", "b.org", "a.txt", "--json")
    #expect(try others.json("title") == ["Plan", "a"])
    #expect(try others.json("tags") == [["work"], []])
    #expect(try await snip("cat", "1").text == text)
  }

  @Test func `a text with front matter is read as a note, without a file too`() async throws {
    let text = "---\ntitle: My plan\ntags: [work]\npinned: true\nauthor: me\n---\nBody\n"
    let input = Data(text.utf8)

    let notes = try await [
      snip("add", "--json", input: input), snip("add", "--json", "--text", text),
    ]
    for note in try notes.flatMap({ try $0.json() }) {
      #expect(note["title"] == "My plan" && note["tags"] == ["work"] && note["pinned"] == true)
    }
    #expect(try await snip("cat", "1").text == text)
    let told = try await snip("add", "--json", "--title", "Said", input: input)
    #expect(try told.json("title") == ["Said"])
    let untitled = try await snip("add", "--json", "--text", "---\ntags: [a]\n---\nBelow\n")
    #expect(try untitled.json("title") == ["Below"])
    // An object is the text itself, and in a history a note is a text like any other.
    let object = try await snip("add", "--json", input: Data(#"{"title": "T"}"#.utf8))
    #expect(try object.json("title") == [#"{"title": "T"}"#])
    let newest = try await snip("add", "--json", "--once", "--text", "---\ntags: [b]\n---\nOnce")
    #expect(try newest.json("tags") == [[]])
  }

  @Test func `what cannot be read of a note that is added is named`() async throws {
    try snip.write(Data("---\ntitle: A\ncreated: someday\n---\nText\n".utf8), "a.md")

    let output = try await snip("add", "a.md")

    #expect(output.status == 0 && output.text == "1\n")
    let words = "values unread 1: they stay in the text alone\n  a.md: "
    #expect(output.standardError.hasPrefix(words) && output.standardError.contains("someday"))
  }

  @Test func `a text is added as people type it`() async throws {
    try snip.write(Data("From a file\n".utf8), "todo.txt", "a b")

    #expect(try await snip("add", "Milk, eggs") == SnipOutput("1\n"))
    #expect(try await snip("add", "buy", "milk", "--tag", "shopping") == SnipOutput("2\n"))
    #expect(try await snip("add", "todo.txt", "a b", "--json").json("title") == ["todo", "a b"])
    #expect(try await snip("add", "-", input: Data("From a pipe".utf8)) == SnipOutput("5\n"))
    #expect(try await snip("add", "--text", "todo.txt") == SnipOutput("6\n"))
    #expect(try await snip("add", "--text", "- milk") == SnipOutput("7\n"))
    #expect(try await snip("add", "--", "- eggs") == SnipOutput("8\n"))
    #expect(try await snip("add", "--file", "a b") == SnipOutput("9\n"))

    let texts = try await snip.shell("for id in 1 2 3 5 6 7 8 9; do snip cat $id; echo; done")
    #expect(
      texts.text
        == "Milk, eggs\nbuy milk\nFrom a file\n\nFrom a pipe\ntodo.txt\n- milk\n- eggs\nFrom a file\n\n"
    )
  }

  @Test func `a pipe or a file is added without a dash, a device is not`() async throws {
    try snip.write(Data("From a file\n".utf8), "note")

    let outputs = try await snip.shell(
      "echo piped | snip add --tag t; snip add <note; snip cat 1; snip cat 2"
    )
    let device = try await snip.shell("snip add </dev/null")
    let nothing = try await snip.shell("printf '' | snip add")

    #expect(outputs == SnipOutput("1\n2\npiped\nFrom a file\n"))
    #expect(device.status == 64)
    #expect(device.standardError.hasPrefix("snip: there is nothing to add\nhint: Give a text, "))
    #expect(nothing.status == 65 && nothing.standardError.contains("there are no bytes"))
  }

  @Test func `a pipe with a name is added as a file is`() async throws {
    let output = try await snip.shell(
      "mkfifo pipe && { echo inside >pipe & } && snip add pipe --json"
    )

    #expect(output.status == 0, "\(output)")
    #expect(try output.json("title") == ["inside"])
  }

  @Test func `a word that was taken for a file is told`() async throws {
    try snip.write(Data("Inside\n".utf8), "todo", "photo.txt")
    try snip.write(Data(), "notes")

    let file = try await snip("add", "todo")
    let empty = try await snip("add", "notes")

    #expect(
      file == SnipOutput("1\n", error: "Added the file todo. For the text: snip add --text todo\n")
    )
    #expect(try await snip("add", "photo.txt") == SnipOutput("2\n"))
    #expect(try await snip("add", "--file", "todo") == SnipOutput("3\n"))
    #expect(empty.status == 65, "\(empty)")
    #expect(
      empty.standardError.hasPrefix("snip: could not add notes: there are no bytes\n"),
      "\(empty)"
    )
  }

  @Test func `with --once an equal text comes to the top`() async throws {
    for text in ["one", "two"] { _ = try await snip("add", text, "--tag", "c") }

    let known = try await snip("add", "one", "--tag", "c", "--once")
    let json = try await snip("add", "two", "--tag", "c", "--once", "--json").json()
    let other = try await snip("add", "one", "--once", "--tag", "d", "--json").json("new")

    #expect(
      known == SnipOutput("1\n", error: "Snippet 1 has this already, and is on top now.\n")
    )
    #expect(json.map { $0["id"] } == [2] && json.map { $0["new"] } == [false])
    #expect(other == [true])
    #expect(try await snip("list", "--json").json("title") == ["one", "two", "one"])
  }

  @Test func `with --keep the oldest go to the trash`() async throws {
    try snip.write(Data("three".utf8), "three.txt")
    try snip.write(Data("four".utf8), "four.txt")
    try snip.write(Data("%PDF-1".utf8), "paper.pdf")
    _ = try await snip("add", "--text", "a note")
    for text in ["one", "two"] { _ = try await snip("add", text, "--tag", "c") }

    let output = try await snip(
      "add",
      "three.txt",
      "paper.pdf",
      "four.txt",
      "--tag",
      "c",
      "--keep",
      "2"
    )

    #expect(output.status == 65 && output.text == "4\n5\n", "\(output)")
    #expect(output.standardError.contains("Moved 1 older one to the trash."))
    #expect(output.standardError.contains("1 of 3 could not be added; the others are"))
    #expect(try await snip("list", "--trash", "--json").json("title") == ["two", "one"])
    #expect(try await snip("add", "x", "--keep", "2").status == 64)
    #expect(try await snip("add", "x", "--tag", "c", "--keep", "0").status == 64)
  }

  @Test func `of several files those are added that can be, and the others told`() async throws {
    try snip.write(Data("One".utf8), "one.txt")
    try snip.write(Data("%PDF-1".utf8), "paper.pdf")
    try snip.write(Data("Two".utf8), "two.txt")

    let output = try await snip("add", "one.txt", "paper.pdf", "two.txt")

    #expect(output.status == 65 && output.text == "1\n2\n", "\(output)")
    #expect(output.standardError.hasPrefix("snip: could not add paper.pdf: "), "\(output)")
    #expect(output.standardError.hasSuffix("snip: 1 of 3 could not be added; the others are\n"))
  }

  @Test func `what cannot be read of a note is named although another file fails`() async throws {
    try snip.write(Data("---\ntitle: A\ncreated: someday\n---\nText\n".utf8), "a.md")
    try snip.write(Data("%PDF-1".utf8), "paper.pdf")

    let output = try await snip("add", "a.md", "paper.pdf")

    #expect(output.status == 65 && output.text == "1\n", "\(output)")
    #expect(output.standardError.contains("someday"), "\(output)")
  }

  @Test(arguments: [["two words.zip"], ["a.txt", "two words.zip"]])
  func `an archive that is added is a case for import`(files: [String]) async throws {
    try snip.write(Data("Text".utf8), "a.txt")
    try snip.write(Data([0x50, 0x4B, 3, 4] + Array(repeating: 0, count: 60)), "two words.zip")

    let output = try await snip.run(["add"] + files)

    #expect(output.status == 65, "\(output)")
    let hint = "hint: To import what is in it: snip import 'two words.zip'\n"
    #expect(output.standardError.contains(hint), "\(output)")
  }

  @Test func `what is wrong with all of several files is told once, and none is added`()
    async throws
  {
    try snip.write(Data("%PDF-1".utf8), "paper.pdf")
    for name in ["one.txt", "two.txt"] { try snip.write(Data(name.utf8), name) }

    let output = try await snip("add", "paper.pdf", "one.txt", "two.txt", "--tag", "a,b")

    #expect(output.status == 65 && output.text.isEmpty, "\(output)")
    #expect(output.standardError.components(separatedBy: "a,b").count == 2, "\(output)")
    #expect(try await snip("list").text.isEmpty)
  }

  @Test func `each of several files is printed as JSON once it is in the store`() async throws {
    for name in ["one.txt", "two.txt"] { try snip.write(Data(name.utf8), name) }

    let rows = try await snip("add", "one.txt", "two.txt", "--tag", "t", "--pin", "--json").json()

    #expect(rows == (try await snip("list", "--json", "--order", "title").json()))
    #expect(rows.map { $0["title"] } == ["one", "two"])
  }

  @Test func `a mistake makes no store`() async throws {
    #expect(try await snip("add", "missing.png").status == 65)

    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }

  @Test func `images and recordings are added from files`() async throws {
    try snip.write(SampleLibrary.picture, "harbour.bin")
    try snip.write(SampleLibrary.recording, "memo.bin")

    #expect(try await snip("add", "--image", "harbour.bin") == SnipOutput("1\n"))
    #expect(try await snip("add", "--voice", "memo.bin", "--title", "A memo") == SnipOutput("2\n"))

    let rows = try await snip("list", "--json", "--order", "title").json()
    #expect(rows.map { $0["title"] } == ["A memo", "harbour"])
    #expect(rows.map { $0["kind"] } == ["voice", "image"])
    #expect(rows[0]["duration"] == .number(1.5))
    #expect(rows[1]["pixelWidth"] == 1)
  }

  @Test(arguments: [
    ("text", Data("From a pipe\n".utf8)), ("image", SampleLibrary.picture),
    ("voice", SampleLibrary.recording), ("text", Data(Samples.longText().utf8)),
  ])
  func `whatever comes from standard input is told by its content`(
    kind: String,
    bytes: Data
  ) async throws {
    let output = try await snip("add", "--stdin", "--json", input: bytes)

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(try output.json("kind") == [.string(kind)])
    #expect(try await snip("cat", "1").bytes == bytes)
  }

  @Test(arguments: ["add --stdin", "add --once -", "edit 1 --stdin"])
  func `standard input that cannot be read is told with the reason`(
    command: String
  ) async throws {
    _ = try await snip("add", "--text", "Milk")

    let output = try await snip.shell("snip \(command) < .")

    #expect(output.status == 65, "\(output)")
    #expect(output.standardError == "snip: could not read standard input: Is a directory\n")
    #expect(try await snip("cat", "1").text == "Milk")
  }

  @Test func `a long stream passes through a pipe byte for byte`() async throws {
    try snip.write(Data("% a text\n".utf8) + Samples.bytes(3_000_000).base64EncodedData(), "long")

    let output = try await snip.shell("cat long | snip add --stdin && snip cat 1 | cmp - long")

    #expect(output == SnipOutput("1\n"))
  }

  @Test func `the same text may be added twice`() async throws {
    #expect(try await snip("add", "--text", "Milk") == SnipOutput("1\n"))
    #expect(try await snip("add", "--text", "Milk") == SnipOutput("2\n"))
  }

  @Test func `what cannot be added leaves nothing behind`() async throws {
    try snip.write(Data("Milk".utf8), "milk.txt")
    let place = TemporaryDirectory.current.url.path

    #expect(
      try await snip("add", "--image", "milk.txt")
        == SnipOutput(
          error: """
            snip: could not add milk.txt: the bytes are text/plain, not image
            hint: Nothing was changed.

            """,
          status: 65
        )
    )
    #expect(
      try await snip("add", "--voice", "missing.wav")
        == SnipOutput(
          error: """
            snip: could not save a snippet: \(place)/missing.wav: No such file or directory
            hint: Check the path.

            """,
          status: 65
        )
    )
    #expect(try await snip("add", "--stdin").status == 65)
    #expect(try await snip("add", "--text", "x", "--tag", "a,b").status == 65)
    #expect(try await snip("add", "--image", "").status == 65)
    #expect(try await snip("list", "--json") == SnipOutput())
  }
}
