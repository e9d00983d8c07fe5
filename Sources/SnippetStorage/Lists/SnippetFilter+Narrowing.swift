import Foundation

extension SnippetFilter {
  /// Returns this filter with the conditions of a query added.
  ///
  /// ```swift
  /// let query = try SearchQuery(parsing: "kind:image size:>1MB -tag:draft")
  /// let rows: any RowList =
  ///   if let filter = SnippetFilter.all.narrowed(by: query) {
  ///     store.list(filter, order: .largestFirst)
  ///   } else {
  ///     try await store.search(query)
  ///   }
  /// ```
  ///
  /// Conditions that the query sets for every snippet become conditions of the filter where it has
  /// such; the rest goes into ``query``. A query for the trash makes it a filter of the trash.
  ///
  /// - Parameter query: The query.
  /// - Returns: The narrowed filter, unchanged for an empty query; `nil` for a query that looks for
  ///   words, which only a search can do.
  public func narrowed(by query: SearchQuery) -> SnippetFilter? {
    let (filter, rest) = split(query)
    return rest == nil ? filter : nil
  }

  /// Splits a query into conditions, added to the filter, and the part that needs a search.
  func split(_ query: SearchQuery) -> (filter: SnippetFilter, rest: QueryExpression?) {
    var filter = self
    var (conditions, rest): ([QueryExpression?], [QueryExpression?]) = (
      [filter.query?.expression], []
    )
    for part in query.expression?.conjuncts ?? [] {
      if part.hasTerms {
        rest.append(part)
      } else if !filter.take(part) {
        conditions.append(part)
      }
    }
    filter.query = QueryExpression.all(of: conditions).map { SearchQuery($0) }
    return (filter, .all(of: rest))
  }

  /// Adds a condition to those of the filter, and returns whether it has such a condition.
  private mutating func take(_ part: QueryExpression) -> Bool {
    switch part {
    case .condition(.kind(let kind)): kinds = kinds?.intersection([kind]) ?? [kind]
    case .condition(.tag(let tag)): tags.insert(tag)
    case .condition(.pinned) where isPinned != false: isPinned = true
    case .not(.condition(.pinned)) where isPinned != true: isPinned = false
    case .condition(.madeFrom(let start)): bound(from: start, to: nil)
    case .condition(.madeBefore(let end)): bound(from: nil, to: end)
    case .condition(.inTrash): isInTrash = true
    default: return false
    }
    return true
  }

  private mutating func bound(from start: Int64?, to end: Int64?) {
    let former =
      createdAt ?? Date(milliseconds: .min)..<Date(milliseconds: .max).addingTimeInterval(1)
    let start = max(former.lowerBound, start.map(Date.init(milliseconds:)) ?? former.lowerBound)
    let end = min(former.upperBound, end.map(Date.init(milliseconds:)) ?? former.upperBound)
    createdAt = start..<max(start, end)
  }
}
