import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.seeded)
struct SearchQueryTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  private static func parse(_ text: String) throws -> SearchQuery {
    try SearchQuery(parsing: text, relativeTo: now, in: .gmt)
  }

  private static func day(_ text: String) throws -> Date {
    try Date("\(text)T00:00:00Z", strategy: .iso8601)
  }

  @Test func `a text means what is built in Swift`() throws {
    let cases: [(String, SearchQuery)] = try [
      ("", .words("")),
      ("potato  soup", .words("potato") && .words("soup")),
      ("\"potato soup\"", .phrase("potato soup")),
      ("a\"b \"c\"d", .words("a\"b") && .phrase("c") && .words("d")),
      ("\"say \\\"hi\\\" C:\\temp \\\\\"", .phrase("say \"hi\" C:\\temp \\")),
      (
        "-leek -\"two words\" --flag -",
        !.words("leek") && !.phrase("two words") && .words("--flag -")
      ),
      ("a b OR c", .words("a b") || .words("c")),
      ("a (b OR c d) -(e f)", .words("a") && (.words("b") || .words("c d")) && !.words("e f")),
      ("(f(x) OR g(y))", .words("f(x)") || .words("g(y)")),
      ("or Or and Not ANDY :) a)", .words("or Or and Not ANDY :) a)")),
      ("a AND b", .words("a b")),
      ("a AND(b OR c AND d)", .words("a") && (.words("b") || .words("c d"))),
      ("a NOT b", .words("a") && !.words("b")),
      ("NOT(b c) AND NOT tag:x", !.words("b c") && !.tag("x")),
      ("NOT -a NOT NOT b", .words("a b")),
      ("\"AND\" \"NOT\" in:title:AND", .words("AND") && .words("NOT") && .words("AND", in: .title)),
      (
        "http://x.y 12:30 foo:bar std::vector find:x type:string file:///x",
        .words("http://x.y 12:30 foo:bar std::vector find:x type:string file:///x")
      ),
      ("tag:Home -tag:\"two  words\" TAG:x", .tag("Home") && !.tag("two words") && .tag("x")),
      (
        "tag:=a/b -tag:=\"two words\" tag:\"=x\"",
        .tag("a/b", isExact: true) && !.tag("two words", isExact: true) && .tag("=x")
      ),
      ("kind:image OR kind:Voice", .kind(.image) || .kind(.voice)),
      ("type:jpeg type:JPG", .mediaType("image/jpeg")),
      ("-type:audio/FLAC type:voice", !.mediaType("audio/flac") && .kind(.voice)),
      (
        "type:image/x-own type: type:foo/bar",
        .mediaType("image/x-own") && .words("type: type:foo/bar")
      ),
      ("type:picture OR type:audio/*", .kind(.image) || .kind(.voice)),
      ("duration:>5m", .duration(atLeast: .milliseconds(300_500))),
      (
        "duration:>=1:30 duration:<1h",
        .duration(atLeast: .milliseconds(89_500))
          && .duration(atMost: .milliseconds(3_599_499))
      ),
      (
        "duration:1m..2m",
        .duration(atLeast: .milliseconds(59_500))
          && .duration(atMost: .milliseconds(120_499))
      ),
      (
        "duration:90",
        .duration(atLeast: .milliseconds(89_500))
          && .duration(atMost: .milliseconds(90_499))
      ),
      ("duration:<=1h2m3s", .duration(atMost: .milliseconds(3_723_499))),
      ("duration:<=1:02:03", .duration(atMost: .milliseconds(3_723_499))),
      ("duration:>=1.5min", .duration(atLeast: .milliseconds(89_500))),
      ("duration:<0.25s", .duration(atMost: .milliseconds(249))),
      ("duration:>250ms", .duration(atLeast: .milliseconds(251))),
      (
        "duration:1", .duration(atLeast: .milliseconds(1)) && .duration(atMost: .milliseconds(1499))
      ),
      ("duration:0", .duration(atLeast: .zero) && .duration(atMost: .zero)),
      ("duration:<0", .duration(atMost: .milliseconds(-1))),
      ("in:title soup leek", .words("soup leek", in: .title)),
      ("soup in:title OR leek", .words("soup", in: .title) || .words("leek")),
      (
        "in:title:soup title:\"a b\" -in:text:x",
        .words("soup", in: .title) && .phrase("a b", in: .title) && !.words("x", in: .text)
      ),
      ("in:title in:tags soup", .words("soup", in: .title) || .words("soup", in: .tags)),
      ("in:tags (soup OR in:text:leek)", .words("soup", in: .tags) || .words("leek", in: .text)),
      ("before:2024-01-31", .created(before: Self.day("2024-01-31"))),
      ("after:2024", .created(from: Self.day("2024-01-01"))),
      (
        "after:2024/02 before:yesterday",
        .created(from: Self.day("2024-02-01")) && .created(before: Self.day("2023-11-13"))
      ),
      (
        "after:2024-01-31T18:30:05.25+01:00",
        .created(from: Date(timeIntervalSince1970: 1_706_722_205.25))
      ),
      ("size:>1MB", .size(atLeast: 1_000_001)),
      ("size:>=1.5kB size:<10KiB", .size(atLeast: 1500) && .size(atMost: 10_239)),
      ("size:<=10k", .size(atMost: 10_000)),
      ("size:1MB..2MB", .size(atLeast: 1_000_000) && .size(atMost: 2_000_000)),
      ("size:0", .size(atLeast: 0) && .size(atMost: 0)),
      ("size:<0", .size(atMost: -1)),
      ("size:>=99999999TB", .size(atLeast: .max)),
      ("size:<=99999999TB", .size(atMost: .max)),
      ("size:1..99999999TB", .size(atLeast: 1) && .size(atMost: .max)),
      ("is:pinned -is:pinned", .isPinned && !.isPinned),
      ("is:trashed soup", .isInTrash && .words("soup")),
      ("-is:trashed", !.isInTrash),
    ]
    for (text, query) in cases {
      #expect(try Self.parse(text) == query, "\(text): \(query.text)")
      #expect(try Self.parse(query.text) == query, "\(query.text)")
    }
  }

  @Test(arguments: [
    ("size:>1XB", "size:", ">1XB", "", "not a size"),
    ("soup size:5MB..1MB", "soup size:", "5MB..1MB", "", "not a size"),
    ("duration:>5x", "duration:", ">5x", "", "not a length"),
    ("duration:2m..1m", "duration:", "2m..1m", "", "not a length"),
    ("duration:1m2h", "duration:", "1m2h", "", "not a length"),
    ("duration:1:75", "duration:", "1:75", "", "not a length"),
    ("length:5m", "", "length", ":5m", "no condition"),
    ("before:tomorrowish x", "before:", "tomorrowish", " x", "not a date"),
    ("before:2024-02-30", "before:", "2024-02-30", "", "not a date"),
    ("after:", "", "after:", "", "nothing follows"),
    ("knd:image", "", "knd", ":image", "no condition"),
    ("since:2024", "", "since", ":2024", "no condition"),
    ("a tags:x", "a ", "tags", ":x", "no condition"),
    ("kind:pdf", "kind:", "pdf", "", "not a kind"),
    ("is:open", "is:", "open", "", "not a state"),
    ("in:body soup", "in:", "body", " soup", "not a field"),
    ("in:title", "", "in:title", "", "no word beside"),
    ("-in:title a", "", "-in:title", " a", "excludes nothing"),
    ("tag:a,b", "tag:", "a,b", "", "not a tag"),
    ("tag:= x", "tag:", "=", " x", "not a tag"),
    ("x \"open", "x ", "\"", "open", "not closed"),
    ("x \"\"", "x ", "\"\"", "", "nothing between the quotes"),
    ("(a b", "", "(", "a b", "not closed"),
    ("a ()", "a ", "()", "", "nothing between the parentheses"),
    ("a OR", "a ", "OR", "", "one is missing"),
    ("OR a", "", "OR", " a", "one is missing"),
    ("(OR a)", "(", "OR", " a)", "one is missing"),
    ("a AND", "a ", "AND", "", "one is missing"),
    ("AND a", "", "AND", " a", "one is missing"),
    ("a AND AND b", "a ", "AND", " AND b", "one is missing"),
    ("a AND OR b", "a ", "AND", " OR b", "one is missing"),
    ("(a AND ) b", "(a ", "AND", " ) b", "one is missing"),
    ("a NOT", "a ", "NOT", "", "excludes what follows"),
    ("a (b NOT) c", "a (b ", "NOT", ") c", "excludes what follows"),
    ("NOT in:title a", "", "NOT in:title", " a", "excludes nothing"),
    ("a OR is:trashed", "a OR ", "is:trashed", "", "either in the trash"),
  ])
  func `a mistake is told with its place and what to write instead`(
    _ text: String,
    _ before: String,
    _ wrong: String,
    _ behind: String,
    _ reason: String
  ) throws {
    let error = try #require(throws: SearchQueryError.self) { _ = try Self.parse(text) }

    #expect(error.query == text)
    #expect(text[..<error.place.lowerBound] == before)
    #expect(text[error.place] == wrong)
    #expect(text[error.place.upperBound...] == behind)
    #expect(error.reason.contains(reason), "\(error.reason)")
    #expect(!error.advice.isEmpty)
    #expect(SearchQuery(text).error == error)
  }

  @Test(arguments: [
    ("soup AND", "soup"), ("soup NOT", "soup"), ("soup AND NOT ", "soup"),
    ("soup size:>", "soup"), ("soup size:", "soup"), ("soup kind:im", "soup"), ("soup OR", "soup"),
    ("soup (", "soup"), ("soup (leek", "soup leek"), ("soup \"two wo", "soup \"two wo\""),
    ("soup \"", "soup"), ("soup in:", "soup"), ("soup in:title", "soup"), ("soup -", "soup -"),
    ("soup before:20", "soup"), ("is:pin", ""), ("soup -tag:", "soup"),
    ("tag:\"two w", "tag:\"two w\""),
  ])
  func `what is being typed takes nothing away from what was typed before`(
    _ text: String,
    _ meant: String
  ) throws {
    var expected = try Self.parse(meant)
    if text.hasSuffix("in:title") { expected = .words("soup", in: .title) }
    #expect(SearchQuery(text) == expected, "\(SearchQuery(text).text)")
  }

  @Test(arguments: [
    ("size:>1MB", "size:>1MB"), ("size:>=1000000", "size:>=1MB"), ("size:<10kB", "size:<10kB"),
    ("size:<=2500000", "size:<=2500kB"), ("size:>1 size:<=0", "size:>=2 size:<=0"),
    ("size:>=1048576", "size:>=1048576"), ("size:>=3GB", "size:>=3GB"), ("size:>1kB", "size:>1kB"),
    ("duration:>5m", "duration:>5m"), ("duration:>=90", "duration:>=90s"),
    ("duration:<1h", "duration:<1h"), ("duration:<=2m", "duration:<=2m"),
    ("duration:>0.5s", "duration:>=501ms"),
  ])
  func `a size or a length is written as people would`(_ text: String, _ written: String) throws {
    #expect((try Self.parse(text) && .words("")).text == written)
  }

  @Test func `any size is written and read again`() throws {
    var random = SeededGenerator()
    for _ in 0..<500 {
      let rounds = [1, 999, 1000, 1001, 1_000_000, 999_999_999, 1_000_000_000] as [Int64]
      let product = random.element(of: rounds)
        .multipliedReportingOverflow(by: Int64(random.below(1 << 31)))
      let size = product.overflow ? .max - Int64(random.below(3)) : product.partialValue
      let query = SearchQuery.size(atLeast: size) && .size(atMost: size)
      #expect(try Self.parse(query.text) == query, "\(query.text)")
    }
  }

  @Test func `any length is written and read again`() throws {
    var random = SeededGenerator()
    for _ in 0..<500 {
      let rounds = [1, 499, 500, 999, 1000, 59_500, 60_000, 3_600_000] as [Int64]
      let length = random.element(of: rounds) * Int64(random.below(1 << 31)) / 7
      let duration = Duration.milliseconds(length)
      let query = SearchQuery.duration(atLeast: duration) && .duration(atMost: duration)
      #expect(try Self.parse(query.text) == query, "\(query.text)")
    }
    for duration in [Duration.seconds(Int64.max), .seconds(Int64.min)] {
      let query = SearchQuery.duration(atLeast: duration) && .duration(atMost: duration)
      #expect(try Self.parse(query.text) == query, "\(query.text)")
    }
  }

  @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: -1e10), now])
  func `any date is written and read again`(_ date: Date) throws {
    let query = SearchQuery.created(from: date) && .created(before: date)

    #expect(try SearchQuery(parsing: query.text) == query, "\(query.text)")
  }

  @Test func `a query has at most 64 words, each counted once`() throws {
    let words = (0..<70).map { "w\($0)" }
    #expect(throws: SearchQueryError.self) { _ = try Self.parse(words.joined(separator: " ")) }
    #expect(
      SearchQuery(words.joined(separator: " ")) == .words(words.prefix(64).joined(separator: " "))
    )
    #expect(try Self.parse(String(repeating: "a b ", count: 5000)) == .words("a b"))
  }

  @Test func `parentheses within each other come to an end`() {
    for part in ["(", "-(", "(a OR ", "((a)", "NOT(", "NOT ", "AND ("] {
      let query = SearchQuery(String(repeating: part, count: 100_000))
      #expect(query.error != nil)
    }
  }

  @Test func `any text makes a query that is written and read again`() {
    var random = SeededGenerator()
    let pieces = [
      "\"", "(", ")", "-", " ", " ", "OR", "AND", "NOT", ":", "tag:", "in:", "title", "size:>",
      "1MB", "a", "b",
      "\\", "is:pinned", "before:", "2024", "牛", "e\u{301}", "\u{301}", "\n", "kind:text", "..",
      "0",
    ]
    for _ in 0..<3000 {
      let text = (0..<random.below(14)).map { _ in random.element(of: pieces) }.joined()
      let query = SearchQuery(text)
      if let error = query.error {
        #expect(
          !error.place.isEmpty && error.place.upperBound <= text.endIndex,
          "\(text.debugDescription)"
        )
      }
      let again = query && query
      #expect(
        SearchQuery(again.text) == query,
        "\(text.debugDescription): \(again.text.debugDescription)"
      )
    }
  }

  @Test func `a filter takes over what it can, and keeps the rest`() throws {
    let query = try Self.parse("kind:image tag:a after:2024 before:2025 is:pinned -tag:b size:>5")
    let filter = try #require(SnippetFilter(tags: ["c"]).narrowed(by: query))

    #expect(filter.kinds == [.image])
    #expect(filter.tags == ["a", "c"])
    #expect(filter.isPinned == true)
    #expect(filter.createdAt == (try Self.day("2024-01-01")..<Self.day("2025-01-01")))
    #expect(filter.query == (!.tag("b") && .size(atLeast: 6)))
    #expect(SnippetFilter.all.narrowed(by: .words("soup")) == nil)
    #expect(SnippetFilter.all.narrowed(by: .words("")) == .all)
    let data = try JSONEncoder().encode(filter)
    #expect(try JSONDecoder().decode(SnippetFilter.self, from: data) == filter)
    for wrong in [#"{"query":"soup"}"#, #"{"query":"size:x"}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(SnippetFilter.self, from: Data(wrong.utf8))
      }
    }
  }
}
