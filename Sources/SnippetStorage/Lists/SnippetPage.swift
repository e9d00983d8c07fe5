/// Rows of a list that follow each other, with what the list was when they were read.
///
/// Everything in a page is of one state of the store.
public struct SnippetPage: Sendable, Hashable {
  /// Which state the list was in.
  ///
  /// Two pages of one list have the same version exactly when no row of the list has come, gone,
  /// moved or changed between them, and both were counted, or neither. Versions go up. Those of two
  /// lists say nothing about each other.
  public var version: Int64
  /// The number of rows in the whole list; while that is not counted, a number that it has at least.
  public var count: Int
  /// The position of the first row.
  public var start: Int
  /// The rows, in the list's order.
  public var rows: [SnippetRow]
  /// Whether the count is that of all rows.
  ///
  /// Always, but for ``SnippetList/firstPage(_:)``.
  public var isCounted: Bool

  /// Makes a page by hand, for sources of one's own and for tests; lists make theirs.
  ///
  /// - Parameters:
  ///   - version: Which state the list was in.
  ///   - count: The number of rows in the whole list.
  ///   - start: The position of the first row.
  ///   - rows: The rows, in the list's order.
  ///   - isCounted: Whether the count is that of all rows; it is by default.
  public init(
    version: Int64,
    count: Int,
    start: Int,
    rows: [SnippetRow],
    isCounted: Bool = true
  ) {
    self.version = version
    self.count = count
    self.start = start
    self.rows = rows
    self.isCounted = isCounted
  }
}
