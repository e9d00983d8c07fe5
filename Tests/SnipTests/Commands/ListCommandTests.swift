import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ListCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  @Test func `a table shows the newest first and what is beyond it`() async throws {
    try await SampleLibrary.make()

    let all = try await snip("list")
    let part = try await snip("list", "--from", "1", "--limit", "2")

    #expect(
      all
        == SnipOutput(
          """
          ID  KIND    CREATED              SIZE  MEDIA  SNIPPET
           5  text    2026-01-05 00:00     46 B         An older encoding · Grüße aus Köln über die Autobahn nach München
           4  text    2026-01-04 00:00  84.0 kB         A long one · #Home · \(longPreview)
           3  voice   2026-01-03 00:00  12.0 kB   0:02  Memo
           2  image   2026-01-02 00:00     70 B    1×1  Harbour · #holiday
           1  text *  2026-01-01 00:00     34 B         Milk, eggs, bread · #Home #shopping · and a newspaper

          """
        )
    )
    #expect(part.lines.dropFirst().map { $0.prefix(2) } == [" 4", " 3"])
    #expect(part.standardError == "2–3 of 5. More: --from 3\n")
  }

  @Test func `a part of a long list says how long that is`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (0..<3_000).map { SnippetDraft(.text("\($0)")) })
    try await store.close()

    for (options, range) in [
      (["--limit", "2"], "1–2"), (["--from", "1500", "--limit", "2"], "1501–1502"),
      (["--limit", "1024"], "1–1024"), (["--limit", "1025"], "1–1025"),
    ] {
      let output = try await snip.run(["list"] + options)
      #expect(output.standardError.hasPrefix("\(range) of 3000. More:"), "\(options)")
    }
    #expect(try await snip("list", "--from", "2999").lines.count == 2)
    let end = try await snip("list", "--from", "3000")
    #expect(end.standardError == "The list ends before position 3000: it has 3000 snippets.\n")
  }

  private var longPreview: String {
    String(SampleLibrary.longText.prefix(200)).trimmingCharacters(in: .whitespaces)
  }

  private static let lists: [(options: [String], ids: [Int64])] = [
    ([], [5, 4, 3, 2, 1]),
    (["--reverse"], [1, 2, 3, 4, 5]),
    (["--order", "title"], [4, 5, 2, 3, 1]),
    (["--order", "title", "--reverse"], [1, 3, 2, 5, 4]),
    (["--kind", "text"], [5, 4, 1]),
    (["--kind", "image", "--kind", "voice"], [3, 2]),
    (["--tag", "HOME"], [4, 1]),
    (["--tag", "home", "--tag", "shopping"], [1]),
    (["--pinned"], [1]),
    (["--from", "3"], [2, 1]),
    (["--limit", "2"], [5, 4]),
    (["--from", "1", "--limit", "1", "--kind", "text"], [4]),
    (["--from", "5"], []),
    (["--from", "9223372036854775807"], []),
    (["--kind", "image", "--tag", "home"], []),
    (["--order", "size"], [4, 3, 2, 5, 1]),
    (["--order", "size", "--reverse"], [1, 5, 2, 3, 4]),
    (["kind:text", "-tag:home"], [5]),
    (["size:>1kB OR is:pinned", "--order", "size"], [4, 3, 1]),
    (["(kind:image OR kind:voice) -(tag:holiday)"], [3]),
    (["-kind:text", "--kind", "image"], [2]),
    (["--", "-kind:text"], [3, 2]),
    (["before:2026-01-03"], [2, 1]),
    (["--since", "2026-01-04"], [5, 4]),
    (["--until", "2026-01-02"], [2, 1]),
    (["--since", "2026-01-02", "--until", "2026-01-03"], [3, 2]),
    (["--since", "2027"], []),
    (["--until", "2025"], []),
  ]

  @Test func `filter, order and position choose the rows`() async throws {
    try await SampleLibrary.make()

    for (options, ids) in Self.lists {
      let output = try await snip.run(["list", "--json"] + options)

      #expect(output.status == 0 && output.standardError.isEmpty, "\(options) \(output)")
      #expect(try output.json("id").compactMap(\.integer) == ids, "\(options)")
    }
  }

  @Test func `the last change orders by modified`() async throws {
    try await SampleLibrary.make()
    _ = try await snip("edit", "2", "--title", "The harbour")

    let output = try await snip("list", "--json", "--order", "modified", "--limit", "1")

    #expect(try output.json("id") == [2])
  }

  @Test func `thousands of rows come out as lines in order`() async throws {
    try await SampleLibrary.make(textCount: 5000)

    let all = try await snip("list", "--json", "--limit", "0")
    let table = try await snip("list", "--limit", "0")
    let end = try await snip("list", "--json", "--from", "4990", "--limit", "0")
    let first = try await snip.shell("snip list --json --limit 0 | head -n 1; echo done")

    #expect(all.status == 0 && all.standardError.isEmpty)
    #expect(try all.json("title") == (0..<5000).reversed().map { .string("Note \($0)") })
    let identities = table.lines.dropFirst().map { $0.split(separator: " ").first.map(String.init) }
    #expect(identities == (try all.json("id").map { "\($0.integer ?? -1)" }))
    #expect(try end.json("title") == (0..<10).reversed().map { .string("Note \($0)") })
    #expect(first.lines == [all.lines[0], "done"] && first.standardError.isEmpty, "\(first)")
  }

  @Test func `an empty list says so beside the data`() async throws {
    try await TemporaryStore.open().close()
    let empty = try await snip("list")
    try await SampleLibrary.make()
    let beyond = try await snip("list", "--from", "7")

    #expect(
      empty
        == SnipOutput(error: "No snippets here. `snip add` or `snip import PATH` brings some.\n")
    )
    #expect(beyond == SnipOutput(error: "The list ends before position 7: it has 5 snippets.\n"))
    let farBeyond = try await snip("list", "--from", "\(Int.max)")
    #expect(farBeyond.standardError.hasPrefix("The list ends before position "), "\(farBeyond)")
  }

  @Test(arguments: [
    (["milk"], [1]), (["BREAD", "eggs"], [1]), (["harb"], [2]), (["holiday"], [2]),
    (["munchen"], [5]), (["long", "text"], [4]), (["e", "--limit", "2"], [4, 1]),
    (["nothing", "of", "the", "kind"], []), (["m", "--kind", "voice"], [3]),
    (["home", "--tag", "shopping"], [1]),
    (["-the", "kind:voice"], [3]), (["milk", "-bread"], []), (["milk OR harb"], [1, 2]),
    (["title:harbour"], [2]), (["in:title", "newspaper"], []), (["\"eggs, bread\""], [1]),
    (["e", "--limit", "0", "kind:text"], [4, 1, 5]), (["tag:home", "--since", "2026-01-02"], [4]),
  ])
  func `a search finds words in titles, tags and texts`(
    words: [String],
    ids: [Int64]
  ) async throws {
    try await SampleLibrary.make()
    // What the index does not hold yet comes first, and a search updates it in the background.
    let store = try TemporaryStore.open()
    try await store.updateSearchIndex()
    try await store.close()

    let output = try await snip.run(["search", "--json"] + words)

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(try output.json("id").compactMap(\.integer) == ids)
  }

  @Test func `a search says beside the data that there is nothing, or more`() async throws {
    try await SampleLibrary.make()

    let nothing = try await snip("search", "zebra")
    let more = try await snip("search", "o", "--limit", "1")

    #expect(nothing == SnipOutput(error: "Nothing found.\n"))
    #expect(more.lines.count == 2)
    #expect(more.standardError == "The first 1. More: --limit 2\n")
  }

  private static let reasons: [(arguments: [String], reason: String)] = [
    (["list", "--tag", "hme"], "Nothing found: there is no tag “hme”. Did you mean “Home”?"),
    (["list", "tag:zebra"], "Nothing found: there is no tag “zebra”."),
    (
      ["list", "--tag", "holidays"],
      "Nothing found: there is no tag “holidays”. Did you mean “holiday”?"
    ),
    (["search", "milk", "tag:zebra"], "Nothing found: there is no tag “zebra”."),
    (["list", "size:>1GB"], "Nothing found: no snippet meets the condition size:>1GB."),
    (
      ["list", "--since", "2027"],
      "Nothing found: no snippet meets the condition after:2027-01-01."
    ),
    (
      ["search", "before:1990-03-01T18:30"],
      "Nothing found: no snippet meets the condition before:1990-03-01T18:30."
    ),
    (["list", "kind:image", "is:pinned"], "Nothing found: each condition leaves some snippets, "),
    (["list", "--trash"], "Nothing here is in the trash."),
    (["search", "zebra"], "Nothing found."),
    (["search", "#HOLIDAY", "-x"], "Nothing found: “holiday” is a tag. Write it as tag:holiday."),
    (["search", "#zebra"], "Nothing found."),
    (["search", "milk", "-n", "5"], "Nothing found.\n“-n” leaves out snippets with “n”; options "),
    (["search", "(milk tea))"], "Nothing found.\n“)” closes no parenthesis"),
    (["search", ""], "Nothing found: the query is empty."),
    (
      ["search", "type:foo"],
      "Nothing found.\n“type:foo” counts as a word: that is not a type, as jpg, markdown, audio/flac "
    ),
    (
      ["search", "has:image"],
      "Nothing found.\n“has:image” counts as a word: there is no condition “has:”. Conditions are "
        + "after:, before:, duration:, file:, from:, in:, is:, kind:, path:, size:, tag:, title: and "
    ),
    (
      ["search", "zebra", "-date:2024"], "Nothing found.\n“-date:2024” counts as a word: there is "
    ),
    (["rm", "--query", "type:foo"], "Nothing found.\n“type:foo” counts as a word"),
  ]

  @Test(arguments: ["https://example.org/zebra", "\"has:zebra\"", "12:30 zebra"])
  func `a word with a colon that is no condition goes without an explanation`(
    query: String
  ) async throws {
    try await SampleLibrary.make()
    #expect(try await snip("search", query) == SnipOutput(error: "Nothing found.\n"))
  }

  @Test func `a list and an export explain a word that looks like a condition`() async throws {
    try await SampleLibrary.make()
    for arguments in [["list", "type:foo"], ["export", "out", "--query", "type:foo"]] {
      let output = try await snip.run(arguments)
      #expect(output.status == 64, "\(output)")
      #expect(output.standardError.contains("\nhint: “type:foo” counts as a word: "), "\(output)")
    }
  }

  @Test func `an empty result says why`() async throws {
    try await SampleLibrary.make()

    for (arguments, reason) in Self.reasons {
      let output = try await snip.run(arguments)

      #expect(output.status == 0 && output.bytes.isEmpty, "\(arguments) \(output)")
      #expect(output.standardError.hasPrefix(reason), "\(arguments) \(output)")
    }
  }

  @Test func `an empty result names what is in the trash, and texts that are longer`() async throws
  {
    let store = try TemporaryStore.open()
    let line = String(repeating: "A line of a log.\n", count: 300_000)
    let row = try await store.save(SnippetDraft(.text(line), title: "log"))
    try await store.close()

    let search = try await snip("search", "zebra")
    _ = try await snip("rm", "\(row.id)")
    let list = try await snip("list")

    #expect(
      search.standardError
        == "Nothing found. Of 1 long text, only the first 4 MiB were searched.\n"
    )
    #expect(
      list.standardError
        == "Nothing found: what there is, 1 snippet, is in the trash. See --trash.\n"
    )
  }

  @Test func `a mistake in a long query is shown with what stands around it`() async throws {
    try await TemporaryStore.open().close()
    let words = String(repeating: "牛乳 ", count: 40)

    let output = try await snip.run(["search", words + "size:1XB " + words])

    let lines = output.standardError.split(separator: "\n")
    #expect(output.status == 64 && lines.count == 4, "\(output)")
    #expect(
      lines[1].hasPrefix("  …") && lines[1].hasSuffix("…") && lines[1].count < 120,
      "\(output)"
    )
    #expect(lines[2].hasSuffix(" ^^^"), "\(output)")
  }
}
