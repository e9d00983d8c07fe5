public import Observation
public import SnippetStorage

/// A row of a ``SnippetListModel``, with the states of its loads.
///
/// The row is there as soon as it has been read, and its contents after ``appear()``. A view that
/// reads one of them is updated when it changes.
@MainActor
@Observable
public final class SnippetRowModel: SnippetCell, Identifiable {
  /// The snippet; a negative number where the row cannot be read.
  public nonisolated let id: SnippetID
  /// The newest revision of the row; `nil` where it cannot be read.
  public private(set) var row: SnippetRow?

  private var states: [Recipe: LoadState<LoadedBlob>] = [:]
  @ObservationIgnored var position: Int
  @ObservationIgnored private weak var list: SnippetListModel?

  init(_ row: SnippetRow, at position: Int, of list: SnippetListModel) {
    id = row.id
    self.row = row
    self.position = position
    self.list = list
  }

  init(unreadableAt position: Int) {
    id = SnippetID(rawValue: -1 - Int64(position))
    self.position = position
  }

  /// The state of a content of the row, with the content itself once it is loaded.
  ///
  /// - Parameter recipe: The recipe of the content, which also sets its type.
  /// - Returns: The state: ``LoadState/idle`` before ``appear()``, and where the rules do not
  ///   want this recipe for the row.
  public func content<Content: Sendable>(_ recipe: TypedRecipe<Content>) -> LoadState<Content> {
    LoadState(states[recipe.recipe] ?? .idle, of: recipe)
  }

  /// Call this when the row comes on screen: its contents are loaded.
  public func appear() {
    list?.appear(self)
  }

  /// Call this when the row has left the screen: its loads are cancelled and its contents released.
  public func disappear() {
    list?.disappear(self)
    prepareForReuse()
  }

  /// Retries failed loads at once.
  public func retry() {
    list?.retry(self)
  }

  /// Takes the row as the list knows it, which may be newer.
  func take(_ row: SnippetRow, at position: Int) {
    self.position = position
    if self.row != row { self.row = row }
  }

  // MARK: - What the loader tells

  /// Takes the newest revision of the row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - fields: The fields that differ.
  public func show(_ row: SnippetRow, changing fields: SnippetFields) {
    if self.row != row { self.row = row }
  }

  /// Takes the state of a load.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - recipe: The recipe of the load.
  public func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    states[recipe] = state
  }

  /// Releases the contents.
  ///
  /// The row stays, because the model never serves another snippet.
  public func prepareForReuse() {
    states = [:]
  }
}
