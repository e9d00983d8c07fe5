/// An ordered sequence of rows, reached by position: a ``SnippetList``, ``SearchResults``, or a
/// list of your own.
///
/// A list of your own needs ``page(_:)`` alone. With ``changes(since:)`` and ``observeChanges(_:)``
/// it is also cheap to follow.
///
/// All calls block for a fraction of a millisecond and are meant for the thread that draws. The
/// exception is the first call of a ``SnippetList``, which walks an index: 60 ms for a million
/// rows. A loader calls them on its own threads where it can; on the main actor it reads the first
/// screen, the target of a jump and rows far from the viewport. So a read must be quick and must
/// not touch a payload.
public protocol RowList: Sendable {
  /// The errors of reads: ``SnippetStoreError`` for the lists of a store, any error by default.
  associatedtype Failure: Error = any Error

  /// The number of rows.
  ///
  /// The default reads an empty page.
  ///
  /// - Throws: As ``page(_:)``.
  var count: Int { get throws(Failure) }

  /// Reads the rows at consecutive positions.
  ///
  /// - Parameter positions: Any range; positions outside the list are left out.
  /// - Returns: The rows, with the length and the version of their list. A later state of the list
  ///   has a greater version.
  /// - Throws: The reason why the rows could not be read. A loader shows the error in the cells
  ///   that it binds, and tries again when the viewport moves.
  func page(_ positions: Range<Int>) throws(Failure) -> SnippetPage

  /// Reads the rows near the start, even before the list is counted.
  ///
  /// The default reads a page like any other.
  ///
  /// - Parameter positions: Any range; positions outside the list are left out.
  /// - Returns: The rows. If the list is not counted yet, the page says so, and no counted page has
  ///   its version.
  /// - Throws: As ``page(_:)``.
  func firstPage(_ positions: Range<Int>) throws(Failure) -> SnippetPage

  /// Returns the change of the list since a version.
  ///
  /// The default returns `nil`: after a change, any row may be another one. With a batch, a loader
  /// reads only the rows that changed, and its host can animate them.
  ///
  /// - Parameter version: The ``SnippetPage/version`` of rows that the caller holds.
  /// - Returns: The change up to the latest state, without rows if nothing changed; `nil` if it
  ///   cannot be told row by row.
  /// - Throws: As ``page(_:)``.
  func changes(since version: Int64) throws(Failure) -> ListBatch?

  /// Finds the position of a snippet.
  ///
  /// The default reads all rows.
  ///
  /// - Parameter id: The snippet to look for.
  /// - Returns: Its position, counted from 0; `nil` if the list does not hold it.
  /// - Throws: As ``page(_:)``.
  func position(of id: SnippetID) throws(Failure) -> Int?

  /// Calls a closure whenever other rows may stand at the positions, until the observation ends.
  ///
  /// One call may stand for several changes. The default never calls it: the owner of the list then
  /// notifies the loader itself.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read. It must not block.
  /// - Returns: The observation, which ends with its last reference.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation
}

extension RowList {
  /// The number of rows, read with an empty page.
  public var count: Int { get throws(Failure) { try page(0..<0).count } }

  /// Reads a page like any other.
  public func firstPage(_ positions: Range<Int>) throws(Failure) -> SnippetPage {
    try page(positions)
  }

  /// Knows of no change.
  public func changes(since version: Int64) throws(Failure) -> ListBatch? { nil }

  /// Looks for a snippet in all rows, which takes O(*n*).
  public func position(of id: SnippetID) throws(Failure) -> Int? {
    try page(0..<count).rows.firstIndex { $0.id == id }
  }

  /// Observes nothing: the handler is never called.
  public func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    ChangeObservation {}
  }

  /// The row at a position.
  ///
  /// - Parameter position: A position from 0; one outside the list gives `nil`.
  /// - Returns: The row, or `nil`.
  /// - Throws: As ``page(_:)``.
  /// - Complexity: As ``page(_:)`` for one row.
  public func row(at position: Int) throws(Failure) -> SnippetRow? {
    guard position >= 0, position < Int.max else { return nil }
    return try rows(in: position..<position + 1).first
  }

  /// The rows at consecutive positions.
  ///
  /// - Parameter range: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order.
  /// - Throws: As ``page(_:)``.
  /// - Complexity: As ``page(_:)``.
  public func rows(in range: Range<Int>) throws(Failure) -> [SnippetRow] {
    try page(range).rows
  }
}
