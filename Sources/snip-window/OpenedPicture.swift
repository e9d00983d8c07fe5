#if GTK
import CGTK
import SnippetGTK
import SnippetLoading
import SnippetMedia

/// The picture of an opened snippet, fitted into the window or zoomed.
@MainActor
final class OpenedPicture {
  /// The most pixels on each side.
  static let pixelSize = 4_096
  /// A place on the page, in pixels of the application.
  typealias Place = (x: Double, y: Double)

  private let builder: Builder
  private let face: FaceView
  /// The size on screen in parts of that of the picture; `nil` if it is fitted into the window.
  private var zoom: Double?
  /// The place of the pointer, while it is over the page.
  private var pointer: Place?
  /// Where the page was scrolled to when it was grabbed.
  private var grabbed: Place = (0, 0)
  /// The size on screen when two fingers began to stretch it.
  private var pinched = 1.0

  init(_ builder: Builder, _ face: FaceView) {
    (self.builder, self.face) = (builder, face)
    fixSize(of: builder.widget("opened-picture-frame"))
    followPointer()
    let wheel: OpaquePointer = gtk_event_controller_scroll_new(
      GTK_EVENT_CONTROLLER_SCROLL_VERTICAL
    )
    // Before the page scrolls.
    gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE)
    onSignal("scroll", of: wheel) { [unowned self] signal in
      let keys = gtk_event_controller_get_current_event_state(wheel)
      guard keys.rawValue & GDK_CONTROL_MASK.rawValue != 0 else { return signal.answer(false) }
      zoom(by: signal.double(2) < 0 ? 1.25 : 0.8, about: pointer)
      signal.answer(true)
    }
    gtk_widget_add_controller(page, wheel)
    let pinch: OpaquePointer = gtk_gesture_zoom_new()
    onSignal("begin", of: pinch) { [unowned self] _ in pinched = scale ?? 1 }
    onSignal("scale-changed", of: pinch) { [unowned self] signal in
      var (x, y) = (0.0, 0.0)
      let isPlaced = gtk_gesture_get_bounding_box_center(pinch, &x, &y) != 0
      zoom(to: pinched * signal.double(1), about: isPlaced ? (x, y) : nil)
    }
    gtk_widget_add_controller(page, pinch)
    let drag: OpaquePointer = gtk_gesture_drag_new()
    onSignal("drag-begin", of: drag) { [unowned self] _ in
      grabbed = (gtk_adjustment_get_value(horizontal), gtk_adjustment_get_value(vertical))
    }
    onSignal("drag-update", of: drag) { [unowned self] signal in
      gtk_adjustment_set_value(horizontal, grabbed.x - signal.double(1))
      gtk_adjustment_set_value(vertical, grabbed.y - signal.double(2))
    }
    gtk_widget_add_controller(page, drag)
  }

  private func followPointer() {
    let motion: OpaquePointer = gtk_event_controller_motion_new()
    for signal in ["enter", "motion"] {
      onSignal(signal, of: motion) { [unowned self] in pointer = ($0.double(1), $0.double(2)) }
    }
    onSignal("leave", of: motion) { [unowned self] _ in pointer = nil }
    gtk_widget_add_controller(page, motion)
  }

  func show(_ content: LoadState<Thumbnail>) {
    face.show(content)
    applyZoom()
  }

  /// Fits the picture into the window.
  func fit() {
    zoom = nil
    applyZoom()
  }

  /// Enlarges or shrinks the picture from its size on screen, about the pointer or else the middle.
  func zoom(by factor: Double) { zoom(by: factor, about: pointer) }

  private func zoom(by factor: Double, about place: Place?) {
    if let scale { zoom(to: scale * factor, about: place) }
  }

  private func zoom(to target: Double, about place: Place?) {
    guard let scale else { return }
    // It may be smaller than that already, fitted into a small window.
    let target = min(max(target, min(0.1, scale)), max(8, scale))
    let size = pictureSize
    let pageSize = (
      x: gtk_adjustment_get_page_size(horizontal), y: gtk_adjustment_get_page_size(vertical)
    )
    let place = place ?? (pageSize.x / 2, pageSize.y / 2)
    zoom = target
    applyZoom()
    keep(place.x, size.x * scale, size.x * target, pageSize.x, in: horizontal)
    keep(place.y, size.y * scale, size.y * target, pageSize.y, in: vertical)
  }

  /// Scrolls so that what was at a place stays there.
  private func keep(
    _ place: Double,
    _ former: Double,
    _ length: Double,
    _ pageLength: Double,
    in adjustment: UnsafeMutablePointer<GtkAdjustment>
  ) {
    // A picture that is smaller than the page is in its middle.
    let start = max(0, (pageLength - former) / 2) - gtk_adjustment_get_value(adjustment)
    let part = min(max(0, (place - start) / max(former, 1)), 1)
    gtk_adjustment_set_upper(adjustment, max(length, pageLength))
    gtk_adjustment_set_value(adjustment, max(0, part * length - place))
  }

  private func applyZoom() {
    let size = pictureSize
    let frame = builder.widget("opened-picture-frame")
    let isFitted = zoom == nil || size.x == 0
    let alignment = isFitted ? GTK_ALIGN_FILL : GTK_ALIGN_CENTER
    gtk_widget_set_halign(frame, alignment)
    gtk_widget_set_valign(frame, alignment)
    gtk_picture_set_content_fit(
      builder.object("opened-picture"),
      isFitted ? GTK_CONTENT_FIT_SCALE_DOWN : GTK_CONTENT_FIT_FILL
    )
    guard let zoom, !isFitted else { return gtk_widget_set_size_request(frame, -1, -1) }
    gtk_widget_set_size_request(frame, Int32(size.x * zoom), Int32(size.y * zoom))
  }

  /// The size of the picture on screen, in parts of its own; `nil` if there is none.
  private var scale: Double? {
    let size = pictureSize
    guard size.x > 0, size.y > 0 else { return nil }
    let fitted = min(
      gtk_adjustment_get_page_size(horizontal) / size.x,
      gtk_adjustment_get_page_size(vertical) / size.y
    )
    return zoom ?? min(1, fitted)
  }

  private var pictureSize: Place {
    guard let shown = gtk_picture_get_paintable(builder.object("opened-picture")) else {
      return (0, 0)
    }
    return (
      Double(gdk_paintable_get_intrinsic_width(shown)),
      Double(gdk_paintable_get_intrinsic_height(shown))
    )
  }

  private var page: Widget { builder.widget("opened-picture-page") }

  private var horizontal: UnsafeMutablePointer<GtkAdjustment> {
    gtk_scrolled_window_get_hadjustment(builder.object("opened-picture-page"))
  }

  private var vertical: UnsafeMutablePointer<GtkAdjustment> {
    gtk_scrolled_window_get_vadjustment(builder.object("opened-picture-page"))
  }
}
#endif
