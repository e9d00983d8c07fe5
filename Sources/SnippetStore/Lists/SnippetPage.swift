/// Consecutive rows of a list, with what else the list was at that moment.
public struct SnippetPage: Sendable, Hashable {
  /// Equal for two pages of one list when the list was the same for both.
  public let version: Int64
  /// The number of rows in the list.
  public let count: Int
  /// The position of the first row.
  public let start: Int
  /// The rows, in the list's order.
  public let rows: [SnippetRow]

  /// Makes a page by hand.
  ///
  /// - Parameters:
  ///   - version: Which state of the list it is of.
  ///   - count: The number of rows in the list.
  ///   - start: The position of the first row.
  ///   - rows: The rows, in the list's order.
  public init(version: Int64, count: Int, start: Int, rows: [SnippetRow]) {
    self.version = version
    self.count = count
    self.start = start
    self.rows = rows
  }
}
