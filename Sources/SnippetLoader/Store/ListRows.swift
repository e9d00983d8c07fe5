internal import Foundation
public import SnippetStore

/// The rows of a store's list, for a loader.
@MainActor
public final class ListRows: RowSource {
  /// The list.
  public let list: SnippetList

  private var lastCount = 0

  /// Wraps a list.
  ///
  /// - Parameter list: The list.
  public init(_ list: SnippetList) {
    self.list = list
  }

  /// The number of rows; if the store cannot be read, the number known last.
  ///
  /// Why it cannot be read is told by the read of rows that follows.
  public var count: Int {
    // The rows that are read next meet the same error and report it to the cells.
    if let count = try? list.count { lastCount = count }
    return lastCount
  }

  /// Reads the rows at consecutive positions.
  ///
  /// - Parameter positions: A range within `0..<count`.
  /// - Returns: The rows in the order of the list.
  /// - Throws: ``SnippetStoreError``
  public func rows(in positions: Range<Int>) throws -> [SnippetRow] {
    try list.rows(in: positions)
  }
}

extension SnippetLoader {
  /// Makes a loader for a list of a store.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - store: The store that the list is of.
  ///   - configuration: The limits.
  public convenience init(
    list: SnippetList,
    store: SnippetStore,
    configuration: Configuration = Configuration()
  ) {
    self.init(rows: ListRows(list), source: store, configuration: configuration)
  }
}
