import Foundation
import SnippetRecognition

/// A query as a tree.
///
/// The functions below are the only ones to make one, and keep it in normal form: nothing is empty,
/// no conjunction is nested in another, and nothing is excluded twice. So two queries that ask for
/// the same in the same order are equal, and one that asks for nothing is `nil`.
indirect enum QueryExpression: Hashable, Sendable {
  /// A conjunction of two or more different expressions.
  case all([QueryExpression])
  /// A disjunction of two or more different expressions.
  case any([QueryExpression])
  case not(QueryExpression)
  case term(Term)
  case condition(Condition)

  /// A text that a snippet must contain.
  struct Term: Hashable, Sendable {
    let text: String
    /// The text as it is searched.
    let folded: SearchText
    /// The field to look in; `nil` for all.
    let field: SearchQuery.Field?
  }

  /// A condition on the row of a snippet.
  enum Condition: Hashable, Sendable {
    case kind(SnippetKind)
    /// With this tag or one below it.
    case tag(String)
    /// With this tag itself.
    case exactTag(String)
    /// Made at this moment or later, in milliseconds since 1970, UTC.
    case madeFrom(Int64)
    /// Made before this moment.
    case madeBefore(Int64)
    /// At least this many bytes.
    case sizeFrom(Int64)
    /// At most this many bytes.
    case sizeTo(Int64)
    /// A recording of at least this many milliseconds.
    case durationFrom(Int64)
    /// A recording of at most this many milliseconds.
    case durationTo(Int64)
    case pinned
    case inTrash
    case mediaType(String)
    case file(FileCondition)
  }

  // MARK: - Joining

  /// A text to look for; `nil` if folding leaves nothing of it.
  static func term(_ text: String, in field: SearchQuery.Field?) -> QueryExpression? {
    let folded = SearchText(text)
    return folded.isEmpty ? nil : .term(Term(text: text, folded: folded, field: field))
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

  /// The conditions that must all hold; the expression itself if it is not a conjunction.
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

  /// Whether the query looks for words.
  var hasTerms: Bool { !terms.isEmpty }

  /// The terms that may occur in a matching snippet: those that are not excluded.
  var wantedTerms: [Term] { terms(isWanted: true) }

  /// The terms that no matching snippet may contain.
  var excludedTerms: [Term] { terms(isWanted: false) }

  /// All terms, from left to right.
  var terms: [Term] { leaves.compactMap { if case .term(let term) = $0 { term } else { nil } } }

  private func terms(isWanted: Bool) -> [Term] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap { $0.terms(isWanted: isWanted) }
    case .not(let inner): inner.terms(isWanted: !isWanted)
    case .term(let term): isWanted ? [term] : []
    case .condition: []
    }
  }

  /// The tags that the query names.
  var tags: [String] {
    leaves.compactMap { leaf in
      switch leaf {
      case .condition(.tag(let tag)), .condition(.exactTag(let tag)): tag
      default: nil
      }
    }
  }

  /// Whether the query asks for something that the record of changes does not tell of a former row.
  var asksForUnrecorded: Bool {
    leaves.contains { leaf in
      switch leaf {
      case .condition(.mediaType), .condition(.durationFrom), .condition(.durationTo): true
      default: false
      }
    }
  }

  /// Restricts the terms without a field of their own to some fields.
  func looking(in fields: [SearchQuery.Field]) -> QueryExpression? {
    guard !fields.isEmpty else { return self }
    switch self {
    case .all(let parts): return .all(of: parts.map { $0.looking(in: fields) })
    case .any(let parts): return .any(of: parts.map { $0.looking(in: fields) })
    case .not(let inner): return inner.looking(in: fields)?.excluded
    case .term(let term) where term.field == nil:
      return .any(
        of: fields.map { .term(Term(text: term.text, folded: term.folded, field: $0)) }
      )
    case .term, .condition: return self
    }
  }

  // MARK: - Deciding

  /// Whether a snippet matches the query; `holds` tells whether it contains a term.
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

  /// Whether every snippet that contains the terms that `holds` tells matches, whatever its facts
  /// and its other terms.
  func isCertain(_ holds: (Term) -> Bool) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.isCertain(holds) }
    case .any(let parts): parts.contains { $0.isCertain(holds) }
    case .not, .condition: false
    case .term(let term): holds(term)
    }
  }
}

/// The properties of a snippet that conditions ask about.
struct SnippetFacts {
  var id: Int64
  var kind: Int64
  var isPinned: Bool
  var createdAt: Int64
  var byteCount: Int64
  var isInTrash: Bool
  var tags: [String]
  /// `nil` where it is not known, which is so only where no query asks for it.
  var mediaType: String?
  /// In milliseconds; `nil` also where it is not known, as for the media type.
  var duration: Int64?

  func meet(_ condition: QueryExpression.Condition) -> Bool {
    switch condition {
    case .kind(let kind): self.kind == Int64(kind.rawValue)
    case .tag(let tag): tags.contains { SortKey.isTag($0, orBelow: tag) }
    case .exactTag(let tag): tags.contains { SortKey.isEqual($0, tag) }
    case .madeFrom(let start): createdAt >= start
    case .madeBefore(let end): createdAt < end
    case .sizeFrom(let least): byteCount >= least
    case .sizeTo(let most): byteCount <= most
    case .durationFrom(let least): duration.map { $0 >= least } ?? false
    case .durationTo(let most): duration.map { $0 <= most } ?? false
    case .pinned: isPinned
    case .inTrash: isInTrash
    case .file(let file): file.snippets?.contains(id) ?? false
    case .mediaType(let type): mediaType.map { SortKey.isEqual($0, type) } ?? false
    }
  }
}
