import GRDB

/// What became of one snippet in a list: where it stood, and where it stands.
struct ListStep {
  let id: Int64
  /// `nil` where the list did not hold it.
  let old: SortKey?
  /// `nil` where the list does not hold it any more.
  let new: SortKey?

  /// Whether it has another place in the order, or a place at all in only one of the two states.
  var isOrderedAnew: Bool {
    guard let old, let new else { return true }
    return !SortKey.isSame(old, new)
  }
}

extension ListQuery {
  /// Finds out what changes mean for the list.
  ///
  /// What a snippet was is told by the first of its changes; what it is, by the database.
  ///
  /// - Parameters:
  ///   - records: Every change since the old state of the list.
  ///   - db: The new state.
  /// - Returns: The snippets that the list held or holds; `nil` where the record contradicts
  ///   itself.
  /// - Throws: What reading throws.
  /// - Complexity: O(*m* log *n*) for *m* changes.
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
    // A tag is never put on or taken off without a change of the snippet itself.
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

  /// The sort key that a snippet had before a change, if the list held it.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - wore: Whether the snippet carried a tag before it.
  /// - Returns: The key; `nil` where the list did not hold it.
  /// - Throws: What `wore` throws.
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

  /// The sort key of one snippet, if the list holds it.
  func key(of id: SnippetID, in db: Database) throws -> SortKey? {
    var statement = try source.key(of: id).begun(in: db)
    return try statement.next().map { try SortKey($0) }
  }
}
