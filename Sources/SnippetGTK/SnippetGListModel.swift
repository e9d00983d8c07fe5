#if GTK
internal import CGTK
internal import CSnippetGTK
public import SnippetLoading
public import SnippetStorage

/// A list as a `GListModel` with a selection, for `GtkListView` and `GtkGridView`.
///
/// GTK asks it for items by position, and it has an object only for each item that GTK holds, so
/// its memory does not grow with the length of the list. It reports changes exactly, as
/// `items-changed`, and the selection follows its rows.
///
/// One model serves any number of views.
@MainActor
public final class SnippetGListModel {
  /// The loader that brings rows and blobs; the model sets its list change handler.
  public let loader: SnippetLoader
  /// The model for GTK: a `GListModel` that is a `GtkSelectionModel` too.
  public let pointer: OpaquePointer
  /// Called after a change of the list, once the views show it.
  public var changeHandler: (@MainActor (ListChange) -> Void)?
  /// Called when other rows are selected.
  public var selectionHandler: (@MainActor () -> Void)?

  /// The selected snippets, as far as they are followed to another list.
  private(set) var followed: [SnippetID] = []
  /// The number of rows that GTK knows.
  public var count: Int { told.count }
  /// Whether GTK is being notified of a change, so that positions match none of its states.
  private(set) var isChanging = false
  private var told = ToldRows(count: 0)
  private var views: [WeakView] = []

  private struct WeakView {
    weak var view: SnippetListView?
  }

  /// The rows as GTK knows them while it is notified of a change step by step.
  private struct ToldRows {
    var count: Int
    /// The present position of a row; `nil` for one that is about to be removed.
    var position: (Int) -> Int? = { $0 }
  }

  /// The number of rows on each side of the screen that keep their identity after a reload, and the
  /// greatest distance between two places of a change that become one step.
  ///
  /// GTK shows about 200 rows at most, and recognizes those that one step removes and inserts
  /// again.
  private static let screen = 256

  /// Makes the model of a list.
  ///
  /// - Parameter loader: Brings rows and blobs.
  public init(_ loader: SnippetLoader) {
    self.loader = loader
    var rows = SnippetListRows(
      count: { context in SnippetGListModel.asked(context) { guint($0.told.count) } },
      identifier: { context, position in
        SnippetGListModel.asked(context) { $0.identifier(at: Int(position)) }
      },
      selection_changed: { context in SnippetGListModel.asked(context) { $0.selectionDidChange() } }
    )
    pointer = snippet_list_new(&rows)
    snippet_list_attach(pointer, Unmanaged.passUnretained(self).toOpaque())
    loader.listChangeHandler = { [weak self] change in self?.listDidChange(change) }
    told.count = loader.count
  }

  isolated deinit {
    snippet_list_attach(pointer, nil)
    g_object_unref(UnsafeMutableRawPointer(pointer))
  }

  /// Answers GTK, which asks on the main thread, as long as the model lives.
  private nonisolated static func asked<Answer: Sendable>(
    _ context: UnsafeRawPointer,
    _ answer: @MainActor (SnippetGListModel) -> Answer
  ) -> Answer {
    nonisolated(unsafe) let context = context
    return MainActor.assumeIsolated {
      OwnTime.measure {
        answer(Unmanaged<SnippetGListModel>.fromOpaque(context).takeUnretainedValue())
      }
    }
  }

  private func identifier(at position: Int) -> Int64 {
    guard let position = told.position(position) else { return 0 }
    return loader.rowID(at: position)?.rawValue ?? 0
  }

  func add(_ view: SnippetListView) {
    views.removeAll { $0.view == nil }
    views.append(WeakView(view: view))
  }

  // MARK: - Another list

  /// Shows another list of the same store, for another filter, order or search.
  ///
  /// Selected snippets stay selected if the new list has them; the views begin at its start.
  ///
  /// - Parameter list: The list.
  public func show(_ list: any RowList) {
    loader.show(list)
    listDidChange(ListChange(), isOtherList: true)
  }

  /// Whether ``count`` is the length of the whole list.
  var isCounted: Bool { loader.isCounted }

  /// Counts the whole list at once.
  func countAll() { listDidChange(loader.reloadRows()) }

  // MARK: - Selection

  /// The positions that are selected, first to last.
  ///
  /// - Complexity: O(*k*) for *k* selected rows.
  public var selectedPositions: [Int] {
    let selection = snippet_list_selection(pointer)
    return (0..<gtk_bitset_get_size(selection)).map {
      Int(gtk_bitset_get_nth(selection, guint($0)))
    }
  }

  /// The rows that are selected, first to last, with the edits that are under way; without those
  /// that cannot be read.
  ///
  /// - Complexity: O(*k*) for *k* selected rows; those far from the screen are read one by one. For
  ///   very many use ``readSelectedRows()``.
  public var selectedRows: [SnippetRow] {
    selectedPositions.compactMap { position in
      guard case .success(let row) = loader.row(at: position) else { return nil }
      return loader.editor?.shown(row) ?? row
    }
  }

  /// Reads the rows that are selected, like ``selectedRows``, without holding up the main loop.
  ///
  /// - Returns: A task with the rows of the snippets that are selected now, with the edits that are
  ///   under way when it ends; without those that are gone or cannot be read.
  /// - Complexity: O(*k*) for *k* selected rows, about 10 µs each on a thread of its own.
  public func readSelectedRows() -> Task<[SnippetRow], Never> {
    let positions = selectedPositions
    if positions.count <= Self.screen {
      let rows = selectedRows
      return Task { rows }
    }
    let reading = loader.readRows(at: positions)
    return Task {
      guard let rows = await reading.value else { return selectedRows }
      return rows.map { loader.editor?.shown($0) ?? $0 }
    }
  }

