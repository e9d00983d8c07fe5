#if GTK
internal import CGTK
internal import CSnippetGTK
internal import SnippetLoading

/// A `GtkListItem`, which GTK recycles, with the view in it.
///
/// The view is in a revealer, which holds its place before it is made and slides it in.
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
    holder = gtk_revealer_new()
    gtk_revealer_set_reveal_child(OpaquePointer(holder), 1)
    gtk_revealer_set_transition_duration(OpaquePointer(holder), 0)
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
    // A view that slides in ends at the same height as any other.
    gtk_widget_set_size_request(view.widget, -1, height)
    gtk_revealer_set_child(OpaquePointer(holder), view.widget)
  }

  func take() -> (any SnippetWidget)? {
    defer { view = nil }
    // After a teardown GTK may already have dismantled the holder.
    if let view, gtk_widget_get_parent(view.widget) == holder {
      gtk_revealer_set_child(OpaquePointer(holder), nil)
    }
    return view
  }

  /// Whether any part of it is within a stretch from the top of the list's widget.
  func isVisible(
    in area: Range<Float>,
    of list: UnsafeMutablePointer<GtkWidget>
  ) -> Bool {
    // GTK hides the rows beyond the screen, and leaves them where they were.
    guard let row = gtk_widget_get_parent(holder), gtk_widget_get_child_visible(row) != 0 else {
      return false
    }
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_bounds(holder, list, &bounds) != 0 else { return false }
    return bounds.origin.y < area.upperBound
      && bounds.origin.y + bounds.size.height > area.lowerBound
  }

  /// Lets the row slide up over the place of removed rows.
  ///
  /// - Parameter height: The height of those rows, in pixels.
  func closeGap(_ height: Int32) {
    let gap = Gap(height)
    gtk_widget_set_margin_top(holder, height)
    _ = gtk_widget_add_tick_callback(
      holder,
      { widget, clock, gap in
        // GTK calls on the main thread.
        nonisolated(unsafe) let (widget, clock, gap) = (widget, clock, gap)
        return MainActor.assumeIsolated {
          guard let widget, let gap else { return 0 }
          let time = Int64(gdk_frame_clock_get_frame_time(clock))
          return Unmanaged<Gap>.fromOpaque(gap).takeUnretainedValue().close(above: widget, time)
        }
      },
      Unmanaged.passRetained(gap).toOpaque(),
      { gap in gap.map { Unmanaged<Gap>.fromOpaque($0).release() } }
    )
  }

  /// A margin that shrinks with each frame.
  @MainActor
  private final class Gap {
    private let height: Int32
    private var start: Int64?

    init(_ height: Int32) { self.height = height }

    /// Shrinks the margin.
    ///
    /// - Returns: Whether to continue.
    func close(above widget: UnsafeMutablePointer<GtkWidget>, _ time: Int64) -> gboolean {
      let start = start ?? time
      self.start = start
      let part = min(1, Double(time - start) / Double(1_000 * ListCell.slideMilliseconds))
      gtk_widget_set_margin_top(widget, Int32(Double(height) * (1 - part) * (1 - part)))
      return part < 1 ? 1 : 0
    }
  }

  /// The time in which a row slides in.
  static let slideMilliseconds = 200

  /// Lets the view grow from nothing to its height.
  func slideIn() {
    let revealer = OpaquePointer(holder)
    // GTK shows no row without a height.
    gtk_widget_set_size_request(holder, -1, 1)
    gtk_revealer_set_transition_duration(revealer, 0)
    gtk_revealer_set_reveal_child(revealer, 0)
    gtk_revealer_set_transition_duration(revealer, guint(Self.slideMilliseconds))
    // The row is not on screen before the next frame, and cannot slide until then.
    _ = gtk_widget_add_tick_callback(
      holder,
      { revealer, _, _ in
        gtk_revealer_set_reveal_child(revealer.map { OpaquePointer($0) }, 1)
        return 0
      },
      nil,
      nil
    )
  }
}
#endif
