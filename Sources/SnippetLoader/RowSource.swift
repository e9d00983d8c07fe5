public import SnippetStore

/// Gives the rows of a list by position, synchronously: what the loader needs of a list.
///
/// The loader calls it on the main actor only, at most once for each movement of the viewport and
/// only for rows it does not hold, so a read must be quick and must touch no payload. When what it
/// answers changes, say so with ``SnippetLoader/rowsDidChange()`` before the next call into the
/// loader.
@MainActor
public protocol RowSource {
  /// The number of rows in the list.
  var count: Int { get }

  /// Reads the rows at consecutive positions.
  ///
  /// - Parameter positions: A range within `0..<count`.
  /// - Returns: The rows in the order of the list; fewer when the list ended before the range did.
  /// - Throws: Whatever kept the rows from being read. The loader shows it in the cells that are
  ///   bound meanwhile and tries again when the viewport moves.
  func rows(in positions: Range<Int>) throws -> [SnippetRow]
}
