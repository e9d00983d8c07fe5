#if GTK
import CGTK
import SnippetGTK
import SnippetLoading
import SnippetMedia

/// The face of a snippet in a stack of widgets: a picture, a waveform, or a symbol while that is
/// loading or unavailable.
@MainActor
final class FaceView {
  /// The names of its widgets, and of their pages in the stack.
  struct Names {
    var stack = "face"
    var picture = "picture"
    var picturePage = "picture"
    var waveform = "waveform"
    var waveformPage = "waveform"
    var icon = "icon"
  }

  private let builder: Builder
  private let names: Names
  private(set) var waveform: Waveform?
  /// The part of the recording that has been played, from 0 to 1.
  var playedPart = 0.0 {
    didSet { gtk_widget_queue_draw(builder.widget(names.waveform)) }
  }

  init(_ builder: Builder, _ names: Names = Names()) {
    (self.builder, self.names) = (builder, names)
    onDrawing(of: builder.object(names.waveform)) { [weak self] in self?.draw($0, $1, $2) }
  }

  func show(_ content: LoadState<Thumbnail>) {
    let texture = content.content?.makeTexture()
    gtk_picture_set_paintable(builder.object(names.picture), texture)
    if let texture {
      g_object_unref(UnsafeMutableRawPointer(texture))
      showPage(names.picturePage, isFramed: false)
    } else {
      showIcon(content.isFailed ? "image-missing-symbolic" : "image-x-generic-symbolic")
    }
  }

  func show(_ content: LoadState<Waveform>) {
    waveform = content.content
    if waveform == nil {
      showIcon(content.isFailed ? "dialog-warning-symbolic" : "audio-x-generic-symbolic")
    } else {
      showPage(names.waveformPage)
      gtk_widget_queue_draw(builder.widget(names.waveform))
    }
  }

  /// Releases the picture.
  func release() { gtk_picture_set_paintable(builder.object(names.picture), nil) }

  func showIcon(_ name: String) {
    gtk_image_set_from_icon_name(builder.object(names.icon), name)
    showPage(names.icon)
  }

  /// Shows a page of the stack.
  ///
  /// - Parameters:
  ///   - page: The name of its widget.
  ///   - isFramed: Whether it is on a ground of its own, which a picture has no need of. The
  ///     default is that it is.
  func showPage(_ page: String, isFramed: Bool = true) {
    builder.show(page, in: names.stack)
    let stack = builder.widget(names.stack)
    if isFramed { gtk_widget_add_css_class(stack, "framed") }
    if !isFramed { gtk_widget_remove_css_class(stack, "framed") }
  }

  private func draw(_ cairo: OpaquePointer, _ width: Double, _ height: Double) {
    guard let peaks = waveform?.peaks, !peaks.isEmpty else { return }
    var color = GdkRGBA()
    let style = gtk_widget_get_style_context(builder.widget(names.waveform))
    gtk_style_context_get_color(style, &color)
    let barCount = max(1, min(peaks.count, Int(width / 3)))
    let step = width / Double(barCount)
    for bar in 0..<barCount {
      let part = peaks[bar * peaks.count / barCount..<(bar + 1) * peaks.count / barCount]
      let highest = Double(part.map(\.highest).max() ?? 0) / 127
      let lowest = Double(part.map(\.lowest).min() ?? 0) / 127
      color.alpha = Double(bar) / Double(barCount) < playedPart ? 1 : 0.55
      gdk_cairo_set_source_rgba(cairo, &color)
      let top = height * (0.5 - highest * 0.45)
      let length = max(1, height * (highest - lowest) * 0.45)
      cairo_rectangle(cairo, Double(bar) * step, top, max(1, step - 1), length)
      cairo_fill(cairo)
    }
  }
}

extension LoadState {
  var isFailed: Bool {
    if case .failed = self { true } else { false }
  }
}
#endif
