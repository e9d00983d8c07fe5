import Foundation

/// What to search for: words, and phrases between double quotes.
///
/// Any text is a valid query, and nothing in it is an operator. Blanks separate terms; double
/// quotes keep blanks inside one. A snippet matches when every term is in its title, its tags or
/// its text.
///
/// A term may be at the beginning of a word, inside one, or across signs. Case, accents and width
/// do not matter. In Chinese, Japanese, Korean, Thai and other scripts without blanks any part of a
/// text matches, however short.
public struct SearchQuery: Hashable, Sendable {
  /// The query as it was typed.
  public let text: String
  /// What must be found, each once.
  let terms: [SearchText]

  /// The most terms that are looked for; those beyond are left out.
  static let maximumTermCount = 64
  /// How many words of a term the index is asked for; see ``isWhollyIndexed``.
  static let maximumIndexedWordCount = 16

  /// Makes a query.
  ///
  /// - Parameter text: What the user typed.
  public init(_ text: String) {
    self.text = text
    var terms: [SearchText] = []
    for part in Self.parts(of: text) {
      let term = SearchText(String(part))
      if !term.isEmpty, !terms.contains(term) { terms.append(term) }
      if terms.count == Self.maximumTermCount { break }
    }
    self.terms = terms
  }

  /// Whether there is nothing to search for.
  ///
  /// Then nothing is found.
  public var isEmpty: Bool { terms.isEmpty }

  /// Whether a snippet with these texts is found.
  func matches(title: SearchText, tags: SearchText, body: SearchText) -> Bool {
    terms.allSatisfy { term in
      title.contains(term) || tags.contains(term) || body.contains(term)
    }
  }

  /// The query for the index: every term from the beginning of a word on, or of a sign; an
  /// expression of FTS5 that is well formed whatever the query.
  var indexExpression: String {
    terms.map { term in
      let words = term.words.split(separator: " ").prefix(Self.maximumIndexedWordCount)
      return "\"\(words.joined(separator: " ").replacing("\"", with: "\"\""))\" *"
    }
    .joined(separator: " AND ")
  }

  /// Whether the index is asked for every word; otherwise what it finds has to be compared.
  var isWhollyIndexed: Bool {
    terms.allSatisfy { $0.words.utf8.count { $0 == 0x20 } < Self.maximumIndexedWordCount }
  }

  /// What is between blanks, or between two double quotes.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      rest = rest[start...]
      if rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\""),
        rest.index(after: end) == rest.endIndex || rest[rest.index(after: end)].isWhitespace,
        rest.index(after: rest.startIndex) < end
      {
        parts.append(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      } else {
        let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
        parts.append(rest[..<end])
        rest = rest[end...]
      }
    }
    return parts
  }
}

extension SearchText {
  /// Whether another text, as it stands, is part of this one.
  func contains(_ other: SearchText) -> Bool {
    // By bytes; neither has a NUL.
    words.withCString { mine in other.words.withCString { strstr(mine, $0) != nil } }
  }
}
