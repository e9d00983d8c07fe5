import SnippetStorage
import SnippetTesting

extension [SnippetRow] {
  /// Removes, moves, changes and inserts a few rows.
  package mutating func edit(_ lastID: inout Int64, _ random: inout SeededGenerator) {
    for _ in 0..<random.below(4) where !isEmpty { remove(at: random.below(count)) }
    for _ in 0..<random.below(4) where count > 1 {
      let row = remove(at: random.below(count))
      insert(row, at: random.below(count + 1))
    }
    for _ in 0..<random.below(4) where !isEmpty {
      let place = random.below(count)
      let row = self[place]
      self[place] = .image(row.id.rawValue, revision: row.revision + 1, title: "\(lastID)")
    }
    for _ in 0..<random.below(5) {
      lastID += 1
      insert(.image(lastID), at: random.below(count + 1))
    }
  }
}
