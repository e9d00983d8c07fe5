import Foundation
import SnippetTestSupport
import Testing

/// `rm`, `tag` and `export` over a query or a range of numbers.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct QueryCommandsTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  private var ids: [ParsedJSON?] {
    get async throws { try await snip("list", "--json").json("id") }
  }

  @Test func `what a query finds is moved to the trash`() async throws {
    let output = try await snip("rm", "--query", "-tag:home kind:text")
    let json = try await snip("rm", "--query", "milk", "--json")

    #expect(
      output
        == SnipOutput(error: "Moved 1 to the trash.\nTo bring back: snip undelete 5\n")
    )
    #expect(try json.json("deleted") == [[1]])
    #expect(try await ids == [4, 3, 2])
    #expect(
      try await snip("rm", "--query", "no-such-word")
        == SnipOutput(error: "Nothing found.\n")
    )
    #expect(try await snip("rm", "--query", "is:trashed", "--permanently").status == 0)
    #expect(try await snip("list", "--trash", "--json").bytes.isEmpty)
  }

  @Test func `on a terminal a query asks first, and says how many`() async throws {
    for (arguments, question) in [
      (["rm", "--query", "kind:text"], "Move 3 snippets to the trash? [y/N] "),
      (["tag", "--query", "kind:text", "x"], "Change the tags of 3 snippets? [y/N] "),
    ] {
      let session = try TerminalSession(snip, arguments)
      #expect(try await session.read(until: question), "\(session.text)")
      try session.type("n\n")
      #expect(try await session.end().status == 1)
    }
    #expect(try await ids.count == 5)
    let sure = try await TerminalSession(snip, ["rm", "--query", "kind:text", "--yes"]).end()
    #expect(sure.status == 0 && sure.text.contains("Moved 3 to the trash."), "\(sure)")
  }

  @Test func `what a query finds is tagged`() async throws {
    let words = ["7", "read later", "--remove", "home"]
    let output = try await snip.run(["tag", "--query", "kind:text"] + words)
    let looked = try await snip("tag", "--query", "tag:7 milk")

    #expect(output == SnipOutput(error: "Changed the tags of 3 snippets.\n"))
    #expect(looked == SnipOutput("7\nread later\nshopping\n"))
    #expect(try await snip("tag", "--query", "tag:7", "x", "--json").json("tags").count == 3)
    #expect(
      try await snip("tag") == SnipOutput("7  3\nholiday  1\nread later  3\nshopping  1\nx  3\n")
    )
  }

  @Test func `what the conditions of a query select is exported`() async throws {
    let output = try await snip("export", "out", "--query", "kind:text size:>1kB", "--kind", "text")
    let words = try await snip("export", "other", "--query", "milk")

    #expect(output.status == 0 && output.text.hasPrefix("out: 1 snippet,"), "\(output)")
    #expect(words.status == 64 && words.standardError.contains("takes conditions only"))
  }

  @Test func `ranges of numbers are removed, brought back and tagged`() async throws {
    #expect(
      try await snip("tag", "2-3", "5", "x", "2026-07").text.hasPrefix("2  2026-07, holiday, x\n")
    )
    #expect(try await snip("rm", "2-4", "3", "1").status == 0)
    #expect(try await ids == [5])
    #expect(try await snip("undelete", "1-3") == SnipOutput(error: "Brought back 3.\n"))
    #expect(try await ids == [5, 3, 2, 1])
    #expect(
      try await snip("rm", "6-9")
        == SnipOutput(
          error: """
            snip: there are no snippets 6 to 9 outside the trash
            hint: Nothing was changed.

            """,
          status: 2
        )
    )
    #expect(try await snip("rm", "3-1").status == 64)
  }

  @Test func `a range with its numbers in the wrong order is no tag unless it must be one`()
    async throws
  {
    for words in [["3-1", "x"], ["5", "3-1"], ["1-2", "3000-13"]] {
      let output = try await snip.run(["tag"] + words)
      #expect(output.status == 64, "\(output)")
      #expect(output.standardError.contains("ends before it begins"), "\(output)")
    }
    #expect(try await snip("tag", "5", "2026-12", "2-1", "--add", "3-1").status == 0)
    #expect(try await snip("tag", "5").text.contains("2-1\n2026-12\n3-1\n"))
  }

  @Test func `a tag is renamed with those below it`() async throws {
    _ = try await snip("tag", "2", "home/garden")

    #expect(
      try await snip("tag", "--rename", "home", "house")
        == SnipOutput(error: "Renamed it on 3 snippets.\n")
    )
    #expect(
      try await snip("tag")
        == SnipOutput("holiday  1\nhouse  2\nhouse/garden  1\nshopping  1\n")
    )
    #expect(
      try await snip("tag", "--rename", "shopping", "house", "--json").json()
        == [["tag": "house", "snippets": 1]]
    )
    let missing = try await snip("tag", "--rename", "none", "x")
    #expect(missing.status == 1 && missing.standardError.hasPrefix("snip: there is no tag ‘none’"))
    #expect(try await snip("tag", "--rename", "house").status == 64)
  }

  @Test func `numbers and a query exclude each other, and one is needed`() async throws {
    for arguments in [["rm"], ["rm", "1", "--query", "milk"], ["rm", "--query", " "]] {
      #expect(try await snip.run(arguments).status == 64)
    }
    #expect(try await snip("rm", "--query", "sizes:>1").status == 64)
  }
}
