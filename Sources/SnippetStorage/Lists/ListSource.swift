import Foundation
import GRDB

/// The part of the store that a list reads: the index of its order, and the conditions of its
/// filter.
struct ListSource: Sendable {
  /// The sort key.
  ///
  /// Outside the trash, where nothing has a date of deletion, it is the date of creation instead.
  let key: SnippetOrder.Key
  let column: String
  let index: String
  private let isDescending: Bool
  private let conditions: [Condition]
  /// The condition that selects the trash, or everything outside it.
  let place: Condition
  /// The bounds of the creation date, kept apart because they can also bound the order.
  private let earliest: Condition?
  private let latest: Condition?
  private let isByCreation: Bool

  init(filter: SnippetFilter, tags: [String], order: SnippetOrder) {
    isDescending = order.isDescending
    key = order.key == .deleted && !filter.isInTrash ? .created : order.key
    isByCreation = key == .created
    column =
      switch key {
      case .created: "created_at"
      case .modified: "modified_at"
      case .title: "title"
      case .size: "byte_count"
      case .deleted: "deleted_at"
      }
    // SQLite uses the partial index only if the statement repeats its condition literally.
    index = "snippet_\(filter.isInTrash ? "trash_" : "")by_\(key.rawValue)"
    place = Condition("deleted_at IS \(filter.isInTrash ? "NOT " : "")NULL")

    var conditions: [Condition] = []
    if let kinds = filter.kinds {
      // Kind 0 matches no snippet. A condition that is always false would hide `place` from SQLite.
      let numbers = kinds.isEmpty ? ["0"] : kinds.map(\.rawValue).sorted().map(String.init)
      conditions.append(Condition("kind IN (\(numbers.joined(separator: ", ")))"))
    }
    if let isPinned = filter.isPinned {
      conditions.append(Condition("pinned = \(isPinned ? 1 : 0)"))
    }
    conditions += tags.map { .tag($0) }
    if let expression = filter.query?.expression { conditions.append(Condition(expression)) }
    self.conditions = conditions
    earliest = filter.createdAt.map { Condition("created_at >= ?", $0.lowerBound.milliseconds) }
    latest = filter.createdAt.map { Condition("created_at < ?", $0.upperBound.milliseconds) }
  }

  /// Whether the list holds every snippet of the store, or of the trash.
  var isUnfiltered: Bool { conditions.isEmpty && earliest == nil && latest == nil }

  /// Selects the sort key of one snippet, if the list holds it.
  func key(of id: SnippetID) -> ListQuery.Selection {
    statement(
      "SELECT \(column), id FROM snippet",
      where: [Condition("id = ?", id.rawValue), place] + others
    )
  }

  /// Selects the snippets of the list by their numbers.
  ///
  /// The first argument is the number to start after; the last is the limit.
  var byNumber: ListQuery.Selection {
    statement(
      "SELECT id FROM snippet",
      where: [Condition("id > ?"), place] + others,
      "ORDER BY id LIMIT ?"
    )
  }

  /// Counts the snippets of the list along its index, which takes a fifth of the time of a walk.
  var counted: ListQuery.Selection {
    statement("SELECT count(*) FROM snippet INDEXED BY \(index)", where: others + [place])
  }

  /// The conditions besides `place`.
  var others: [Condition] { conditions + [earliest, latest].compactMap(\.self) }

  /// Walks the list from its beginning or from a sort key on.
  ///
  /// Each statement takes its limit as the last argument. A start needs two statements: one for the
  /// snippets with an equal key, one for those beyond. Comparing both columns in one condition
  /// would be slow: SQLite would look for the first of the equal snippets and step through all of
  /// them, because the identity is the number of the row.
  func walk(selecting columns: String) -> Walk {
    let direction = isDescending ? " DESC" : ""
    let comparison = isDescending ? "<" : ">"
    // SQLite uses one bound from each side, and it must use that of the start.
    let rest = isByCreation ? [isDescending ? earliest : latest] : [earliest, latest]
    let filters = conditions + rest.compactMap(\.self)
    func statement(_ conditions: [Condition]) -> ListQuery.Selection {
      self.statement(
        "SELECT \(columns) FROM snippet INDEXED BY \(index)",
        where: conditions + [place],
        "ORDER BY \(column)\(direction), id\(direction) LIMIT ?"
      )
    }
    return Walk(
      whole: statement(others),
      equal: statement([Condition("\(column) = ?"), Condition("id \(comparison)= ?")] + filters),
      beyond: statement([Condition("\(column) \(comparison) ?")] + filters),
      endOfEqual: SortKey.endOfEqual(isDescending: isDescending)
    )
  }

