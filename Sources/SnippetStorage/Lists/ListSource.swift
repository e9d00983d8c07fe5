import Foundation
import GRDB

/// Where a list comes from: the index of its order, and the conditions of its filter.
struct ListSource: Sendable {
  /// What the list is ordered by: that of the order, but for one that only the trash knows.
  let key: SnippetOrder.Key
  let column: String
  let index: String
  private let isDescending: Bool
  private let conditions: [Condition]
  /// Whether a snippet is where the list looks, in the trash or not.
  let place: Condition
  /// The bounds of the date of making, apart, since they can be bounds of the order too.
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
    // The index holds nothing else, which SQLite only sees by the very same condition.
    index = "snippet_\(filter.isInTrash ? "trash_" : "")by_\(key.rawValue)"
    place = Condition("deleted_at IS \(filter.isInTrash ? "NOT " : "")NULL")

    var conditions: [Condition] = []
    if let kinds = filter.kinds {
      // Of no kind at all: what can never hold by itself would hide the place from SQLite.
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

  /// Whether every snippet of the store, or of the trash, is in the list.
  var isUnfiltered: Bool { conditions.isEmpty && earliest == nil && latest == nil }

  /// The sort key of one snippet, if the list holds it.
  func key(of id: SnippetID) -> ListQuery.Selection {
    statement(
      "SELECT \(column), id FROM snippet",
      where: [Condition("id = ?", id.rawValue), place] + others
    )
  }

  /// The snippets that the list would hold, by their numbers from one on; the number before the
  /// first and how many are the first and last argument.
  var byNumber: ListQuery.Selection {
    statement(
      "SELECT id FROM snippet",
      where: [Condition("id > ?"), place] + others,
      "ORDER BY id LIMIT ?"
    )
  }

  /// What must hold for a snippet to be in the list beside its place.
  var others: [Condition] { conditions + [earliest, latest].compactMap(\.self) }

  /// A walk along the list, from its beginning or from a sort key on.
  ///
  /// Each of its statements takes the number of its results as its last argument. There are two
  /// where there is a start: the snippets that are equal to it, then those beyond. To compare both
  /// columns at once would not do: since the identity is the number of the row, SQLite looks for
  /// the first of the equal ones and walks from there, however many they are.
  func walk(selecting columns: String) -> Walk {
    let direction = isDescending ? " DESC" : ""
    let comparison = isDescending ? "<" : ">"
    // SQLite takes one bound from each side, and it must be that of the start.
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
      beyond: statement([Condition("\(column) \(comparison) ?")] + filters)
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

  /// The statements of a walk; those from a sort key on lack its arguments.
  struct Walk {
    fileprivate let whole: ListQuery.Selection
    fileprivate let equal: ListQuery.Selection
    fileprivate let beyond: ListQuery.Selection

    /// The statements whose results, one after the other, are the list from a sort key on.
    func statements(from start: SortKey?) -> [ListQuery.Selection] {
      guard let start else { return [whole] }
      let value = start.value.databaseValue
      var (equal, beyond) = (equal, beyond)
      equal.arguments.insert(contentsOf: [value, start.id.databaseValue], at: 0)
      beyond.arguments.insert(value, at: 0)
      return [equal, beyond]
    }
  }

  /// What must hold, with its arguments.
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
  /// Whether a snippet carries a tag.
  static func tag(_ name: String) -> Self {
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

  /// Whether a snippet is one that is asked for.
  ///
  /// A sign before a column keeps SQLite from taking the condition for a bound of the order, which
  /// must be that of the start.
  ///
  /// - Parameters:
  ///   - expression: What is asked for.
  ///   - term: Whether a term is found, where there are terms.
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
        case .madeFrom(let start): Self("+created_at >= ?", start)
        case .madeBefore(let end): Self("+created_at < ?", end)
        case .sizeFrom(let least): Self("+byte_count >= ?", least)
        case .sizeTo(let most): Self("+byte_count <= ?", most)
        case .pinned: Self("pinned = 1")
        case .inTrash: Self("+deleted_at IS NOT NULL")
        }
    }
  }

  /// Joins two halves again and again, since SQLite counts how deep an expression is.
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
