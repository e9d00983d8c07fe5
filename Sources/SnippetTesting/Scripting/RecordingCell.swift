public import Foundation
public import SnippetLoading
public import SnippetStorage

/// A cell that remembers every call.
@MainActor
public final class RecordingCell: SnippetCell {
  /// The row on show; `nil` before the first and after a reset.
  public private(set) var row: SnippetRow?
  /// The states that were shown.
  public private(set) var states: [LoadState<LoadedBlob>] = []
  /// The recipes of those states.
  public private(set) var recipes: [Recipe] = []
  /// The fields that each shown row changed.
  public private(set) var changes: [SnippetFields] = []
  /// The number of times that the cell was prepared for reuse.
  public private(set) var resetCount = 0
  /// Called when a row is shown, from within.
  public var onRow: ((SnippetRow) -> Void)?
  /// Called when a state is shown, from within.
  public var onState: ((LoadState<LoadedBlob>) -> Void)?

  /// Makes a cell that shows nothing.
  public init() {}

  /// The number of rows shown.
  public var rowCount: Int { changes.count }

  /// The state on show; `nil` before the first.
  public var state: LoadState<LoadedBlob>? { states.last }

  /// The bytes on show.
  public var bytes: Data? {
    if case .loaded(let blob) = state { blob.bytes } else { nil }
  }

  /// The error on show.
  public var error: LoadError? {
    if case .failed(let error) = state { error } else { nil }
  }

  /// The states of one recipe.
  ///
  /// - Parameter recipe: The recipe.
  /// - Returns: Its states, in their order.
  public func states(of recipe: Recipe) -> [LoadState<LoadedBlob>] {
    zip(states, recipes).filter { $1 == recipe }.map(\.0)
  }

  /// Remembers a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - fields: The fields that differ from the row before.
  public func show(_ row: SnippetRow, changing fields: SnippetFields) {
    self.row = row
    changes.append(fields)
    onRow?(row)
  }

  /// Remembers a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - recipe: The recipe of the load.
  public func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    states.append(state)
    recipes.append(recipe)
    onState?(state)
  }

  /// Forgets the row.
  public func prepareForReuse() {
    row = nil
    resetCount += 1
  }
}
