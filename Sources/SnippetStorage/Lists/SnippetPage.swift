/// Rows of a list that follow each other, with what the list was when they were read.
///
/// Everything in a page is of one state of the store.
public struct SnippetPage: Sendable, Hashable {
  /// Which state the list was in.
  ///
  /// Pages of equal version show the same rows. A new version may also show the same. Versions go
  /// up. Those of different lists cannot be compared.
  public var version: Int64
  /// The number of rows in the whole list; a minimum while the list is not counted.
  public var count: Int
  /// The position of the first row.
  public var start: Int
  /// The rows, in the list's order.
  public var rows: [SnippetRow]
  /// Whether the count is that of all rows.
  ///
  /// Always true, except for ``SnippetList/firstPage(_:)``.
  public var isCounted: Bool

  /// Makes a page by hand, for your own sources and for tests.
  ///
  /// Lists make theirs.
  ///
  /// - Parameters:
  ///   - version: Which state the list was in.
  ///   - count: The number of rows in the whole list.
  ///   - start: The position of the first row.
  ///   - rows: The rows, in the list's order.
  ///   - isCounted: Whether the count is that of all rows; yes by default.
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
