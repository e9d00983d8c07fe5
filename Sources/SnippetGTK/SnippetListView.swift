#if GTK
public import CGTK
internal import CSnippetGTK
public import Foundation
public import SnippetLoading
public import SnippetStorage

/// A `GtkListView` or `GtkGridView` that shows a list in recycled widgets.
///
/// It makes the views for the presenters, presents the rows on screen and one more screen on each
/// side, and reports the visible range to the loader. GTK binds many more rows than that; they keep
/// their former content until they come near.
///
/// Put ``widget`` into a `GtkScrolledWindow`. It lives as long as its owner holds it.
@MainActor
public final class SnippetListView {
  /// The arrangement of the rows.
  public enum Layout: Sendable, Hashable {
    /// One below the other, in a `GtkListView`.
    case list
    /// In as many columns as the width has room for, in a `GtkGridView`.
    case grid
  }

  /// The list.
  public let model: SnippetGListModel
  /// The source of the rows' content; the model sets its change handler.
  public let dataSource: SnippetDataSource
  /// The `GtkListView` or `GtkGridView`.
  public let widget: UnsafeMutablePointer<GtkWidget>
  /// Called when a row is activated, by a double click or the Enter key, with its position.
  ///
  /// The row is the one on screen.
  public var activationHandler: (@MainActor (_ row: SnippetRow, _ position: Int) -> Void)?
  /// Makes the files of rows that are dragged out of the list, when they are dropped.
  ///
  /// It gets the selected rows if the dragged one is among them, otherwise only that one. If it
  /// throws, the drop fails; report the error in the window. By default nothing can be dragged.
  public var dragHandler: (@MainActor ([SnippetRow]) async throws -> [URL])?
  /// The positions on screen, as far as GTK has laid them out.
  public private(set) var visible = 0..<0
  /// The number of views made; the others were reused.
  public private(set) var createdCount = 0

  private var cells: [OpaquePointer: ListCell] = [:]
  private var pool: [ObjectIdentifier: [any SnippetWidget]] = [:]
  /// The height of rows whose views have not been made; `nil` if it follows from their content.
  private var rowHeight: Int?
  private var isMapped = false
  private var hasChanged = true
  /// The row that gets the focus once GTK has laid it out.
  private var focused: Int?

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - model: The list.
  ///   - dataSource: The source of the rows' content. Register the presenters first; their views
  ///     are ``SnippetWidget``s.
  ///   - layout: The arrangement of the rows. The default is one below the other.
  public init(
    _ model: SnippetGListModel,
    showing dataSource: SnippetDataSource,
    layout: Layout = .list
  ) {
    self.model = model
    self.dataSource = dataSource
    let factory: OpaquePointer = gtk_signal_list_item_factory_new()
    // Both views take ownership of their arguments.
    g_object_ref(UnsafeMutableRawPointer(model.pointer))
    widget =
      layout == .list
      ? gtk_list_view_new(model.pointer, factory) : gtk_grid_view_new(model.pointer, factory)
    g_object_ref_sink(widget)
    let heights = dataSource.registeredKinds.map { dataSource.designedHeight(for: $0) }
    rowHeight = heights.contains(nil) ? nil : heights.compactMap(\.self).max().map { Int($0) }
    onSignal("setup", of: factory) { [weak self] in self?.setUp($0.object(1)) }
    onSignal("bind", of: factory) { [weak self] in self?.bind($0.object(1)) }
    onSignal("unbind", of: factory) { [weak self] in self?.unbind($0.object(1)) }
    onSignal("teardown", of: factory) { [weak self] in self?.tearDown($0.object(1)) }
    onSignal("activate", of: widget) { [weak self] in self?.activate($0.number(1)) }
    onSignal("map", of: widget) { [weak self] _ in self?.didMap() }
    onSignal("unmap", of: widget) { [weak self] _ in self?.didUnmap() }
    onSignal("realize", of: widget, after: true) { [weak self] _ in self?.followLayout() }
    countBeforeEnd()
    model.add(self)
  }

