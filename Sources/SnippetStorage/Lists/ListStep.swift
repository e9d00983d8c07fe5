import GRDB

/// One snippet in a list, before and after a change.
struct ListStep {
  let id: Int64
  /// `nil` if the list did not hold it.
  let old: SortKey?
  /// `nil` if the list no longer holds it.
  let new: SortKey?

  /// Whether its place in the order changed, or it was inserted or removed.
  var isOrderedAnew: Bool {
    guard let old, let new else { return true }
    return !SortKey.isSame(old, new)
  }
}

extension ListQuery {
  /// Works out how all changes since the old state of the list affect it; `nil` if they contradict
  /// each other, or do not tell whether the list held a snippet.
  ///
  /// The first change of a snippet says how it was before; the database says how it is now. Takes
  /// O(*m* log *n*) for *m* changes.
  func steps(_ records: [ChangeRecord], in db: Database) throws -> [ListStep]? {
    var order: [Int64] = []
    var firsts: [Int64: ChangeRecord] = [:]
    var wore: [Int64: FormerTags] = [:]
    for record in records {
      if let tag = record.tag {
        guard namedTags.contains(where: { SortKey.isTag(tag, orBelow: $0) }) else { continue }
        wore[record.snippet, default: FormerTags()].add(tag, record.event == .tagTakenOff)
      } else if firsts[record.snippet] == nil {
        firsts[record.snippet] = record
        order.append(record.snippet)
      }
    }
    if !order.isEmpty, filter.query?.expression?.asksForUnrecorded == true { return nil }
    // A tag is only added or removed together with a change of the snippet itself.
    guard wore.keys.allSatisfy({ firsts[$0] != nil }) else { return nil }

    var steps: [ListStep] = []
    for id in order {
      guard let first = firsts[id] else { continue }
      let old = try oldKey(of: first) {
        try (wore[id] ?? FormerTags()).all(besides: carriedTags(of: id, in: db))
      }
      let new = try key(of: SnippetID(rawValue: id), in: db)
      if old != nil || new != nil { steps.append(ListStep(id: id, old: old, new: new)) }
    }
    return steps
  }

  /// Returns the sort key that a snippet had before a change, if the list held it.
  ///
  /// `wore` returns the tags that the snippet carried before the change, as far as the filter names
  /// them.
  private func oldKey(
    of change: ChangeRecord,
    _ wore: () throws -> [String]
  ) throws -> SortKey? {
    guard let former = change.former, (former.deletedAt != nil) == filter.isInTrash else {
      return nil
    }
    if let kinds = filter.kinds, !kinds.contains(where: { Int64($0.rawValue) == former.kind }) {
      return nil
    }
    if let isPinned = filter.isPinned, isPinned != (former.pinned != 0) { return nil }
    if let dates = filter.createdAt,
      former.createdAt < dates.lowerBound.milliseconds
        || former.createdAt >= dates.upperBound.milliseconds
    {
      return nil
    }
    let worn = namedTags.isEmpty ? [] : try wore()
    guard
      tags.allSatisfy({ tag in worn.contains { SortKey.isTag($0, orBelow: tag) } })
    else { return nil }
    if let expression = filter.query?.expression {
      let facts = SnippetFacts(
        id: change.snippet,
        kind: former.kind,
        isPinned: former.pinned != 0,
        createdAt: former.createdAt,
        byteCount: former.byteCount,
        isInTrash: former.deletedAt != nil,
        tags: worn
      )
      guard expression.isTrue(for: facts, { _ in false }) else { return nil }
    }
    let value: SortKey.Value =
      switch source.key {
      case .created: .number(former.createdAt)
      case .modified: .number(former.modifiedAt)
      case .title: .text(former.title)
      case .size: .number(former.byteCount)
      case .deleted: .number(former.deletedAt ?? 0)
      }
    return SortKey(value: value, id: change.snippet)
  }

  private func carriedTags(of id: Int64, in db: Database) throws -> [String] {
    try db.values(
      "SELECT name FROM snippet_tag JOIN tag ON tag.id = tag_id WHERE snippet_id = ?",
      [id.databaseValue]
    ) { try $0.text(0) }
  }

  /// Returns the sort key of one snippet, if the list holds it.
  func key(of id: SnippetID, in db: Database) throws -> SortKey? {
    var statement = try source.key(of: id).begun(in: db)
    return try statement.next().map { try SortKey($0) }
  }
}

/// The tags that a snippet carried before some changes, told by the first change of each.
private struct FormerTags {
  private var first: [(tag: String, isTakenOff: Bool)] = []

  mutating func add(_ tag: String, _ isTakenOff: Bool) {
    if !has(tag) { first.append((tag, isTakenOff)) }
  }

  /// Returns them, with those among the present ones that no change concerns.
  func all(besides present: [String]) -> [String] {
    first.filter(\.isTakenOff).map(\.tag) + present.filter { !has($0) }
  }

  private func has(_ tag: String) -> Bool {
    first.contains { SortKey.isEqual($0.tag, tag) }
  }
}
