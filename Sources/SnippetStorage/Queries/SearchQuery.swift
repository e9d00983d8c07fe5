public import Foundation
import SnippetBase

/// A search query, as people write it in a search field: words, phrases and conditions.
///
/// ```text
/// potato soup                      both, anywhere in the title, the tags or the text
/// "potato soup" -leek              the phrase, and no leek; NOT leek says the same
/// soup OR (stew -beef)             either; a blank binds more tightly than OR
/// tag:recipe kind:image            of that kind, with that tag
/// in:title soup                    in the title only; in:title:soup for one word
/// after:2024 before:2024-07        made from the start of 2024 to the end of June
/// size:>1MB is:pinned              larger than 1,000,000 bytes, and pinned
/// ```
///
/// A word or phrase may match at the beginning of a word of the snippet, inside one, or across
/// signs. Case, accents and width are ignored. In Chinese, Japanese, Korean, Thai and other scripts
/// without blanks any part of a text matches, however short. <doc:Searching> has the whole grammar.
///
/// ``init(_:)`` accepts whatever has been typed so far; ``init(parsing:relativeTo:in:)`` throws if
/// something is wrong. A string literal is a query too. Swift code can also build one from values:
///
/// ```swift
/// let query: SearchQuery =
///   .words("soup") && !.tag("draft") && (.kind(.image) || .size(atLeast: 1_000_000))
/// ```
///
/// Two queries are equal if they ask for the same in the same order, however they were written.
public struct SearchQuery: Sendable {
  /// A field in which to look for words.
  public enum Field: String, Sendable, CaseIterable {
    /// The title.
    case title
    /// Any of the tags.
    case tags
    /// The text, or the note of an image or voice.
    case text
  }

  /// The query as text: as it was typed, or written out if it was built.
  ///
  /// Parsing it again gives an equal query. Dates such as `3d` count from the day on which they are
  /// parsed.
  public let text: String
  /// The first mistake in the text, if there is one; the query leaves out the wrong part.
  public let error: SearchQueryError?
  /// The query as a tree; `nil` if it asks for nothing.
  let expression: QueryExpression?

  /// The most words, phrases and conditions in a query.
  static let maximumLeafCount = 64
  /// The most levels of nested parentheses.
  static let maximumDepth = 32

  /// Makes a query from the text typed so far.
  ///
  /// Nothing is refused, so a search field need not show errors at each key. Parts that are not
  /// complete are left out: a condition without its value, such as `size:>`, and `AND`, `OR` and
  /// `NOT` with nothing after them. An open phrase or parenthesis ends at the end of the text. Once
  /// the user is done typing, show ``error``.
  ///
  /// - Parameter text: The text that the user typed.
  public init(_ text: String) {
    var parser = QueryParser(text, DateWords())
    expression = parser.parse()
    error = parser.error
    self.text = text
  }

  /// Makes a query from a complete text.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - now: The moment that dates such as `yesterday` count from; the present by default.
  ///   - timeZone: The time zone in which days begin; that of the system by default.
  /// - Throws: ``SearchQueryError``, which says where the text is wrong and suggests what to write.
  public init(
    parsing text: String,
    relativeTo now: Date = Date(),
    in timeZone: TimeZone? = nil
  ) throws(SearchQueryError) {
    var parser = QueryParser(text, DateWords(now: now, timeZone: timeZone))
    expression = parser.parse()
    if let error = parser.error { throw error }
    error = nil
    self.text = text
  }

  /// Makes a query from a tree.
  init(_ expression: QueryExpression?) {
    self.expression = expression
    error = nil
    text = expression?.queryText ?? ""
  }

  /// Whether the query asks for nothing.
  ///
  /// A search for an empty query finds nothing; a list narrowed by one stays the same.
  public var isEmpty: Bool { expression == nil }

  /// Whether the query looks for words or phrases.
  ///
  /// A query without words only has conditions, so a list can show its matches; see
  /// ``SnippetFilter/narrowed(by:)``.
  public var hasWords: Bool { expression?.hasTerms ?? false }
}

extension SearchQuery: ExpressibleByStringLiteral {
  /// Makes a query from a text in the source code, as ``init(_:)`` does.
  ///
  /// - Parameter value: The query.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension SearchQuery: Hashable {
  /// Whether two queries ask for the same.
  ///
  /// - Parameters:
  ///   - lhs: A query.
  ///   - rhs: Another one.
  /// - Returns: `true` if they ask for the same in the same order, however they were written.
  public static func == (lhs: SearchQuery, rhs: SearchQuery) -> Bool {
    lhs.expression == rhs.expression
  }

  /// Hashes the meaning of the query.
  ///
  /// - Parameter hasher: The hasher to feed.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(expression)
  }
}

/// A mistake in the text of a query.
public struct SearchQueryError: Error, Hashable, Sendable {
  /// The text of the query.
  public let query: String
  /// The wrong part of the text; never empty.
  public let place: Range<String.Index>
  /// The reason, in the form that follows “because”: “1XB” is not a size.
  public let reason: String
  /// A suggestion of what to write, in one or two sentences.
  public let advice: String
}

extension SearchQueryError: LocalizedError {
  /// The mistake in one sentence.
  public var errorDescription: String? { "Could not read the query: \(reason)." }
  /// A suggestion of what to write.
  public var recoverySuggestion: String? { advice }
}
