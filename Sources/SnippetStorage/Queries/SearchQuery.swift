public import Foundation

/// What to look for, as people write it in a search field: words, phrases and conditions.
///
/// ```text
/// potato soup                      both, anywhere in the title, the tags or the text
/// "potato soup" -leek              the phrase, and no leek; NOT leek says the same
/// soup OR (stew -beef)             either; blanks bind closer than OR
/// tag:recipe kind:image            of that kind, with that tag
/// in:title soup                    in the title only; in:title:soup for one word
/// after:2024 before:2024-07        made from the start of 2024 to the end of June
/// size:>1MB is:pinned              larger than 1,000,000 bytes, and pinned
/// ```
///
/// A word or phrase may be at the beginning of a word of the snippet, inside one, or across signs.
/// Case, accents and width do not matter. In Chinese, Japanese, Korean, Thai and other scripts
/// without blanks any part of a text matches, however short. <doc:Searching> has the whole grammar.
///
/// ``init(_:)`` takes whatever has been typed so far; ``init(parsing:relativeTo:in:)`` throws where
/// something is wrong. In Swift a query is built of values:
///
/// ```swift
/// let query: SearchQuery =
///   .words("soup") && !.tag("draft") && (.kind(.image) || .size(atLeast: 1_000_000))
/// ```
///
/// Two queries are equal when they ask for the same in the same order, however they were written.
public struct SearchQuery: Sendable {
  /// Where a word may have to stand.
  public enum Field: String, Sendable, CaseIterable {
    /// In the title.
    case title
    /// In one of the tags.
    case tags
    /// In the text.
    case text
  }

  /// The query as text: as it was typed, or one that says what was built.
  ///
  /// Parsed again, it gives an equal query. Dates such as `3d` count from the day on which they are
  /// parsed.
  public let text: String
  /// What is wrong with the text, if something is; that part of it is left out of the query.
  public let error: SearchQueryError?
  /// What is asked for; `nil` where there is nothing.
  let expression: QueryExpression?

  /// The most words, phrases and conditions of a query.
  static let maximumLeafCount = 64
  /// How deep parentheses may stand within each other.
  static let maximumDepth = 32

  /// Makes a query of what the user has typed so far.
  ///
  /// Nothing that is typed is refused, so that a search field need not show errors at each key. What
  /// cannot be understood yet is left out: a condition without its value, such as `size:>`, and
  /// `AND`, `OR` and `NOT` with nothing behind them. A phrase or a parenthesis that is not closed ends
  /// where the text does. ``error`` says what is wrong, for when the user is done typing.
  ///
  /// - Parameter text: What the user typed.
  public init(_ text: String) {
    var parser = QueryParser(text, DateWords())
    expression = parser.parse()
    error = parser.error
    self.text = text
  }

  /// Makes a query of a whole text.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - now: What dates such as `yesterday` count from; the present by default.
  ///   - timeZone: Where days begin; the system's time zone by default.
  /// - Throws: ``SearchQueryError``, which says where the text is wrong and what to write instead.
  public init(
    parsing text: String,
    relativeTo now: Date = Date(),
    in timeZone: TimeZone = .current
  ) throws(SearchQueryError) {
    var parser = QueryParser(text, DateWords(now: now, timeZone: timeZone))
    expression = parser.parse()
    if let error = parser.error { throw error }
    error = nil
    self.text = text
  }

  /// Makes a query of a tree.
  init(_ expression: QueryExpression?) {
    self.expression = expression
    error = nil
    text = expression?.queryText ?? ""
  }

  /// Whether there is nothing to look for.
  ///
  /// Then a search finds nothing, and a list holds everything.
  public var isEmpty: Bool { expression == nil }

  /// Whether it looks for words or phrases.
  ///
  /// A query that does not, only has conditions; a list holds what meets them, see
  /// ``SnippetFilter/narrowed(by:)``.
  public var hasWords: Bool { expression?.hasTerms ?? false }
}

extension SearchQuery: Hashable {
  /// Whether two queries ask for the same.
  ///
  /// - Parameters:
  ///   - lhs: A query.
  ///   - rhs: Another one.
  /// - Returns: Whether they do, however they were written.
  public static func == (lhs: SearchQuery, rhs: SearchQuery) -> Bool {
    lhs.expression == rhs.expression
  }

  /// Hashes what is asked for.
  ///
  /// - Parameter hasher: What takes it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(expression)
  }
}