  /// Makes a view with a model of its own, which no other view shows.
  ///
  /// - Parameters:
  ///   - dataSource: The list, and the content of its rows. Register the presenters first; their
  ///     views are ``SnippetWidget``s.
  ///   - layout: The arrangement of the rows. The default is one below the other.
  public convenience init(_ dataSource: SnippetDataSource, layout: Layout = .list) {
    self.init(SnippetGListModel(dataSource.loader), showing: dataSource, layout: layout)
  }

  /// Has the End key count a list that shows its first rows uncounted.
  private func countBeforeEnd() {
    let keys: OpaquePointer = gtk_event_controller_key_new()
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    onSignal("key-pressed", of: keys) { [weak self] signal in
      let isEnd = [GDK_KEY_End, GDK_KEY_KP_End].contains(Int32(signal.number(1)))
      guard let self, isEnd, !model.isCounted else { return signal.answer(false) }
      model.countAll()
      // The key was for a row that GTK has replaced by now.
      model.select(model.count - 1)
      focus(model.count - 1)
      signal.answer(true)
    }
    gtk_widget_add_controller(widget, keys)
  }

  private func activate(_ position: Int) {
    // What can be activated is on screen, and its row in memory.
    guard let row = dataSource.loader.rowInMemory(at: position) else { return }
    activationHandler?(row, position)
  }

  isolated deinit {
    for cell in cells.values { end(cell) }
    g_object_unref(widget)
  }

  /// Scrolls as far as necessary to show a row.
  ///
  /// - Parameter position: A position in the list.
  public func scroll(to position: Int) {
    guard (0..<model.count).contains(position) else { return }
    gtk_widget_activate_action_variant(
      widget,
      "list.scroll-to-item",
      g_variant_new_uint32(guint(position))
    )
  }

  /// Scrolls to a row and gives it the focus of the keyboard, from which the arrow keys start.
  ///
  /// - Parameter position: A position in the list.
  public func focus(_ position: Int) {
    let cell = cells.values.first { $0.isBound && $0.position == position }
    // GTK has no widget yet for a row that is far from the screen.
    focused = cell == nil && focused != position ? position : nil
    if let cell { cell.focus() } else { scroll(to: position) }
  }

  /// The row at a place on screen.
  ///
  /// - Parameters:
  ///   - x: The distance from the left edge of ``widget``, in pixels of the application.
  ///   - y: The distance from its top.
  /// - Returns: Its position; `nil` where there is none.
  /// - Complexity: O(*k*) for *k* rows that GTK holds.
  public func position(atX x: Double, y: Double) -> Int? {
    var point = graphene_point_t(x: Float(x), y: Float(y))
    return cells.values.first { cell in
      guard cell.isBound, var bounds = cell.bounds(in: widget) else { return false }
      return graphene_rect_contains_point(&bounds, &point)
    }?.position
  }

  /// The place of a row in ``widget``, in pixels of the application.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The horizontal and vertical middle; `nil` for a row that is not on screen.
  public func middle(of position: Int) -> (x: Double, y: Double)? {
    guard visible.contains(position) else { return nil }
    let bounds = cells.values.first { $0.isBound && $0.position == position }?.bounds(in: widget)
    return bounds.map { bounds in
      let (origin, size) = (bounds.origin, bounds.size)
      return (Double(origin.x + size.width / 2), Double(origin.y + size.height / 2))
    }
  }

  /// The greatest number of rows that GTK has bound at a time.
  public private(set) var greatestBoundCount = 0

  // MARK: - Callbacks of GTK

  private func setUp(_ item: OpaquePointer?) {
    guard let item else { return }
    let cell = ListCell(item)
    cell.reserve(rowHeight)
    cell.onDrag { [weak self, unowned cell] in self?.drag(from: cell) }
    cells[item] = cell
  }

  private func drag(from cell: ListCell) -> FileDrag? {
    guard let dragHandler, let view = cell.view, let row = dataSource.row(in: view) else {
      return nil
    }
    // From now on: the selection may be another when the files are dropped.
    let selecting = model.readSelectedRows()
    return FileDrag {
      let selected = await selecting.value
      return try await dragHandler(selected.contains { $0.id == row.id } ? selected : [row])
    }
  }