  private func statement(
    _ beginning: String,
    where conditions: [Condition],
    _ end: String = ""
  ) -> ListQuery.Selection {
    var sql = beginning
    if !conditions.isEmpty {
      sql += " WHERE \(conditions.map(\.sql).joined(separator: " AND "))"
    }
    if !end.isEmpty { sql += " \(end)" }
    return ListQuery.Selection(sql: sql, arguments: conditions.flatMap(\.arguments))
  }

  /// The statements of a walk.
  ///
  /// Those that begin at a sort key still lack its arguments.
  struct Walk {
    fileprivate let whole: ListQuery.Selection
    fileprivate let equal: ListQuery.Selection
    fileprivate let beyond: ListQuery.Selection
    fileprivate let endOfEqual: Int64

    /// Returns the statements whose results, one after the other, make up the list from a sort key
    /// on.
    func statements(from start: SortKey?) -> [ListQuery.Selection] {
      guard let start else { return [whole] }
      let value = start.value.databaseValue
      var (equal, beyond) = (equal, beyond)
      beyond.arguments.insert(value, at: 0)
      guard start.id != endOfEqual else { return [beyond] }
      equal.arguments.insert(contentsOf: [value, start.id.databaseValue], at: 0)
      return [equal, beyond]
    }
  }

  /// A condition in SQL, with its arguments.
  struct Condition {
    var sql: String
    var arguments: [DatabaseValue]

    init(_ sql: String, _ argument: (any DatabaseValueConvertible)? = nil) {
      self.sql = sql
      arguments = argument.map { [$0.databaseValue] } ?? []
    }
  }
}

// Queries as SQL.
extension ListSource.Condition {
  /// Whether a snippet carries a tag or one below it.
  static func tag(_ name: String) -> Self {
    // A zero comes after a slash. The tags are looked up once, and the sign has SQLite look at the
    // few tags of each snippet: below a tag there may be thousands.
    var condition = Self(
      """
      EXISTS (
        SELECT 1 FROM snippet_tag
        WHERE snippet_id = snippet.id AND +tag_id IN (
          SELECT id FROM tag WHERE name = ? OR (name > ? AND name < ?)
        )
      )
      """
    )
    condition.arguments = [name, name + "/", name + "0"].map(\.databaseValue)
    return condition
  }

  /// Whether a snippet carries a tag itself.
  static func exactTag(_ name: String) -> Self {
    Self(
      """
      EXISTS (
        SELECT 1 FROM snippet_tag
        WHERE snippet_id = snippet.id AND tag_id = (SELECT id FROM tag WHERE name = ?)
      )
      """,
      name
    )
  }

  /// Whether a snippet matches an expression, in which `term` stands for the search terms.
  ///
  /// A sign before a column keeps SQLite from using the condition as a bound of the order; it must
  /// use that of the start.
  init(
    _ expression: QueryExpression,
    _ term: (QueryExpression.Term) -> Self = { _ in Self("0") }
  ) {
    switch expression {
    case .all(let parts): self.init(parts.map { Self($0, term) }, joinedBy: " AND ")
    case .any(let parts): self.init(parts.map { Self($0, term) }, joinedBy: " OR ")
    case .not(let inner):
      self = Self(inner, term)
      sql = "NOT (\(sql))"
    case .term(let wanted): self = term(wanted)
    case .condition(let condition):
      self =
        switch condition {
        case .kind(let kind): Self("kind = \(kind.rawValue)")
        case .tag(let tag): .tag(tag)
        case .exactTag(let tag): .exactTag(tag)
        case .madeFrom(let start): Self("+created_at >= ?", start)
        case .madeBefore(let end): Self("+created_at < ?", end)
        case .sizeFrom(let least): Self("+byte_count >= ?", least)
        case .sizeTo(let most): Self("+byte_count <= ?", most)
        case .durationFrom(let least): Self("coalesce(duration_ms >= ?, 0)", least)
        case .durationTo(let most): Self("coalesce(duration_ms <= ?, 0)", most)
        case .pinned: Self("pinned = 1")
        case .inTrash: Self("+deleted_at IS NOT NULL")
        case .file(let file): Self("snippet.id IN (SELECT value FROM json_each(?))", file.json)
        case .mediaType(let type): Self("media_type = ? COLLATE NOCASE", type)
        }
    }
  }

  /// Joins the parts as a balanced tree, because SQLite limits the depth of an expression.
  private init(_ parts: [Self], joinedBy sign: String) {
    self.init("1")
    if parts.count < 2 {
      self = parts.first ?? self
    } else {
      let middle = parts.count / 2
      let halves = [parts[..<middle], parts[middle...]].map { Self(Array($0), joinedBy: sign) }
      sql = "(\(halves.map(\.sql).joined(separator: sign)))"
      arguments = halves.flatMap(\.arguments)
    }
  }
}
