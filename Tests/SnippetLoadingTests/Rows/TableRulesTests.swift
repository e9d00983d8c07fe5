import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What a table view demands of a batch of updates, judged as strictly as UIKit does.
///
/// With `SNIP_LONG_TESTS` set: 100,000 batches.
@MainActor
@Suite(.seeded, .timeLimit(.minutes(30)))
struct TableRulesTests {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  @Test func `every change can be made as one batch of updates`() {
    var random = SeededGenerator()
    var toldCount = 0
    while toldCount < (Self.isLong ? 100_000 : 1_000) {
      let fixture = ScriptedLoader(rows: ScriptedRows(count: random.below(60)))
      let loader = fixture.loader
      let table = StrictTable()
      loader.listChangeHandler = { [loader] change in
        table.update(by: change, count: loader.count)
        toldCount += 1
      }
      table.reload(count: loader.count, ids: fixture.rows.rows.map(\.id))
      var lastID: Int64 = 1_000
      for _ in 0..<100 {
        // Several edits may come before the loader reads, and a jump may find them first.
        for _ in 0..<1 + random.below(3) {
          fixture.rows.rows = edited(fixture.rows.rows, &lastID, &random)
        }
        let start = random.below(loader.count + 1)
        if random.chance(0.3) { loader.viewportDidChange(start..<start + 8) }
        fixture.rows.announce()
        fixture.settle()

        #expect(table.violations == [])
        #expect(table.ids(in: fixture.rows.rows.map(\.id)) == fixture.rows.rows.map(\.id))
        guard table.violations.isEmpty else { return }
      }
    }
  }

  private func edited(
    _ rows: [SnippetRow],
    _ lastID: inout Int64,
    _ random: inout SeededGenerator
  ) -> [SnippetRow] {
    var rows = rows
    for _ in 0..<random.below(4) where !rows.isEmpty { rows.remove(at: random.below(rows.count)) }
    for _ in 0..<random.below(4) where rows.count > 1 {
      let row = rows.remove(at: random.below(rows.count))
      rows.insert(row, at: random.below(rows.count + 1))
    }
    for _ in 0..<random.below(4) where !rows.isEmpty {
      let place = random.below(rows.count)
      let row = rows[place]
      rows[place] = .image(row.id.rawValue, revision: row.revision + 1, title: "\(lastID)")
    }
    for _ in 0..<random.below(5) {
      lastID += 1
      rows.insert(.image(lastID), at: random.below(rows.count + 1))
    }
    return rows
  }
}

/// A table that knows its rows by what it was told of them, and refuses what UIKit throws at.
@MainActor
private final class StrictTable {
  /// The snippets in the table; `nil` for a row that was inserted and not asked for yet.
  private var cells: [SnippetID?] = []
  private(set) var violations: [String] = []

  func reload(count: Int, ids: [SnippetID]) {
    cells = Array(ids.prefix(count))
  }

  func update(by change: ListChange, count: Int) {
    guard let batch = change.batch else {
      cells = Array(repeating: nil, count: count)
      return
    }
    let deleted = batch.removed.map(\.position) + batch.moved.map(\.from)
    let inserted = batch.inserted.map(\.position) + batch.moved.map(\.to)
    require(Set(deleted).count == deleted.count, "A row is deleted or moved twice.")
    require(Set(inserted).count == inserted.count, "Two rows come to one place.")
    require(deleted.allSatisfy(cells.indices.contains), "A row beyond the end is deleted.")
    require(inserted.allSatisfy((0..<count).contains), "A row beyond the end is inserted.")
    require(batch.formerCount == cells.count, "The batch is of another table.")
    require(
      count == cells.count - batch.removed.count + batch.inserted.count,
      "The number of rows after the update is not what it must be."
    )
    guard violations.isEmpty else { return }
    let moved = Dictionary(uniqueKeysWithValues: batch.moved.map { ($0.to, cells[$0.from]) })
    let gone = Set(deleted)
    cells = cells.indices.filter { !gone.contains($0) }.map { cells[$0] }
    for place in inserted.sorted() { cells.insert(moved[place] ?? nil, at: place) }
  }

  /// The snippets in the table, once the data source has been asked for what is new.
  func ids(in list: [SnippetID]) -> [SnippetID] {
    cells = cells.enumerated().map { place, id in
      id ?? (list.indices.contains(place) ? list[place] : nil)
    }
    return cells.compactMap(\.self)
  }

  private func require(_ holds: Bool, _ violation: String) {
    if !holds { violations.append(violation) }
  }
}