  private func bind(_ item: OpaquePointer?) {
    guard let item, let cell = cells[item] else { return }
    cell.isBound = true
    hasChanged = true
    // Its height is not known otherwise.
    if rowHeight == nil, !model.isChanging { present(cell) }
  }

  private func unbind(_ item: OpaquePointer?) {
    guard let item, let cell = cells[item] else { return }
    end(cell)
    cell.isBound = false
    hasChanged = true
  }

  private func tearDown(_ item: OpaquePointer?) {
    guard let item, let cell = cells.removeValue(forKey: item) else { return }
    end(cell)
    if let view = cell.take() { recycle(view) }
  }

  // MARK: - Views

  private func present(_ cell: ListCell) {
    let position = cell.position
    guard let type = dataSource.viewType(at: position) as? any SnippetWidget.Type else {
      end(cell)
      return
    }
    if cell.view.map({ Swift.type(of: $0) != type }) ?? true {
      end(cell)
      if let view = cell.take() { recycle(view) }
      cell.put(view(of: type))
    }
    guard let view = cell.view else { return }
    cell.isPresented = true
    dataSource.present(position, in: view)
  }

  private func end(_ cell: ListCell) {
    guard cell.isPresented, let view = cell.view else { return }
    cell.isPresented = false
    dataSource.didEndDisplaying(view)
    view.didEndDisplaying()
  }

  private func view(of type: any SnippetWidget.Type) -> any SnippetWidget {
    if let view = pool[ObjectIdentifier(type)]?.popLast() { return view }
    createdCount += 1
    let view = type.init()
    g_object_ref_sink(view.widget)
    return view
  }

  private func recycle(_ view: any SnippetWidget) {
    pool[ObjectIdentifier(Swift.type(of: view)), default: []].append(view)
  }

  // MARK: - Changes

  func listDidChange(_ change: ListChange, isOtherList: Bool) {
    if change.anchor == nil, isMapped {
      // New rows at the start of the list must be visible.
      if isOtherList || visible.lowerBound == 0 {
        scroll(to: 0)
      } else if change.batch == nil {
        // GTK would begin at the start, with none of its rows left.
        scroll(to: min(visible.lowerBound, model.count - 1))
      }
    }
    for cell in cells.values where cell.isPresented { present(cell) }
    hasChanged = true
    gtk_widget_queue_allocate(widget)
  }

  // MARK: - Screen

  /// Reads the visible range each time that GTK has laid the list out, before it draws.
  private func followLayout() {
    guard let clock = gtk_widget_get_frame_clock(widget) else { return }
    onSignal("layout", of: clock, after: true) { [weak self] _ in self?.didLayOut() }
    onSignal("after-paint", of: clock) { [weak self] _ in
      if self?.isMapped == true { OwnTime.current?.endFrame() }
    }
  }

  private func didMap() {
    isMapped = true
    hasChanged = true
    gtk_widget_queue_allocate(widget)
  }

  private func didUnmap() {
    isMapped = false
    for cell in cells.values { end(cell) }
  }

  private func didLayOut() {
    guard isMapped else { return }
    let bound = cells.values.filter(\.isBound)
    greatestBoundCount = max(greatestBoundCount, bound.count)
    let area = 0..<Float(gtk_widget_get_height(widget))
    let seen = bound.filter { $0.isVisible(in: area, of: widget) }.map(\.position)
    guard let first = seen.min(), let last = seen.max() else { return }
    let now = first..<last + 1
    guard now != visible || hasChanged else { return }
    (visible, hasChanged) = (now, false)
    dataSource.expect(viewCount: bound.count)
    dataSource.show(visible: now)
    let near = now.lowerBound - now.count..<now.upperBound + now.count
    for cell in bound {
      if near.contains(cell.position) || rowHeight == nil { present(cell) } else { end(cell) }
    }
    if let focused { focus(focused) }
  }
}
#endif
