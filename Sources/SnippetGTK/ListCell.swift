#if GTK
internal import CGTK
internal import CSnippetGTK
internal import SnippetLoading

/// A `GtkListItem`, which GTK recycles, with the view in it.
///
/// The view is in a box, which holds its place before it is made.
@MainActor
final class ListCell {
  private let item: OpaquePointer
  private let holder: UnsafeMutablePointer<GtkWidget>
  private(set) var view: (any SnippetWidget)?
  private var height: Int32 = -1
  /// Whether the cell has a row.
  var isBound = false
  /// Whether the view shows the row and is kept up to date.
  var isPresented = false

  init(_ item: OpaquePointer) {
    self.item = item
    holder = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    gtk_list_item_set_child(item, holder)
  }

  /// Lets the user drag the row.
  ///
  /// - Parameter makeDrag: Makes the drag; `nil` for nothing.
  func onDrag(_ makeDrag: @escaping @MainActor () -> FileDrag?) {
    let source: OpaquePointer = gtk_drag_source_new()
    onSignal("prepare", of: source) { [holder] signal in
      guard let provider = makeDrag()?.makeProvider() else { return }
      let picture: OpaquePointer = gtk_widget_paintable_new(holder)
      gtk_drag_source_set_icon(source, picture, 0, 0)
      g_object_unref(UnsafeMutableRawPointer(picture))
      signal.answer(giving: provider)
    }
    gtk_widget_add_controller(holder, source)
  }

  /// The position of its row.
  var position: Int { Int(gtk_list_item_get_position(item)) }

  /// Sets the height of any view, and reserves that much for one that is not made yet.
  func reserve(_ height: Int?) {
    self.height = Int32(height ?? -1)
    gtk_widget_set_size_request(holder, -1, self.height)
  }

  func put(_ view: any SnippetWidget) {
    self.view = view
    var width: Int32 = -1
    gtk_widget_get_size_request(view.widget, &width, nil)
    gtk_widget_set_size_request(view.widget, width, height)
    gtk_box_append(UnsafeMutablePointer(OpaquePointer(holder)), view.widget)
  }

  func take() -> (any SnippetWidget)? {
    defer { view = nil }
    // After a teardown GTK may already have dismantled the holder.
    if let view, gtk_widget_get_parent(view.widget) == holder {
      gtk_box_remove(UnsafeMutablePointer(OpaquePointer(holder)), view.widget)
    }
    return view
  }

  /// The place of the row in the list's widget; `nil` while it is hidden.
  func bounds(in list: UnsafeMutablePointer<GtkWidget>) -> graphene_rect_t? {
    // GTK hides the rows beyond the screen, and leaves them where they were.
    guard let row = gtk_widget_get_parent(holder), gtk_widget_get_child_visible(row) != 0 else {
      return nil
    }
    var bounds = graphene_rect_t()
    return gtk_widget_compute_bounds(holder, list, &bounds) != 0 ? bounds : nil
  }

  /// Whether any part of it is within a stretch from the top of the list's widget.
  func isVisible(in area: Range<Float>, of list: UnsafeMutablePointer<GtkWidget>) -> Bool {
    guard let bounds = bounds(in: list) else { return false }
    return bounds.origin.y < area.upperBound
      && bounds.origin.y + bounds.size.height > area.lowerBound
  }

  /// Gives the row the focus of the keyboard.
  func focus() {
    if let row = gtk_widget_get_parent(holder) { gtk_widget_grab_focus(row) }
  }
}
#endif
