internal import SnippetStore

/// The rows around the viewport: one unbroken stretch of the list, read ahead of need.
struct RowWindow {
  /// The positions whose rows are held.
  private(set) var range: Range<Int> = 0..<0
  private var rows: [SnippetRow] = []

  /// The row at a position, or `nil` outside of the window.
  subscript(position: Int) -> SnippetRow? {
    range.contains(position) ? rows[position - range.lowerBound] : nil
  }

  /// What one read must cover so that a range is held afterwards.
  ///
  /// When only one end is missing, that end; otherwise the whole range. Every read goes `slack`
  /// positions further in the direction in which it extends the window, so that a slow scroll does
  /// not read at every step.
  ///
  /// - Parameters:
  ///   - wanted: The positions that must be held, inside of the list.
  ///   - slack: How many positions to read ahead.
  ///   - count: The length of the list.
  /// - Returns: The positions to read; empty when nothing is missing.
  func missing(from wanted: Range<Int>, slack: Int, count: Int) -> Range<Int> {
    let isBelow = wanted.lowerBound < range.lowerBound
    let isAbove = wanted.upperBound > range.upperBound
    let touches = wanted.lowerBound <= range.upperBound && wanted.upperBound >= range.lowerBound
    if wanted.isEmpty || (!rows.isEmpty && !isBelow && !isAbove) { return 0..<0 }
    let start = max(0, wanted.lowerBound - slack)
    let end = min(count, wanted.upperBound + slack)
    guard !rows.isEmpty, touches, isBelow != isAbove else { return start..<max(start, end) }
    return isAbove ? range.upperBound..<end : start..<range.lowerBound
  }

  /// Takes in rows that were read: joined to what is held where they touch it, in place of it
  /// elsewhere.
  ///
  /// - Parameters:
  ///   - newRows: The rows, in the order of the list.
  ///   - start: The position of the first.
  mutating func insert(_ newRows: [SnippetRow], at start: Int) {
    let end = start + newRows.count
    if !rows.isEmpty, start == range.upperBound {
      rows.append(contentsOf: newRows)
      range = range.lowerBound..<end
    } else if !rows.isEmpty, end == range.lowerBound {
      rows.insert(contentsOf: newRows, at: 0)
      range = start..<range.upperBound
    } else {
      rows = newRows
      range = start..<end
    }
  }

  /// Lets go of all rows outside of a range.
  mutating func trim(to kept: Range<Int>) {
    let remaining = range.clamped(to: kept)
    guard remaining != range else { return }
    guard !remaining.isEmpty else {
      removeAll()
      return
    }
    rows.removeLast(range.upperBound - remaining.upperBound)
    rows.removeFirst(remaining.lowerBound - range.lowerBound)
    range = remaining
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    range = 0..<0
  }
}
