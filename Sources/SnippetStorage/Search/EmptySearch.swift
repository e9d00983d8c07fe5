import Foundation
import GRDB
import SnippetBase

/// An empty list or search.
struct EmptySearch: Sendable {
  /// The conditions that must be met.
  let filter: SnippetFilter
  /// The searched words; `nil` if there are none.
  let words: QueryExpression?

  init(_ query: SearchQuery, _ filter: SnippetFilter) {
    let (filter, rest) = filter.split(query)
    self.filter = filter
    words = rest
  }

  func reason(in db: Database) throws -> EmptinessReason {
    let place = SnippetFilter(isInTrash: filter.isInTrash)
    guard try holdsSomething(place, in: db) else {
      let others = try db.number("SELECT count(*) FROM snippet") ?? 0
      if others == 0 { return .storeIsEmpty }
      return filter.isInTrash ? .trashIsEmpty : .allInTrash(Int(others))
    }
    for tag in filter.tags.sorted() {
      let name = TextRules.composed(tag)
      let known = try db.number(
        "SELECT EXISTS (SELECT 1 FROM tag WHERE name = ? OR (name > ? AND name < ?))",
        [name, name + "/", name + "0"].map(\.databaseValue)
      )
      if known == 0 {
        return .noSuchTag(name, nearest: try nearest(to: name, by: Self.likenesses, in: db))
      }
    }
    for condition in conditions {
      guard let alone = place.narrowed(by: condition), try !holdsSomething(alone, in: db) else {
        continue
      }
      return .nothingMeets(condition)
    }
    guard let words, try holdsSomething(filter, in: db) else { return .nothingMeetsAll }
    for case .term(let term) in words.conjuncts where term.text.hasPrefix("#") {
      let tag = try nearest(to: String(term.text.dropFirst()), by: [{ $0 == $1 }], in: db)
      if let tag { return .wordIsTag(tag) }
    }
    return .wordsNotFound(longTextCount: try longTextCount(in: db))
  }

  /// The conditions of the filter, one by one.
  private var conditions: [SearchQuery] {
    var conditions = filter.tags.sorted().map { SearchQuery.tag($0) }
    if let kinds = filter.kinds, !kinds.isEmpty {
      let kinds = kinds.sorted { $0.rawValue < $1.rawValue }
      conditions.append(
        SearchQuery(.any(of: kinds.map { .condition(.kind($0)) }))
      )
    }
    if let isPinned = filter.isPinned { conditions.append(isPinned ? .isPinned : !.isPinned) }
    if let dates = filter.createdAt {
      let (start, end) = (dates.lowerBound.milliseconds, dates.upperBound.milliseconds)
      let bounds: [QueryExpression?] = [
        start > Date(milliseconds: .min).milliseconds ? .condition(.madeFrom(start)) : nil,
        end < Date(milliseconds: .max).milliseconds ? .condition(.madeBefore(end)) : nil,
      ]
      conditions.append(SearchQuery(.all(of: bounds)))
    }
    conditions += (filter.query?.expression?.conjuncts ?? []).map { SearchQuery($0) }
    return conditions
  }

  private func holdsSomething(_ filter: SnippetFilter, in db: Database) throws -> Bool {
    var keys = try ListQuery(filter: filter, order: .newestFirst).keys(limit: 1, in: db)
    return try keys.next() != nil
  }

  private typealias Likeness = @Sendable (_ tag: String, _ wanted: String) -> Bool

  /// Ways in which two tags, folded in case, accents and width, can be similar: they are equal,
  /// differ in one letter, or one begins with the other if that has at least three letters.
  private static let likenesses: [Likeness] = [
    { $0 == $1 },
    { abs($0.count - $1.count) < 2 && $0.editDistance(to: $1) == 1 },
    { $0.count > 2 && $1.hasPrefix($0) || $1.count > 2 && $0.hasPrefix($1) },
  ]

  /// Returns the tag that was probably meant, by the first similarity that finds one.
  private func nearest(
    to name: String,
    by likenesses: [Likeness],
    in db: Database
  ) throws -> String? {
    let wanted = SearchText(name).words
    guard !wanted.isEmpty else { return nil }
    let tags = try db.values("SELECT name FROM tag ORDER BY name") { try $0.text(0) }
    let words = tags.map { SearchText($0).words }
    for isLike in likenesses {
      if let place = words.firstIndex(where: { isLike($0, wanted) }) { return tags[place] }
    }
    return nil
  }

  private func longTextCount(in db: Database) throws -> Int {
    let long = SearchQuery.size(atLeast: SearchedTexts.maximumByteCount + 1) && .kind(.text)
    guard let filter = filter.narrowed(by: long) else { return 0 }
    var keys = try ListQuery(filter: filter, order: .largestFirst).keys(in: db)
    var count = 0
    while try keys.next() != nil { count += 1 }
    return count
  }
}
