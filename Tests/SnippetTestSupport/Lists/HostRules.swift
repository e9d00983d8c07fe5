package import SnippetLoading
package import SnippetStorage

/// A table view and a list model that know their rows only from reported changes, and refuse what
/// UIKit and GTK refuse.
///
/// - `performBatchUpdates` of UIKit: removed rows are counted before, all others afterwards;
///   nothing twice, nothing outside, and the numbers must add up.
/// - `GListModel` of GTK: each `items-changed` lies within the list at that moment, and changes
///   something; everything before it is final.
package struct HostRules {
  /// The snippets in the table; `nil` for a row that was not asked for yet.
  private var table: [SnippetID?] = []
  private var model: [SnippetID?] = []
  package private(set) var violations: [String] = []
  /// The numbers of reported batches and reloads.
  package private(set) var batchCount = 0
  package private(set) var reloadCount = 0

  package init() {}

  /// Shows a list that was read completely.
  package mutating func reload(_ ids: [SnippetID]) {
    (table, model) = (ids, ids)
  }

  /// Applies a change of a list that has a number of rows now.
  package mutating func update(by change: ListChange, count: Int) {
    guard let batch = change.batch else {
      reloadCount += 1
      table = Array(repeating: nil, count: count)
      model = table
      return
    }
    batchCount += 1
    update(by: batch)
    require(table.count == count, "The host has another number of rows.")
  }

  /// Applies a batch, in both forms.
  package mutating func update(by batch: ListBatch) {
    updateTable(by: batch)
    updateModel(by: batch)
    require(table == model, "The table and the list model show other rows.")
  }

  /// The snippets in the table, after the host has asked for new ones.
  package mutating func ids(in list: [SnippetID]) -> [SnippetID] {
    table = table.enumerated().map { place, id in
      id ?? (list.indices.contains(place) ? list[place] : nil)
    }
    model = table
    return table.compactMap(\.self)
  }

  private mutating func updateTable(by batch: ListBatch) {
    let deleted = batch.removed.map(\.position) + batch.moved.map(\.from)
    let inserted =
      batch.inserted.map { ($0.position, $0.id) } + batch.moved.map { ($0.to, $0.id) }
    let places = inserted.map(\.0) + batch.updated.map(\.position)
    require(Set(deleted).count == deleted.count, "A row is deleted or moved twice.")
    require(Set(places).count == places.count, "Two rows come to one place.")
    require(deleted.allSatisfy(table.indices.contains), "A row beyond the end is deleted.")
    require(places.allSatisfy((0..<batch.count).contains), "A row comes to beyond the end.")
    require(batch.formerCount == table.count, "The batch is of another table.")
    require(
      batch.count == table.count - batch.removed.count + batch.inserted.count,
      "The number of rows after the update is not what it must be."
    )
    guard violations.isEmpty else { return }
    let named =
      batch.removed.map { ($0.position, $0.id) } + batch.moved.map { ($0.from, $0.id) }
    require(
      named.allSatisfy { table[$0] == nil || table[$0] == $1 },
      "Another row is deleted or moved than is meant."
    )
    let gone = Set(deleted)
    table = table.indices.filter { !gone.contains($0) }.map { table[$0] }
    for (place, id) in inserted.sorted(by: { $0.0 < $1.0 }) {
      require(!table.contains(id), "A row comes that is there.")
      table.insert(id, at: min(place, table.count))
    }
    require(
      batch.updated.allSatisfy { table[$0.position] == nil || table[$0.position] == $0.id },
      "Another row is updated than is meant."
    )
  }

  private mutating func updateModel(by batch: ListBatch) {
    guard violations.isEmpty else { return }
    var end = 0
    for splice in batch.splices {
      let gone = splice.position..<splice.position + splice.removedCount
      require(splice.removedCount + splice.insertedCount > 0, "A splice says nothing.")
      require(splice.position >= end, "A splice is before the end of the last.")
      require(gone.upperBound <= model.count, "Rows beyond the end of the list go.")
      guard violations.isEmpty else { return }
      end = splice.position + splice.insertedCount
      // The host asks at once for inserted rows, and those are the new ones.
      let came = (splice.position..<end).map { table.indices.contains($0) ? table[$0] : nil }
      model.replaceSubrange(gone, with: came)
    }
  }

  private mutating func require(_ holds: Bool, _ violation: String) {
    if !holds { violations.append(violation) }
  }
}
