public import Observation
public import SnippetStorage

/// A list as a model for declarative interfaces: its rows, and why it cannot be read.
///
/// ``rows`` is a collection of identified rows, so SwiftUI's `List` takes it as it is. Views
/// observe the model of each row too; it stays with its snippet wherever that moves. Each row
/// reports when it comes on screen and leaves it; the loader derives the visible range from that.
///
/// ```swift
/// struct SnippetsView: View {
///   let list: SnippetListModel
///
///   var body: some View {
///     List(list.rows) { RowView(row: $0) }
///   }
/// }
///
/// struct RowView: View {
///   let row: SnippetRowModel
///
///   var body: some View {
///     Text(row.row?.title ?? "")
///       .onAppear { row.appear() }
///       .onDisappear { row.disappear() }
///   }
/// }
/// ```
@MainActor
@Observable
public final class SnippetListModel {
  /// The rows of a list, in the state reported last.
  ///
  /// Indices are positions. Reading a row near the screen is O(1); a row elsewhere is read from the
  /// list with its neighbours. `List` asks for the identifiers of all rows at once, which takes
  /// about a second for a million.
  @MainActor
  public struct Rows: @MainActor RandomAccessCollection {
    private weak var list: SnippetListModel?

    /// The number of rows.
    public let count: Int

    init(_ list: SnippetListModel? = nil, count: Int = 0) {
      self.list = list
      self.count = count
    }

    /// The first position.
    public var startIndex: Int { 0 }

    /// The position after the last.
    public var endIndex: Int { count }

    /// The model of the row at a position.
    ///
    /// - Parameter position: A position in the list. Outside of it, and where the row cannot be
    ///   read, the model has no row.
    /// - Returns: The model; the same one as long as anything holds it.
    public subscript(position: Int) -> SnippetRowModel {
      list?.row(at: position) ?? SnippetRowModel(unreadableAt: position)
    }
  }

  /// The rows; a new collection whenever rows are removed, inserted or moved.
  ///
  /// While a long list is still being counted, these are its first ones: wait for
  /// ``SnippetLoader/settled()`` where the number must be the final one.
  public private(set) var rows = Rows()
  /// The reason why the last read of the list failed; `nil` once a read succeeds again.
  public private(set) var error: LoadError?
  /// The loader that brings rows and blobs.
  ///
  /// The model sets its handlers.
  @ObservationIgnored public let loader: SnippetLoader

  @ObservationIgnored private var models: [SnippetID: WeakRow] = [:]
  @ObservationIgnored private var nextSweep = 256
  @ObservationIgnored private var visible: [SnippetID: SnippetRowModel] = [:]
  /// The visible range that the loader was given last; `nil` while nothing is visible.
  @ObservationIgnored private var shown: Range<Int>?

  private struct WeakRow {
    weak var row: SnippetRowModel?
  }

  /// Makes the model of a list.
  ///
  /// - Parameter loader: Brings rows and blobs.
  public init(_ loader: SnippetLoader) {
    self.loader = loader
    loader.listChangeHandler = { [weak self] in self?.listDidChange($0) }
    loader.listErrorHandler = { [weak self] in self?.error = $0 }
    rows = Rows(self, count: loader.count)
    error = loader.listError
  }

  /// Makes the model of a list of a store whose rows need the originals of their blobs.
  ///
  /// The first rows are there at once, and ``rows`` has the others when the list has been counted.
  /// A short text has no blob, so it has no original.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store that the list is of.
  public convenience init(_ list: any RowList, in store: SnippetStore) {
    var configuration = SnippetLoader.Configuration()
    configuration.countsFirst = false
    self.init(SnippetLoader(list: list, store: store, configuration: configuration))
  }

  /// Shows another list of the same store, for another filter, order or search.
  ///
  /// - Parameter list: The list.
  public func show(_ list: any RowList) {
    for row in visible.values { loader.unbind(row) }
    visible = [:]
    shown = nil
    loader.show(list)
    rows = Rows(self, count: loader.count)
    error = loader.listError
  }

  // MARK: - Rows

  private func row(at position: Int) -> SnippetRowModel? {
    guard case .success(let stored) = loader.row(at: position) else { return nil }
    // SwiftUI reads rows at each update, also while an edit is on its way to the store.
    let row = loader.editor?.shown(stored) ?? stored
    if let model = models[row.id]?.row {
      model.take(row, at: position)
      return model
    }
    if models.count >= nextSweep {
      models = models.filter { $0.value.row != nil }
      nextSweep = max(256, 2 * models.count)
    }
    let model = SnippetRowModel(row, at: position, of: self)
    models[row.id] = WeakRow(row: model)
    return model
  }

  func appear(_ row: SnippetRowModel) {
    visible[row.id] = row
    followVisibleRows()
    guard let known = row.row else { return }
    // Another snippet may be at its position by now.
    let newest = loader.rowInMemory(at: row.position).flatMap { $0.id == row.id ? $0 : nil }
    _ = loader.bind(row, to: newest ?? known, at: row.position)
  }

  func disappear(_ row: SnippetRowModel) {
    guard visible.removeValue(forKey: row.id) != nil else { return }
    loader.unbind(row)
    followVisibleRows()
  }

  func retry(_ row: SnippetRowModel) {
    loader.retry(row)
  }

  private func followVisibleRows() {
    let positions = visible.values.map(\.position)
    guard let first = positions.min(), let last = positions.max() else {
      // The rows nearby stay in memory, in case the list comes back.
      if let shown = shown.take() { loader.show(visible: shown.lowerBound..<shown.lowerBound) }
      return
    }
    let range = first..<last + 1
    shown = range
    loader.show(visible: range)
  }

  private func listDidChange(_ change: ListChange) {
    if let batch = change.batch {
      let gone = Set(batch.removed.map(\.id))
      for (id, row) in visible {
        if !gone.contains(id), let position = batch.position(of: row.position) {
          row.position = position
        } else {
          visible[id] = nil
          loader.unbind(row)
        }
      }
    }
    rows = Rows(self, count: loader.count)
    followVisibleRows()
  }
}
