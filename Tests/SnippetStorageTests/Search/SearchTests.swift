import Foundation
import GRDB
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SearchTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test(arguments: Place.allCases)
  func `a word is found wherever it stands`(_ place: Place) async throws {
    let row = try await store.save(place.draft("needle"))
    _ = try await store.save(place.draft("hay"))

    #expect(try await found("needle") == [row.id])
    #expect(try await found("eedl") == [row.id])
    #expect(try await found("NEEDLE") == [row.id])
    #expect(try await found("needles").isEmpty)
  }

  @Test(arguments: [false, true])
  func `of a long text the first 4 MiB are looked at`(_ isIndexed: Bool) async throws {
    let line = "A line of a log, é included.\n"
    let count = 4 << 20 / line.utf8.count
    let text =
      "first\n" + String(repeating: line, count: count - 1) + "second\n"
      + String(repeating: line, count: 3) + "third\n"
    let row = try await store.save(SnippetDraft(.text(text), title: "log"))
    if isIndexed {
      try await store.updateSearchIndex()
    }

    #expect(try await found("first") == [row.id])
    #expect(try await found("second a line") == [row.id])
    #expect(try await found("third").isEmpty)
  }

  @Test func `a word is compared as a whole where the index cuts it off`() async throws {
    let beginning = String(repeating: "a", count: 33_000)
    let row = try await store.save(SnippetDraft(.text(beginning + "x")))
    _ = try await store.save(SnippetDraft(.text(beginning + "y")))
    try await store.updateSearchIndex()

    #expect(try await found(beginning).count == 2)
    #expect(try await found(beginning + "x") == [row.id])
    #expect(try await found(String(repeating: "a", count: 100_000)).isEmpty)
  }

  @Test(arguments: [false, true])
  func `words are found in one tag, not across two`(isIndexed: Bool) async throws {
    let row = try await store.save(
      SnippetDraft(.text("text"), title: "title", tags: ["bright red", "green"])
    )
    if isIndexed { try await store.updateSearchIndex() }

    #expect(try await found("\"bright red\"") == [row.id])
    #expect(try await found("in:tags:\"right re\"") == [row.id])
    for query in [
      "\"red green\"", "in:tags:\"red green\"", "in:tags:\"green bright\"", "in:tags:\"redgreen\"",
    ] {
      #expect(try await found(query).isEmpty, "\(query)")
    }
    for sign in [",", "\u{FF0C}", " ", "\u{FFFD}"] {
      #expect(try await found("in:tags:\"red \(sign) green\"").isEmpty, "\(sign)")
    }
  }

  @Test func `a word is found in a text of another encoding`() async throws {
    let text = String(repeating: "テストです。", count: 9)
    let row = try await store.save(
      SnippetDraft(.bytes(try #require(text.data(using: .shiftJIS))), title: "")
    )

    #expect(try await found("テスト") == [row.id])
    #expect(try await found("です。テ") == [row.id])
    #expect(try await found("ﾃｽﾄ") == [row.id])
  }

  @Test(
    arguments: [
      ("Grüße", "grusse"), ("Grüße", "GRÜSSE"), ("naïve café", "NAIVE"),
      ("cafe\u{301}", "caf\u{E9}"),
      ("ＡＢＣ１２", "abc12"), ("ｶﾞｲﾄﾞ", "ガイド"), ("ガイド", "ｶﾞｲﾄﾞ"), ("ПРИВЕТ", "привет"),
      ("Ἀθῆναι", "αθηναι"),
      ("İstanbul", "istanbul"), ("ﬁne", "fine"),
    ]
  )
  func `case, accents and width do not matter`(_ text: String, _ query: String) async throws {
    let row = try await store.save(SnippetDraft(.text("before \(text) behind"), title: ""))

    #expect(try await found(query) == [row.id])
    #expect(try await found(text) == [row.id])
  }

  @Test func `a single character is a word`() async throws {
    let row = try await store.save(
      SnippetDraft(.text("x牛乳、한국어 שלום العربية 👩‍👩‍👧 and 🇩🇪 é 1"), title: "")
    )
    _ = try await store.save(SnippetDraft(.text("nothing of it"), title: "", tags: ["no"]))

    for query in ["牛", "乳", "牛乳", "한", "국어", "ש", "ع", "👩‍👩‍👧", "🇩🇪", "é", "a", "1"] {
      #expect(try await found(query).contains(row.id), "\(query)")
    }
  }

  @Test func `every word must be there, in whatever place and order`() async throws {
    let both = try await store.save(
      SnippetDraft(.text("eggs and bread"), title: "Milk", tags: ["shop"])
    )
    _ = try await store.save(SnippetDraft(.text("only milk")))

    #expect(try await found("bread  milk\n eggs") == [both.id])
    #expect(try await found("milk shop") == [both.id])
    #expect(try await found("milk butter").isEmpty)
    #expect(try await found("milk milk").count == 2)
  }

  @Test(
    arguments: [
      "100%", "a_b", "c++", "\"quoted\"", "it's", "*", "foo-bar", "\"AND\"", "\"NOT\"",
      "NEAR(a)", "\\", "?1",
      "--", "--flag", ";", "a*", "[x]", "^", "http://a.b/c", "12:30", "TODO:x", ":)", "f(x)",
      "\u{1B}[31m", "\u{202E}",
    ]
  )
  func `signs are looked for like words where they are no operators`(
    _ query: String
  ) async throws {
    let row = try await store.save(SnippetDraft(.text("before \(query) behind"), title: ""))
    _ = try await store.save(SnippetDraft(.text("ordinary words, 100 axb"), title: ""))

    #expect(try await found(query) == [row.id])
    #expect(try SearchQuery(parsing: query).error == nil)
  }

  @Test(arguments: ["(", "title:", "\"open", "-x", "OR", "size:>1XB", "tag:a"])
  func `in quotes anything is looked for as it stands`(_ text: String) async throws {
    let row = try await store.save(SnippetDraft(.text("before \(text) behind"), title: ""))
    _ = try await store.save(SnippetDraft(.text("plain"), title: ""))

    let query = SearchQuery.phrase(text)

    #expect(try await found(query.text) == [row.id])
  }

  @Test func `a NUL is a character like any other`() async throws {
    let row = try await store.save(SnippetDraft(.text("be\0fore"), title: ""))
    _ = try await store.save(SnippetDraft(.text("be fore"), title: ""))

    #expect(try await found("e\0f") == [row.id])
    #expect(try await found("\0") == [row.id])
  }

  @Test(arguments: ["", " ", "\n\t\u{3000}\u{A0}"])
  func `a query without a word finds nothing`(_ query: String) async throws {
    _ = try await store.save(SnippetDraft(.text("something")))

    #expect(try await found(query).isEmpty)
  }

  @Test func `a very long query does no harm`() async throws {
    _ = try await store.save(SnippetDraft(.text("something")))

    #expect(try await found(String(repeating: "(", count: 200_000)).isEmpty)
    #expect(try await found(String(repeating: "some ", count: 5_000)).count == 1)
  }

  @Test func `what holds a term in its title comes first, then in a tag, then in the text`()
    async throws
  {
    let text = try await store.save(SnippetDraft(.text("a needle in hay"), title: "hay"))
    let tag = try await store.save(
      SnippetDraft(.text("hay in hay"), title: "hay", tags: ["needle"])
    )
    let title = try await store.save(SnippetDraft(.text("hay in hay"), title: "needle"))
    let inside = try await store.save(SnippetDraft(.text("haystackneedle"), title: "hay"))
    _ = try await store.save(SnippetDraft(.text("nothing")))

    try await store.updateSearchIndex()

    #expect(try await found("needle") == [title, tag, text, inside].map(\.id))
  }

  @Test func `of equals the newest come first`() async throws {
    var ids: [SnippetID] = []
    for _ in 0..<30 { ids.append(try await store.save(SnippetDraft(.text("same text"))).id) }
    try await store.updateSearchIndex()

    #expect(try await found("text") == ids.reversed())
  }

  // One more than are ranked match, and the index has yet to follow a change of the newest.
  @Test func `matches too many to be ranked stay in their order when one of them changes`()
    async throws
  {
    let titled = try await store.save(SnippetDraft(.text("hay"), title: "needle"))
    try await store.save(
      contentsOf: (0..<SearchRun.maximumRankedCount).map {
        SnippetDraft(.text("needle in hay \($0)"), title: "")
      }
    )
    try await store.updateSearchIndex()
    let all = try store.list().rows(in: 0..<9_999).map(\.id.rawValue).sorted(by: >)
    try await store.apply(
      SnippetEdit(isPinned: true),
      to: SnippetID(rawValue: try #require(all.first))
    )

    // Reads without the background work of a search, which would bring the index up to date.
    let run = SearchRun(SearchQuery("needle"), filter: .all)
    let found = try await store.connections.read(.scans, to: "search") { try run.all(in: $0) }

    #expect(found == all)
    #expect(found.last == titled.id.rawValue)
  }

  @Test func `a filter leaves out what it does not hold`() async throws {
    let pinned = try await store.save(SnippetDraft(.text("word"), tags: ["a"], isPinned: true))
    let image = try await store.save(SnippetDraft(.bytes(Samples.png), title: "word"))
    _ = try await store.save(SnippetDraft(.text("other"), isPinned: true))

    #expect(try await found("word", in: .init(isPinned: true)) == [pinned.id])
    #expect(try await found("word", in: .init(kinds: [.image])) == [image.id])
    #expect(try await found("word", in: .init(tags: ["a"])) == [pinned.id])
  }

  @Test func `what is excluded is not found, be it inside a word or not yet indexed`()
    async throws
  {
    let plain = try await store.save(SnippetDraft(.text("potato soup"), title: ""))
    let leek = try await store.save(SnippetDraft(.text("potato soup with leek"), title: ""))
    let inside = try await store.save(SnippetDraft(.text("potato 牛乳 xleekx"), title: ""))
    try await store.updateSearchIndex()
    let late = try await store.save(SnippetDraft(.text("potato and l, no k"), title: ""))

    #expect(Set(try await found("potato -leek")) == [late.id, plain.id])
    #expect(Set(try await found("-leek")) == [late.id, plain.id])
    #expect(Set(try await found("potato -牛")) == [plain.id, leek.id, late.id])
    #expect(try await found("-soup -k").isEmpty)
    #expect(try await found("soup OR 牛乳 -zz").count == 3)
    #expect(Set(try await found("(leek OR 乳) -soup")) == [inside.id])
  }

  @Test func `a query of conditions finds all that meet them, the newest first`() async throws {
    let dates = [3, 1, 2].map { Date(timeIntervalSince1970: $0 * 86_400) }
    var ids: [SnippetID] = []
    for date in dates {
      ids.append(
        try await store.save(SnippetDraft(.text("text"), tags: ["a"], createdAt: date)).id
      )
    }
    let image = try await store.save(SnippetDraft(.bytes(Samples.png), tags: ["a"], isPinned: true))

    #expect(try await found("tag:A kind:text") == [ids[0], ids[2], ids[1]])
    #expect(try await found("tag:a -kind:text") == [image.id])
    #expect(try await found("after:1970-01-03 before:1971") == [ids[0], ids[2]])
    #expect(try await found("is:pinned OR before:1970-01-02T12:00Z") == [image.id, ids[1]])
    #expect(try await found("size:>4B") == [image.id])
  }

  @Test func `the trash is looked through where it is asked for`() async throws {
    let gone = try await store.save(SnippetDraft(.text("word"), title: ""))
    let there = try await store.save(SnippetDraft(.text("word"), title: ""))
    try await store.moveToTrash([gone.id])

    #expect(try await found("word is:trashed") == [gone.id])
    #expect(try await found("is:trashed") == [gone.id])
    #expect(try await found("-is:trashed word") == [there.id])
    #expect(try await store.search("is:trashed").filter.isInTrash)
  }

  @Test func `a query that was built too large is refused`() async throws {
    let words = SearchQuery.words((0..<65).map { "w\($0)" }.joined(separator: " "))

    #expect(await errorCode { try await store.search(words) } == .invalidInput)
  }

  @Test func `words are looked for where the query says`() async throws {
    let title = try await store.save(SnippetDraft(.text("stew"), title: "soup of leek"))
    let text = try await store.save(SnippetDraft(.text("soup of leek"), title: "stew"))
    let tag = try await store.save(SnippetDraft(.text("stew"), title: "", tags: ["leek soup"]))

    #expect(try await found("in:title soup leek") == [title.id])
    #expect(try await found("soup in:title") == [title.id])
    #expect(try await found("title:soup in:text:stew") == [title.id])
    #expect(try await found("in:text \"of leek\"") == [text.id])
    #expect(try await found("in:tags eek") == [tag.id])
    #expect(try await found("soup -in:title:soup -tag:\"leek soup\"") == [text.id])
  }

  @Test func `a search sees what was saved, changed and deleted before it`() async throws {
    let row = try await store.save(SnippetDraft(.text("before")))
    #expect(try await found("before") == [row.id])

    try await store.apply(SnippetEdit(title: "", text: "after"), to: row.id)
    #expect(try await found("before").isEmpty)
    #expect(try await found("after") == [row.id])

    try await store.delete([row.id])
    #expect(try await found("after").isEmpty)
  }

  // search             test
  // waits its turn ──▶ cancels, then gives the turn
  @Test func `a cancelled search ends`() async throws {
    let held = await Hold { [store] hold in
      try store.connections.reader(.scans).unsafeRead { _ in hold() }
    }
    let search = Task { [store] in try await store.search("word") }

    search.cancel()
    try await held.end()

    #expect(await errorCode { try await search.value } == .cancelled)
  }

  private func found(
    _ query: String,
    in filter: SnippetFilter = .all
  ) async throws -> [SnippetID] {
    try await store.foundIDs(query, in: filter)
  }
}

/// Where a word can stand.
enum Place: String, CaseIterable, Sendable {
  case title, titleOfImage, tag, text, blob

  func draft(_ word: String) -> SnippetDraft {
    switch self {
    case .title: SnippetDraft(.text("text"), title: "the \(word) in the title")
    case .titleOfImage: SnippetDraft(.bytes(Samples.png), title: "the \(word) in the title")
    case .tag: SnippetDraft(.text("text"), tags: ["the \(word)", "other"])
    case .text: SnippetDraft(.text("the \(word) in the text"), title: "")
    case .blob: SnippetDraft(.text(Samples.longText() + word), title: "")
    }
  }
}