  /// Selects one row, and no other.
  ///
  /// - Parameter position: A position in the list.
  public func select(_ position: Int) {
    guard (0..<told.count).contains(position) else { return }
    gtk_selection_model_select_item(pointer, guint(position), 1)
  }

  private func selectionDidChange() {
    follow()
    selectionHandler?()
  }

  /// Notes the selected snippets, to find them again after positions have lost their meaning.
  private func follow() {
    let selection = snippet_list_selection(pointer)
    guard gtk_bitset_get_size(selection) <= 64 else { return followed = [] }
    followed = selectedPositions.compactMap(loader.rowID)
  }

  // MARK: - Changes

  private func listDidChange(_ change: ListChange, isOtherList: Bool = false) {
    isChanging = true
    if let batch = change.batch { tell(batch) } else { tellReload(change.anchor) }
    told = ToldRows(count: loader.count)
    isChanging = false
    for view in views { view.view?.listDidChange(change, isOtherList: isOtherList) }
    changeHandler?(change)
  }

  /// Reports each row that was removed, inserted or moved; the views already show updated ones.
  private func tell(_ batch: ListBatch) {
    var batch = batch
    batch.updated = []
    let selection = snippet_list_selection(pointer)
    let moves = batch.moved.filter { gtk_bitset_contains(selection, guint($0.from)) != 0 }
    let former = gtk_bitset_get_size(selection)
    let newPosition = ListPositions(batch).new
    let gone = Set(batch.removed.map(\.position) + batch.moved.map(\.from))
    var shift = 0
    for step in steps(batch.splices) {
      for splice in step.splices {
        let removed = guint(splice.removedCount)
        gtk_bitset_splice(
          selection,
          guint(splice.position),
          removed,
          guint(splice.insertedCount)
        )
      }
      for move in moves where step.new.contains(move.to) {
        gtk_bitset_add(selection, guint(move.to))
      }
      shift += step.new.count - step.old.count
      let (end, beyond) = (step.new.upperBound, shift)
      told = ToldRows(count: batch.formerCount + shift) { position in
        guard position >= end else { return position }
        return gone.contains(position - beyond) ? nil : newPosition(position - beyond)
      }
      emit(step.new.lowerBound, removed: step.old.count, inserted: step.new.count)
    }
    if former != gtk_bitset_get_size(selection) { selectionDidChange() }
  }

  /// Reports another list: the rows around the screen in one step, in which GTK recognizes those
  /// that it knows, and keeps its place.
  private func tellReload(_ anchor: RowMove?) {
    let (former, count) = (told.count, loader.count)
    let selection = snippet_list_selection(pointer)
    gtk_bitset_remove_all(selection)
    let old = around(anchor?.from ?? 0, in: former)
    let new = around(anchor?.to ?? 0, in: count)
    told = ToldRows(count: old.upperBound) { _ in nil }
    emit(old.upperBound, removed: former - old.upperBound, inserted: 0)
    told.count = old.count
    emit(0, removed: old.lowerBound, inserted: 0)
    told = ToldRows(count: new.count) { $0 + new.lowerBound }
    emit(0, removed: old.count, inserted: new.count)
    told = ToldRows(count: new.upperBound)
    emit(0, removed: 0, inserted: new.lowerBound)
    told.count = count
    emit(new.upperBound, removed: 0, inserted: count - new.upperBound)
    selectAgain()
  }

  private func around(_ position: Int, in count: Int) -> Range<Int> {
    let start = min(max(0, position - Self.screen), count)
    return start..<min(max(start, position + Self.screen), count)
  }

  private func emit(_ position: Int, removed: Int, inserted: Int) {
    guard removed > 0 || inserted > 0 else { return }
    OwnTime.exclude {
      g_list_model_items_changed(pointer, guint(position), guint(removed), guint(inserted))
    }
  }

  private func selectAgain() {
    guard !followed.isEmpty else { return }
    let selection = snippet_list_selection(pointer)
    for id in followed {
      // A list that cannot be read has no rows to select.
      guard let position = try? loader.list.position(of: id), position < told.count else {
        continue
      }
      gtk_bitset_add(selection, guint(position))
    }
    if gtk_bitset_is_empty(selection) == 0 {
      gtk_selection_model_selection_changed(pointer, 0, guint(told.count))
    }
    selectionDidChange()
  }

  /// Splices that GTK is notified of in one step.
  private struct Step {
    /// The replaced range in the list at that time, and its replacement in the new list.
    var old: Range<Int>
    var new: Range<Int>
    var splices: [ListSplice]
  }

  /// Joins splices that are close together: a row that moves by less than a screen keeps its
  /// widget, and with it the focus.
  private func steps(_ splices: [ListSplice]) -> [Step] {
    var steps: [Step] = []
    for splice in splices {
      let old = splice.position..<splice.position + splice.removedCount
      let new = splice.position..<splice.position + splice.insertedCount
      if let last = steps.last, splice.position - last.new.upperBound <= Self.screen {
        let shift = last.new.count - last.old.count
        steps[steps.count - 1].old = last.old.lowerBound..<old.upperBound - shift
        steps[steps.count - 1].new = last.new.lowerBound..<new.upperBound
        steps[steps.count - 1].splices.append(splice)
      } else {
        steps.append(Step(old: old, new: new, splices: [splice]))
      }
    }
    return steps
  }
}
#endif
