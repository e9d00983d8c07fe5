import Foundation

/// A plan for finding the matches of a query: the request to the index, and the comparisons.
struct SearchPlan: Sendable {
  /// The query.
  ///
  /// It has conditions beside words only within `OR`.
  private let expression: QueryExpression

  /// The most words of a term to ask the index for.
  static let maximumIndexedWordCount = 16
  /// The length at which FTS5 cuts off a word, in the index and in a request.
  static let maximumIndexedWordByteCount = 32_768

  init(_ expression: QueryExpression) {
    self.expression = expression
  }

  /// Whether a snippet matches, with the names of its files or without.
  func isFound(in snippet: SearchedTexts, _ names: FileNameWords? = nil) -> Bool {
    expression.isTrue(for: snippet.facts) { term in
      snippet.hold(term.folded, in: term.field) || names?.hold(term) ?? false
    }
  }

  /// Whether the names of files can match: whether a term may be in any field.
  var looksForNames: Bool { expression.terms.contains { $0.field == nil } }

  /// Whether the name of a file can exclude a snippet.
  var excludesNames: Bool { expression.excludedTerms.contains { $0.field == nil } }

  /// Whether the names of files hold any term.
  func isNamed(in names: FileNameWords) -> Bool { expression.terms.contains(where: names.hold) }

  /// Whether the names of files are enough for a match, whatever the snippet is.
  func isCertain(in names: FileNameWords) -> Bool { expression.isCertain(names.hold) }

  /// An FTS5 expression, well formed whatever the terms.
  ///
  /// It finds every snippet that matches with each term at the beginning of a word or at a sign,
  /// and some others, which ``leftOver`` sorts out. `nil` if a snippet without any term may match.
  var indexExpression: String? { indexExpression(Self.phrase) }

  /// The same, with another expression for consecutive words.
  func indexExpression(_ phrase: (String) throws -> String) rethrows -> String? {
    guard let wanted = try indexed(expression, phrase) else { return nil }
    let excluded = try expression.conjuncts.compactMap { part -> String? in
      guard case .not(let inner) = part, isWhollyIndexed(inner) else { return nil }
      return try indexed(inner, phrase)
    }
    return excluded.isEmpty ? wanted : "(\(wanted)) NOT (\(excluded.joined(separator: " OR ")))"
  }

  /// An expression for consecutive words, the last of them a prefix.
  static func phrase(_ words: String) -> String { quoted(words) + " *" }

  /// An expression for consecutive whole words.
  static func quoted(_ words: String) -> String {
    "\"\(words.replacing("\"", with: "\"\""))\""
  }

  /// The conditions that rows found by the index must still meet.
  var leftOver: [ListSource.Condition] {
    expression.conjuncts.filter { !isWhollyIndexed($0) }.map(condition)
  }

  /// The whole query as a comparison with indexed texts, which finds terms anywhere in them.
  var comparison: ListSource.Condition { condition(expression) }

  /// Whether both texts and rows matter.
  var hasConditions: Bool {
    expression.leaves.contains { if case .condition = $0 { true } else { false } }
  }

  // MARK: - For the index

  /// An expression that the index finds wherever the query matches; `nil` if that may be anywhere.
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
      let words = term.folded.words.split(separator: " ").prefix(Self.maximumIndexedWordCount)
      let found = try phrase(words.joined(separator: " "))
      return term.field.map { "\($0.column) : \(found)" } ?? found
    case .not, .condition: return nil
    }
  }

  /// Whether an expression matches everything that the index finds for it.
  private func isWhollyIndexed(_ expression: QueryExpression) -> Bool {
    switch expression {
    case .all(let parts), .any(let parts): parts.allSatisfy(isWhollyIndexed)
    case .term(let term):
      term.folded.words.utf8.count <= Self.maximumIndexedWordByteCount
        && term.folded.words.utf8.count { $0 == 0x20 } < Self.maximumIndexedWordCount
    case .not, .condition: false
    }
  }

  // MARK: - For comparing

  private func condition(_ expression: QueryExpression) -> ListSource.Condition {
    ListSource.Condition(expression) { term in
      // A line feed separates the columns; no term contains one.
      let column =
        term.field.map { "search_index.\($0.column)" }
          ?? """
          search_index.title || char(10) || search_index.tags || char(10) || search_index.body
          """
      return ListSource.Condition("instr(\(column), ?) > 0", term.folded.words)
    }
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
  /// Whether this text contains another one as it is.
  func contains(_ other: SearchText) -> Bool {
    // Compare bytes; neither text contains NUL.
    words.withCString { mine in other.words.withCString { strstr(mine, $0) != nil } }
  }
}
