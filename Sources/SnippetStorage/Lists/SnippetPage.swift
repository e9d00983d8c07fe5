/// Consecutive rows of a list, with its count and version at the time of reading.
///
/// Everything in a page shows one state of the store.
public struct SnippetPage: Sendable, Hashable {
  /// The version of the list.
  ///
  /// Pages of one list with equal versions show the same rows; a new version may show the same rows
  /// too. Versions rise. Those of different lists cannot be compared.
  public var version: Int64
  /// The number of rows in the whole list; a minimum while the list is not counted.
  public var count: Int
  /// The position of the first row.
  public var start: Int
  /// The rows, in the list's order.
  public var rows: [SnippetRow]
  /// Whether ``count`` covers all rows.
  ///
  /// `false` only for a page of ``SnippetList/firstPage(_:)`` of a list not counted yet.
  public var isCounted: Bool

  /// Makes a page by hand, for your own sources and for tests.
  ///
  /// Lists make their own pages.
  ///
  /// - Parameters:
  ///   - version: The version of the list.
  ///   - count: The number of rows in the whole list.
  ///   - start: The position of the first row.
  ///   - rows: The rows, in the list's order.
  ///   - isCounted: Whether the count covers all rows; `true` by default.
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
