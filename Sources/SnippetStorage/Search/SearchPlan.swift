import Foundation

/// How what a query looks for is found: what the index is asked, and what is compared.
struct SearchPlan: Sendable {
  /// What is looked for; conditions in it stand beside words, within `OR`.
  private let expression: QueryExpression
  private let texts: [QueryExpression.Term: SearchText]

  /// How many words of a term the index is asked for.
  static let maximumIndexedWordCount = 16

  init(_ expression: QueryExpression) {
    self.expression = expression
    var texts: [QueryExpression.Term: SearchText] = [:]
    for case .term(let term) in expression.leaves { texts[term] = SearchText(term.text) }
    self.texts = texts
  }

  /// Whether a snippet is found.
  func isFound(in snippet: SearchedTexts) -> Bool {
    expression.isTrue(for: snippet.facts) { snippet.hold(text($0), in: $0.field) }
  }

  /// The query for the index, an expression of FTS5 that is well formed whatever the terms: of every
  /// snippet that is found by terms from the beginning of a word on, or of a sign, and of some
  /// others, which ``leftOver`` tells apart; `nil` where a snippet may be found that holds no term.
  var indexExpression: String? { indexExpression(Self.phrase) }

  /// The same with another expression for what holds words in a row.
  func indexExpression(_ phrase: (String) throws -> String) rethrows -> String? {
    guard let wanted = try indexed(expression, phrase) else { return nil }
    let excluded = try expression.conjuncts.compactMap { part -> String? in
      guard case .not(let inner) = part, isWhollyIndexed(inner) else { return nil }
      return try indexed(inner, phrase)
    }
    return excluded.isEmpty ? wanted : "(\(wanted)) NOT (\(excluded.joined(separator: " OR ")))"
  }

  /// An expression for what holds words in a row, the last one from its beginning on.
  static func phrase(_ words: String) -> String { quoted(words) + " *" }

  /// An expression for what holds whole words in a row.
  static func quoted(_ words: String) -> String {
    "\"\(words.replacing("\"", with: "\"\""))\""
  }

  /// What of the query still has to be compared in what the index finds.
  var leftOver: [ListSource.Condition] {
    expression.conjuncts.filter { !isWhollyIndexed($0) }.map(condition)
  }

  /// The whole query, for texts of the index that are compared wherever terms stand in them.
  var comparison: ListSource.Condition { condition(expression) }

  /// Whether texts and rows are looked at both.
  var hasConditions: Bool {
    expression.leaves.contains { if case .condition = $0 { true } else { false } }
  }

  // MARK: - For the index

  /// What the index must find wherever an expression is true; `nil` where that can be anything.
  private func indexed(
    _ expression: QueryExpression,
    _ phrase: (String) throws -> String
  ) rethrows -> String? {
    switch expression {
    case .all(let parts):
      let parts = try parts.compactMap { try indexed($0, phrase) }
      return parts.isEmpty ? nil : "(\(parts.joined(separator: " AND ")))"
    case .any(let parts):
      let found = try parts.compactMap { try indexed($0, phrase) }
      return found.count < parts.count ? nil : "(\(found.joined(separator: " OR ")))"
    case .term(let term):
      let words = text(term).words.split(separator: " ").prefix(Self.maximumIndexedWordCount)
      let found = try phrase(words.joined(separator: " "))
      return term.field.map { "\($0.column) : \(found)" } ?? found
    case .not, .condition: return nil
    }
  }

  /// Whether an expression is true of everything that the index finds for it.
  private func isWhollyIndexed(_ expression: QueryExpression) -> Bool {
    switch expression {
    case .all(let parts), .any(let parts): parts.allSatisfy(isWhollyIndexed)
    case .term(let term):
      text(term).words.utf8.count { $0 == 0x20 } < Self.maximumIndexedWordCount
    case .not, .condition: false
    }
  }

  // MARK: - For comparing

  private func condition(_ expression: QueryExpression) -> ListSource.Condition {
    ListSource.Condition(expression) { term in
      // A line feed is between the columns, and in no term.
      let column =
        term.field.map { "search_index.\($0.column)" }
          ?? """
          search_index.title || char(10) || search_index.tags || char(10) || search_index.body
          """
      return ListSource.Condition("instr(\(column), ?) > 0", text(term).words)
    }
  }

  private func text(_ term: QueryExpression.Term) -> SearchText {
    texts[term] ?? SearchText(term.text)
  }
}

extension SearchQuery.Field {
  /// The column of the index.
  fileprivate var column: String {
    switch self {
    case .title: "title"
    case .tags: "tags"
    case .text: "body"
    }
  }
}

extension SearchText {
  /// Whether another text, as it stands, is part of this one.
  func contains(_ other: SearchText) -> Bool {
    // By bytes; neither has a NUL.
    words.withCString { mine in other.words.withCString { strstr(mine, $0) != nil } }
  }
}
