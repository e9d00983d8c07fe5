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
  /// each other.
  ///
  /// The first change of a snippet says how it was before; the database says how it is now. Takes
  /// O(*m* log *n*) for *m* changes.
  func steps(_ records: [ChangeRecord], in db: Database) throws -> [ListStep]? {
    var order: [Int64] = []
    var firsts: [Int64: ChangeRecord] = [:]
    var wore: [Int64: [String: Bool]] = [:]
    for record in records {
      if let tag = record.tag {
        guard let tag = namedTags.first(where: { SortKey.isEqual($0, tag) }) else { continue }
        let isOff = record.event == .tagTakenOff
        if wore[record.snippet]?[tag] == nil { wore[record.snippet, default: [:]][tag] = isOff }
      } else if firsts[record.snippet] == nil {
        firsts[record.snippet] = record
        order.append(record.snippet)
      }
    }
    // A tag is only added or removed together with a change of the snippet itself.
    guard wore.keys.allSatisfy({ firsts[$0] != nil }) else { return nil }

    var steps: [ListStep] = []
    for id in order {
      guard let first = firsts[id] else { continue }
      let old = try oldKey(of: first) { tag in
        let name = namedTags.first { SortKey.isEqual($0, tag) } ?? tag
        return try wore[id]?[name] ?? isCarried(tag, by: id, in: db)
      }
      let new = try key(of: SnippetID(rawValue: id), in: db)
      if old != nil || new != nil { steps.append(ListStep(id: id, old: old, new: new)) }
    }
    return steps
  }

  /// Returns the sort key that a snippet had before a change, if the list held it.
  ///
  /// `wore` tells whether the snippet carried a tag before the change.
  private func oldKey(
    of change: ChangeRecord,
    _ wore: (String) throws -> Bool
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
    guard try tags.allSatisfy(wore) else { return nil }
    if let expression = filter.query?.expression {
      let facts = SnippetFacts(
        kind: former.kind,
        isPinned: former.pinned != 0,
        createdAt: former.createdAt,
        byteCount: former.byteCount,
        isInTrash: former.deletedAt != nil,
        tags: try expression.tags.filter(wore)
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

  private func isCarried(_ tag: String, by id: Int64, in db: Database) throws -> Bool {
    let found = try db.number(
      """
      SELECT EXISTS (
        SELECT 1 FROM snippet_tag
        WHERE snippet_id = ? AND tag_id = (SELECT id FROM tag WHERE name = ?)
      )
      """,
      [id.databaseValue, tag.databaseValue]
    )
    return found == 1
  }

  /// Returns the sort key of one snippet, if the list holds it.
  func key(of id: SnippetID, in db: Database) throws -> SortKey? {
    var statement = try source.key(of: id).begun(in: db)
    return try statement.next().map { try SortKey($0) }
  }
}
