import SnippetBase
import SnippetStorage

/// Used by SnippetTesting, whose scripted list has all of its rows in memory.
extension ListBatch {
  /// Finds the changes of a list by comparing all of its rows.
  ///
  /// - Parameters:
  ///   - former: The rows of the old list.
  ///   - formerVersion: The version of the old list.
  ///   - rows: The rows of the new list.
  ///   - version: The version of the new list.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  init(
    from former: [SnippetRow],
    _ formerVersion: Int64,
    to rows: [SnippetRow],
    _ version: Int64
  ) {
    self.init(
      formerVersion: formerVersion,
      version: version,
      formerCount: former.count,
      count: rows.count
    )
    let old = Dictionary(uniqueKeysWithValues: former.enumerated().map { ($1.id, $0) })
    let new = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id, $0) })
    let staying = Self.longestRise(rows.compactMap { old[$0.id] })
    var steps: [(id: Int64, old: Int?, new: Int?, isOrderedAnew: Bool)] = []
    for (position, row) in former.enumerated() {
      let now = new[row.id]
      let isOrderedAnew = now == nil || !staying.contains(position)
      if isOrderedAnew || now.map({ rows[$0] != row }) == true {
        steps.append((row.id.rawValue, position, now, isOrderedAnew))
      }
    }
    for (position, row) in rows.enumerated() where old[row.id] == nil {
      steps.append((row.id.rawValue, nil, position, true))
    }
    add(steps)
  }

  /// Finds one of the longest rising subsequences.
  private static func longestRise(_ numbers: [Int]) -> Set<Int> {
    // The last places of the best rises of each length so far, and the predecessor of each place.
    var (ends, before): ([Int], [Int?]) = ([], [])
    for (place, number) in numbers.enumerated() {
      let length = ends.partitionPoint { numbers[$0] < number }
      before.append(length == 0 ? nil : ends[length - 1])
      if length == ends.count { ends.append(place) } else { ends[length] = place }
    }
    var (rise, place) = (Set<Int>(), ends.last)
    while let current = place {
      rise.insert(numbers[current])
      place = before[current]
    }
    return rise
  }
}
