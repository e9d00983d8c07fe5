import Foundation
import SnippetTestSupport
import Testing

/// Command lines that nearly say what was meant.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SmallMistakeTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  @Test(arguments: [
    (["list", "-n", "5"], "hint: If “-n” was meant as an option: they have two hyphens"),
    (["list", "--sort", "title"], "hint: Write it as: snip list --order title"),
    (["edit", "1", "--tag", "x"], "hint: Write it as: snip tag ID TAG"),
    (["edit", "1", "--pin", "--no-pin"], "snip: --pin and --no-pin exclude each other\n"),
    (["show", "3-5"], "snip: ‘3-5’ names several snippets, and `snip show` takes one\n"),
    (["cat", "3-5"], "for id in $(seq 3 5); do snip cat $id; done"),
    (["watch", "--after", "99999"], "snip: there is no change 99999 yet: the last one is "),
  ])
  func `a word that does not fit is told with what to write`(
    arguments: [String],
    words: String
  ) async throws {
    let output = try await snip.run(arguments)

    #expect(output.status == 64 && output.standardError.contains(words), "\(output)")
  }

  @Test(arguments: ["merge", "urge", "restored", "store", "pruge", "rn"])
  func `a command that destroys is suggested only for a slip of one letter`(
    word: String
  ) async throws {
    let output = try await snip.run([word])

    let suggests = ["purge", "restore", "rm"].contains {
      output.standardError.contains("Did you mean `snip \($0)`")
    }
    #expect(suggests == ["urge", "restored", "pruge", "rn"].contains(word), "\(output)")
  }

  @Test func `a tag may be written with the sign that is printed before it`() async throws {
    _ = try await snip("add", "x", "--tag", "#one")
    _ = try await snip("tag", "2", "#sea", "--remove", "#holiday")

    #expect(try await snip("tag") == SnipOutput("Home  2\none  1\nsea  1\nshopping  1\n"))
    #expect(try await snip("list", "--tag", "#one", "--json").json("id") == [6])
  }

  @Test func `a tilde that the shell has left is HOME`() async throws {
    try snip.write(Data("text".utf8), "a.txt")

    #expect(try await snip("import", "a.txt", "--store", "~/s.sqlite").status == 0)
    #expect(FileManager.default.fileExists(atPath: TemporaryDirectory.file("home/s.sqlite").path))
    // As in the paths of other options and arguments.
    try snip.write(Data("another".utf8), "home/b.txt")
    #expect(try await snip("add", "~/b.txt").status == 0)
    #expect(try await snip("export", "~/out").status == 0)
    let manifest = TemporaryDirectory.file("home/out/manifest.jsonl").path
    #expect(FileManager.default.fileExists(atPath: manifest))
  }

  @Test func `a salvage into a file that is there names what can be done`() async throws {
    try snip.write(Data(), "taken")

    let output = try await snip("salvage", "taken")

    #expect(output.status == 73, "\(output)")
    #expect(output.standardError.hasSuffix("hint: Choose another name, or remove that file.\n"))
  }

  @Test func `a list shows a text without front matter, its title, or a word cut in two`()
    async throws
  {
    let texts = ["---\nabout: a\n---\n# Soup\nPotatoes", "Milkshake recipe", "# X\nA list"]
    for (text, title) in zip(texts, ["Soup", "Milk", "X"]) {
      _ = try await snip("add", "--text", text, "--title", title)
    }

    let lines = try await snip("list", "--limit", "3").lines

    let ends = ["X · A list", "Milk · Milkshake recipe", "Soup · Potatoes"]
    #expect(zip(lines.dropFirst(), ends).allSatisfy { $0.hasSuffix($1) }, "\(lines)")
  }
}
