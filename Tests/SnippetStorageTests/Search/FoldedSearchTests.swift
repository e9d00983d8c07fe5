import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Texts that are found by what people type.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FoldedSearchTests {
  /// A text, a query that finds it, and the part of the text that is highlighted.
  private static let found: [(text: String, query: String, part: String)] = [
    // Hebrew points, Arabic vowel signs, tatweel, forms of alef
    ("שָׁלוֹם עולם", "שלום", "שָׁלוֹם"), ("שלום עולם", "שָׁלוֹם", "שלום"),
    ("مُحَمَّد والكتـــاب", "محمد", "مُحَمَّد"),
    ("مُحَمَّد والكتـــاب", "والكتاب", "والكتـــاب"), ("أحمد إلى آخر ٱلعالم", "احمد", "أحمد"),
    ("أحمد إلى آخر ٱلعالم", "الى", "إلى"), ("أحمد إلى آخر ٱلعالم", "اخر", "آخر"),
    ("احمد", "أحمد", "احمد"), ("צה״ל", "צה\"ל", "צה״ל"),
    // apostrophes and quotes
    ("Don’t forget O’Brien", "don't", "Don’t"), ("We don't know", "don’t", "don't"),
    ("Don’t forget O’Brien", "o'brien", "O’Brien"), ("Oʼahu", "o'ahu", "Oʼahu"),
    ("‘tis", "'tis", "‘tis"), ("He said “no way” twice", "\"\\\"no way\\\"\"", "“no way”"),
    ("He said \"no way\" twice", "\"“no way”\"", "\"no way\""),
    // no width
    ("Donau\u{AD}dampf\u{AD}schiff", "donaudampfschiff", "Donau\u{AD}dampf\u{AD}schiff"),
    ("zero\u{200B}width\u{2060}joined", "zerowidthjoined", "zero\u{200B}width\u{2060}joined"),
    ("Donaudampf", "donau\u{AD}dampf", "Donaudampf"),
    // letters
    ("Smørrebrød", "smorrebrod", "Smørrebrød"), ("Łódź", "lodz", "Łódź"),
    ("Đorđe", "dorde", "Đorđe"),
    ("Ærø", "aero", "Ærø"), ("Œuvre", "oeuvre", "Œuvre"), ("Straße", "strasse", "Straße"),
    ("STRAẞE", "strasse", "STRAẞE"), ("Þór", "thor", "Þór"),
    ("Ísafjörður", "isafjordur", "Ísafjörður"),
    ("Ħal Tarxien", "hal", "Ħal"), ("ısırgan", "isirgan", "ısırgan"),
    ("smorrebrod", "smørrebrød", "smorrebrod"),
  ]

  @Test(arguments: found, [true, false])
  func `a text is found by what people type, and shown as it is`(
    example: (text: String, query: String, part: String),
    isIndexed: Bool
  ) async throws {
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.text(example.text))).id
    try await store.save(SnippetDraft(.text("another one")))
    if isIndexed { try await store.updateSearchIndex() }

    #expect(try await store.foundIDs(example.query) == [id])
    let query = SearchQuery(example.query)
    #expect(query.matches(in: example.text).map { String(example.text[$0]) } == [example.part])
    let excerpt = SearchExcerpt(of: query, in: example.text, length: 60)
    #expect(excerpt.text == example.text)
    #expect(excerpt.matches.map { String(excerpt.text[$0]) } == [example.part])
  }

  @Test(
    arguments: [
      ("a\u{AD} b", "ab"), ("co-op", "coop"), ("o'brien", "obrien"), ("שלום", "שלםו"),
      ("ole", "øre"),
    ]
  )
  func `what is not the same stays apart`(text: String, query: String) async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text(text)))

    #expect(try await store.foundIDs(query).isEmpty)
  }
}
