#if GTK
internal import CGTK

/// Calls a closure each time that a drawing area draws itself, such as for a waveform.
///
/// ```swift
/// onDrawing(of: OpaquePointer(area)) { cairo, width, height in
///   cairo_move_to(cairo, 0, height / 2)
///   cairo_line_to(cairo, width, height / 2)
///   cairo_stroke(cairo)
/// }
/// ```
///
/// - Parameters:
///   - area: A `GtkDrawingArea`.
///   - draw: Gets the context of Cairo, with the width and the height in pixels of the application.
///     Everything it holds is released with the area, or with the next closure for it.
@MainActor
public func onDrawing(
  of area: OpaquePointer,
  _ draw: @escaping @MainActor (_ cairo: OpaquePointer, _ width: Double, _ height: Double) -> Void
) {
  gtk_drawing_area_set_draw_func(
    UnsafeMutablePointer(area),
    { _, cairo, width, height, context in
      nonisolated(unsafe) let drawing = (cairo, context)
      MainActor.assumeIsolated {
        guard let cairo = drawing.0, let context = drawing.1 else { return }
        let draw: @MainActor (OpaquePointer, Double, Double) -> Void =
          CallbackContext.value(of: context)
        draw(cairo, Double(width), Double(height))
      }
    },
    CallbackContext.make(draw),
    CallbackContext.release
  )
}
#endif
