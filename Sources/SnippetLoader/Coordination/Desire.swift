internal import SnippetStore

/// What the viewport asks for: the plan's positions turned into loads.
struct Desire {
  /// The loads, most urgent first.
  ///
  /// Only what the cache has room for is among them: a blob that would be thrown away, or would
  /// throw out a more urgent one, is left to the cells that need it.
  private(set) var loads: [DesiredLoad] = []
  /// The priority of every key in the range, with room or without.
  private(set) var priorities: [LoadKey: LoadPriority] = [:]

  init(plan: RangePlan, window: RowWindow, byteLimit: Int) {
    var room = byteLimit
    for segment in plan.segments {
      segment.forEachPosition { position in
        guard let row = window[position], let key = LoadKey(row), priorities[key] == nil else {
          return
        }
        priorities[key] = segment.priority
        let cost = Self.cost(of: row)
        guard cost <= room else { return }
        room -= cost
        loads.append(DesiredLoad(key: key, priority: segment.priority))
      }
    }
  }

  /// What the blob of a row will cost in the cache, going by what the row says.
  static func cost(of row: SnippetRow) -> Int {
    BlobCache<RecencyOrder>.cost(ofByteCount: Int(clamping: max(0, row.byteCount)))
  }
}
