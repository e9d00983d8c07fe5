import Foundation
import SnippetRecognition

/// What a query asks for, as a tree.
///
/// It is made by the functions below only, which keep it plain: nothing in it is empty, no
/// conjunction stands right within another, and nothing is excluded twice. So two queries that say
/// the same in the same order are equal, and one that asks for nothing is `nil`.
indirect enum QueryExpression: Hashable, Sendable {
  /// All of them, two or more, each once.
  case all([QueryExpression])
  /// At least one of them, two or more, each once.
  case any([QueryExpression])
  case not(QueryExpression)
  case term(Term)
  case condition(Condition)

  /// A text that a snippet must hold.
  struct Term: Hashable, Sendable {
    let text: String
    /// Where; `nil` for anywhere.
    let field: SearchQuery.Field?
  }

  /// What the row of a snippet must say.
  enum Condition: Hashable, Sendable {
    case kind(SnippetKind)
    case tag(String)
    /// Made at this moment or later, in milliseconds since 1970, UTC.
    case madeFrom(Int64)
    /// Made before this moment.
    case madeBefore(Int64)
    /// Of so many bytes or more.
    case sizeFrom(Int64)
    /// Of so many bytes or fewer.
    case sizeTo(Int64)
    case pinned
    case inTrash
  }

  // MARK: - Joining

  /// A text to look for; `nil` where nothing of it makes a difference.
  static func term(_ text: String, in field: SearchQuery.Field?) -> QueryExpression? {
    SearchText(text).isEmpty ? nil : .term(Term(text: text, field: field))
  }

  static func all(of parts: [QueryExpression?]) -> QueryExpression? {
    let parts = parts.compactMap(\.self).flatMap { part in
      if case .all(let inner) = part { inner } else { [part] }
    }
    return joined(parts, QueryExpression.all)
  }

  static func any(of parts: [QueryExpression?]) -> QueryExpression? {
    let parts = parts.compactMap(\.self).flatMap { part in
      if case .any(let inner) = part { inner } else { [part] }
    }
    return joined(parts, QueryExpression.any)
  }

  var excluded: QueryExpression {
    if case .not(let inner) = self { inner } else { .not(self) }
  }

  private static func joined(
    _ parts: [QueryExpression],
    _ join: ([QueryExpression]) -> QueryExpression
  ) -> QueryExpression? {
    var seen: Set<QueryExpression> = []
    let parts = parts.filter { seen.insert($0).inserted }
    return parts.count > 1 ? join(parts) : parts.first
  }

  // MARK: - Looking into it

  /// What must all hold; the expression itself where it is no conjunction.
  var conjuncts: [QueryExpression] {
    if case .all(let parts) = self { parts } else { [self] }
  }

  /// Its terms and conditions, from left to right.
  var leaves: [QueryExpression] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
    case .not(let inner): inner.leaves
    case .term, .condition: [self]
    }
  }

  /// Whether it looks for words.
  var hasTerms: Bool {
    leaves.contains { if case .term = $0 { true } else { false } }
  }

  /// What may be found in a snippet that is asked for: the terms that are not excluded.
  var wantedTerms: [Term] { terms(isWanted: true) }

  private func terms(isWanted: Bool) -> [Term] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap { $0.terms(isWanted: isWanted) }
    case .not(let inner): inner.terms(isWanted: !isWanted)
    case .term(let term): isWanted ? [term] : []
    case .condition: []
    }
  }

  /// The tags that it names.
  var tags: [String] {
    leaves.compactMap { if case .condition(.tag(let tag)) = $0 { tag } else { nil } }
  }

  /// The expression with the terms that may stand anywhere looked for in some places only.
  func looking(in fields: [SearchQuery.Field]) -> QueryExpression? {
    guard !fields.isEmpty else { return self }
    switch self {
    case .all(let parts): return .all(of: parts.map { $0.looking(in: fields) })
    case .any(let parts): return .any(of: parts.map { $0.looking(in: fields) })
    case .not(let inner): return inner.looking(in: fields)?.excluded
    case .term(let term) where term.field == nil:
      return .any(of: fields.map { .term(Term(text: term.text, field: $0)) })
    case .term, .condition: return self
    }
  }

  // MARK: - Deciding

  /// Whether a snippet is one that is asked for.
  ///
  /// - Parameters:
  ///   - facts: What the row says.
  ///   - holds: Whether a term is found.
  /// - Returns: Whether it is.
  /// - Throws: What `holds` throws.
  func isTrue(
    for facts: SnippetFacts,
    _ holds: (Term) throws -> Bool
  ) rethrows -> Bool {
    switch self {
    case .all(let parts): try parts.allSatisfy { try $0.isTrue(for: facts, holds) }
    case .any(let parts): try parts.contains { try $0.isTrue(for: facts, holds) }
    case .not(let inner): try !inner.isTrue(for: facts, holds)
    case .term(let term): try holds(term)
    case .condition(let condition): facts.meet(condition)
    }
  }
}

/// What conditions are about.
struct SnippetFacts {
  var kind: Int64
  var isPinned: Bool
  var createdAt: Int64
  var byteCount: Int64
  var isInTrash: Bool
  var tags: [String]

  func meet(_ condition: QueryExpression.Condition) -> Bool {
    switch condition {
    case .kind(let kind): self.kind == Int64(kind.rawValue)
    case .tag(let tag): tags.contains { SortKey.isEqual($0, tag) }
    case .madeFrom(let start): createdAt >= start
    case .madeBefore(let end): createdAt < end
    case .sizeFrom(let least): byteCount >= least
    case .sizeTo(let most): byteCount <= most
    case .pinned: isPinned
    case .inTrash: isInTrash
    }
  }
}
