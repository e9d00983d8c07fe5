import Foundation
import GRDB
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ListQueryPlanTests {
  @Test(arguments: SnippetOrder.all)
  func `the walk along a list reads nothing but the index of its order`(order: SnippetOrder) throws
  {
    for filter in Filters.allCases {
      let query = ListQuery(filter: filter.value, order: order)

      let whole = try plan(query.source.walk(selecting: "id").statements(from: nil))
      let fromFence = try plan(query.source.walk(selecting: "id").statements(from: start(order)))

      #expect(whole.own.count == 1, "\(filter)")
      #expect(
        whole.own[0].contains(" snippet USING COVERING INDEX \(index(order, filter))"),
        "\(filter)"
      )
      #expect(
        fromFence.own.map { String($0.prefix { $0 != "?" }) }
          == bounds(order, filter, "COVERING INDEX"),
        "\(filter)"
      )
      for step in whole.nested + fromFence.nested { expectSearchForTags(step, filter) }
    }
  }

  @Test(arguments: SnippetOrder.all)
  func `a window starts in the middle of the index of its order`(order: SnippetOrder) throws {
    for filter in Filters.allCases {
      let query = ListQuery(filter: filter.value, order: order)

      let plan = try plan(
        query.source.walk(selecting: SnippetRowQuery.columns).statements(from: start(order))
      )

      let own = plan.own.map { String($0.prefix { $0 != "?" }) }
      #expect(own == bounds(order, filter, "INDEX"), "\(filter)")
      for step in plan.nested { expectSearchForTags(step, filter) }
    }
  }

  // Not even for the tags of a row, of which there is one for each row of a window.
  @Test(arguments: SnippetOrder.all)
  func `nothing is sorted and no table is walked from end to end`(order: SnippetOrder) throws {
    for filter in Filters.allCases {
      let query = ListQuery(filter: filter.value, order: order)

      for columns in ["id", SnippetRowQuery.columns] {
        for start in [nil, start(order)] {
          let plan = try plan(query.source.walk(selecting: columns).statements(from: start))
          for step in plan.own + plan.nested {
            #expect(!step.contains("TEMP B-TREE"), "\(step), \(filter)")
            #expect(
              !step.hasPrefix("SCAN") || (start == nil && step.contains(" USING ")),
              "\(step), \(filter)"
            )
          }
        }
      }
    }
  }

  @Test(arguments: SnippetOrder.all)
  func `one snippet is found by its identity`(order: SnippetOrder) throws {
    for filter in Filters.allCases {
      let plan = try plan(
        [ListQuery(filter: filter.value, order: order).source.key(of: SnippetID(rawValue: 1))]
      )

      #expect(
        plan.own == ["SEARCH snippet USING INTEGER PRIMARY KEY (rowid=?)"],
        "\(filter)"
      )
      for step in plan.nested { expectSearchForTags(step, filter) }
    }
  }

  // A list that is reached by position must never count its way there.
  @Test func `no SQL of the package skips rows`() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    for folder in ["Sources", "Migrations"] {
      let files = FileManager.default.enumerator(
        atPath: sources.appendingPathComponent(folder).path
      )
      for case let name as String in files ?? .init()
      where name.hasSuffix(".swift") || name.hasSuffix(".sql") {
        let url = sources.appendingPathComponent(folder).appendingPathComponent(name)
        let code = try String(contentsOf: url, encoding: .utf8)
          .replacing(/(\/\/|--).*/, with: "")
        #expect(!code.contains(/\bOFFSET\b/), "\(name)")
        #expect(!code.contains(/\bLIMIT\s+[\w?]+\s*,/), "\(name)")
      }
    }
  }

  /// What is asked for each row may only look for its tags by an index.
  private func expectSearchForTags(_ step: String, _ filter: Filters) {
    let beginnings = [
      "SEARCH snippet_tag USING PRIMARY KEY (", "SEARCH tag USING INTEGER PRIMARY KEY (",
      "SEARCH tag USING COVERING INDEX ", "CORRELATED SCALAR SUBQUERY ", "SCALAR SUBQUERY ",
      // The tags below one, looked up once.
      "LIST SUBQUERY ", "MULTI-INDEX OR", "INDEX 1", "INDEX 2",
    ]
    #expect(beginnings.contains(where: step.hasPrefix), "\(step), \(filter)")
  }

  // Nothing is written, so all cases share it.
  private static let store = Result { try SnippetStore(inMemoryWith: .init()) }

  /// How SQLite plans statements: what it does for the list itself, and what for each row.
  private func plan(
    _ statements: [ListQuery.Selection]
  ) throws -> (own: [String], nested: [String]) {
    try Self.store.get().connections.rows.read { db in
      let steps = try statements.flatMap { statement in
        let limit: [DatabaseValue] = statement.sql.hasSuffix("LIMIT ?") ? [1.databaseValue] : []
        return try Row.fetchAll(
          db,
          sql: "EXPLAIN QUERY PLAN \(statement.sql)",
          arguments: StatementArguments(statement.arguments + limit)
        )
      }
      let isNested = { (step: Row) in
        step["parent"] != 0 || (step["detail"] as String).contains("SUBQUERY")
      }
      return (
        steps.filter { !isNested($0) }.map { $0["detail"] },
        steps.filter(isNested).map { $0["detail"] }
      )
    }
  }

  /// How the two searches from a fence begin: what is equal to it, then what is beyond.
  private func bounds(_ order: SnippetOrder, _ filter: Filters, _ index: String) -> [String] {
    let key = key(order, filter)
    let column =
      switch key {
      case .title: "title"
      case .size: "byte_count"
      case .created, .modified, .deleted: "\(key.rawValue)_at"
      }
    let beginning = "SEARCH snippet USING \(index) \(self.index(order, filter)) (\(column)"
    // A filter by date bounds that order at its other end too, and the lower bound is named first.
    // What is in the trash has a date of deletion, which SQLite takes for a bound too.
    let isBounded = key == .created && filter.value.createdAt != nil || key == .deleted
    return ["\(beginning)=", "\(beginning)\(order.isDescending && !isBounded ? "<" : ">")"]
  }

  private func start(_ order: SnippetOrder) -> SortKey {
    SortKey(value: order.key == .title ? .text("a") : .number(1), id: 1)
  }

  private func index(_ order: SnippetOrder, _ filter: Filters) -> String {
    "snippet_\(filter.value.isInTrash ? "trash_" : "")by_\(key(order, filter).rawValue)"
  }

  /// What is compared: only the trash knows when something was deleted.
  private func key(_ order: SnippetOrder, _ filter: Filters) -> SnippetOrder.Key {
    order.key == .deleted && !filter.value.isInTrash ? .created : order.key
  }
}

private enum Filters: CaseIterable {
  case none, kinds, noKinds, pinned, dates, tags, query, everything, trash, everythingInTrash

  var value: SnippetFilter {
    let dates = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 1e9)
    return switch self {
    case .none: .all
    case .kinds: SnippetFilter(kinds: [.image, .voice])
    case .noKinds: SnippetFilter(kinds: [])
    case .pinned: SnippetFilter(isPinned: true)
    case .dates: SnippetFilter(createdAt: dates)
    case .tags: SnippetFilter(tags: ["home", "work"])
    case .query:
      SnippetFilter.all.narrowed(
        by: SearchQuery("size:>1MB -tag:draft (after:2024 OR kind:image OR -is:pinned)")
      ) ?? .all
    case .everything:
      SnippetFilter(kinds: [.text], tags: ["home"], isPinned: false, createdAt: dates)
    case .trash: .trash
    case .everythingInTrash:
      SnippetFilter(
        kinds: [.text],
        tags: ["home"],
        isPinned: false,
        createdAt: dates,
        isInTrash: true
      )
    }
  }
}
