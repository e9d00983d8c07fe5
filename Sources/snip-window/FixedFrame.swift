#if GTK
import CGTK

/// Gives a widget exactly the size that is requested for it, whatever its children need.
///
/// The children fill it, and are cut where they are larger.
@MainActor
func fixSize(of widget: Widget) {
  let layout = gtk_custom_layout_new(
    nil,
    { _, _, _, minimum, natural, minimumBaseline, naturalBaseline in
      // The request counts besides.
      minimum?.pointee = 0
      natural?.pointee = 0
      minimumBaseline?.pointee = -1
      naturalBaseline?.pointee = -1
    },
    { widget, width, height, _ in
      var next = gtk_widget_get_first_child(widget)
      while let child = next {
        next = gtk_widget_get_next_sibling(child)
        guard gtk_widget_should_layout(child) != 0 else { continue }
        var (leastWidth, leastHeight): (Int32, Int32) = (0, 0)
        gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &leastWidth, nil, nil, nil)
        let given = max(width, leastWidth)
        gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, given, &leastHeight, nil, nil, nil)
        gtk_widget_allocate(child, given, max(height, leastHeight), -1, nil)
      }
    }
  )
  gtk_widget_set_layout_manager(widget, layout)
  gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
}
#endif
