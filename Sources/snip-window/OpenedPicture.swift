#if GTK
import CGTK
import SnippetLoading
import SnippetMedia

/// The picture of an opened snippet, fitted into the window or zoomed.
@MainActor
final class OpenedPicture {
  /// The most pixels on each side.
  static let pixelSize = 4_096
  private let builder: Builder
  private let face: FaceView
  /// How far it is enlarged; 0 if it is fitted into the window.
  private var zoom = 0.0

  init(_ builder: Builder, _ face: FaceView) {
    (self.builder, self.face) = (builder, face)
  }

  func show(_ content: LoadState<Thumbnail>) {
    face.show(content)
    applyZoom()
  }

  /// Fits the next picture into the window.
  func resetZoom() { zoom = 0 }

  /// Enlarges or shrinks the picture; 0 fits it into the window.
  func zoom(by factor: Double) {
    zoom = factor == 0 ? 0 : min(8, max(0.1, (zoom == 0 ? 1 : zoom) * factor))
    applyZoom()
  }

  private func applyZoom() {
    let picture = builder.object("opened-picture")
    guard zoom > 0, let paintable = gtk_picture_get_paintable(picture) else {
      return gtk_widget_set_size_request(Widget(picture), -1, -1)
    }
    gtk_widget_set_size_request(
      Widget(picture),
      Int32(Double(gdk_paintable_get_intrinsic_width(paintable)) * zoom),
      Int32(Double(gdk_paintable_get_intrinsic_height(paintable)) * zoom)
    )
  }
}
#endif
