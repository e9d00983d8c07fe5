#if GTK
import CGTK
import Foundation
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// A view of a snippet in the list or in the gallery: its face and its row.
class SnippetView: SnippetWidget {
  /// The height of all such views in a list.
  class var height: Double { 76 }
  class var description: [UInt8] { PackageResources.row_ui }
  let builder: Builder
  let face: FaceView
  let widget: Widget
  private let title: OpaquePointer
  private let text: OpaquePointer

  required init() {
    builder = Builder(Self.description)
    face = FaceView(builder)
    widget = builder.widget("row")
    (title, text) = (builder.object("title"), builder.object("text"))
  }

  func show(_ caption: Caption) {
    gtk_label_set_text(title, caption.title)
    gtk_label_set_text(text, caption.text)
    gtk_widget_set_visible(Widget(text), caption.kind == .text ? 1 : 0)
    gtk_widget_set_visible(builder.widget("pin"), caption.isPinned ? 1 : 0)
  }

  /// Shows a text in the face, if it has room for it.
  func show(_ text: LoadState<String>) {
    face.showIcon(text.isFailed ? "dialog-warning-symbolic" : "text-x-generic-symbolic")
  }

  func didEndDisplaying() { face.release() }

  fileprivate func setText(_ content: String) { gtk_label_set_text(text, content) }
}

/// A row of the list.
final class RowView: SnippetView {
  override func show(_ caption: Caption) {
    super.show(caption)
    gtk_label_set_text(builder.object("facts"), caption.facts)
  }
}

/// A tile of the gallery.
final class TileView: SnippetView {
  override class var height: Double { 220 }
  override class var description: [UInt8] { PackageResources.tile_ui }

  override func show(_ text: LoadState<String>) {
    guard let content = text.content else { return super.show(text) }
    setText(content)
    builder.show("text", in: "face")
  }
}

/// The texts of a view beside the face.
struct Caption: Equatable {
  let kind: SnippetKind
  let title: String
  /// The beginning of the text without the title, which often is its first line.
  let text: String
  /// The date, the size and the tags.
  let facts: String
  let isPinned: Bool

  @MainActor
  init(_ row: SnippetRow) {
    (kind, title, isPinned) = (row.kind, row.title, row.isPinned)
    let rest =
      row.preview.hasPrefix(row.title) ? row.preview.dropFirst(row.title.count) : row.preview[...]
    text = rest.trimmingCharacters(in: .whitespaces)
    // GLib formats dates in the user's language, in a fraction of Foundation's time.
    let time = g_date_time_new_from_unix_local(gint64(row.createdAt.timeIntervalSince1970))
    var parts = [String(taking: g_date_time_format(time, "%-d %b %Y, %H:%M"))]
    g_date_time_unref(time)
    if let width = row.facts.pixelWidth, let height = row.facts.pixelHeight {
      parts.append("\(width) × \(height)")
    }
    if let seconds = row.facts.duration?.components.seconds {
      parts.append("\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)")
    }
    parts.append(String(taking: g_format_size(guint64(row.byteCount))))
    if !row.tags.isEmpty { parts.append(row.tags.map { "#\($0)" }.joined(separator: " ")) }
    facts = parts.joined(separator: "  ·  ")
  }
}

// MARK: - Presenters

/// Shows the caption of a snippet, and a content in its face.
protocol SnippetPresenter: ContentPresenter, ModelPresenter where View: SnippetView {}

extension SnippetPresenter {
  static var designedHeight: Double? { View.height }
  func model(of row: SnippetRow) -> Caption { Caption(row) }
  func show(_ caption: Caption, in view: View) { view.show(caption) }
}

/// Shows the thumbnail of an image.
final class PicturePresenter<View: SnippetView>: SnippetPresenter {
  let recipe = TypedRecipe<Thumbnail>.thumbnail()
  var shown: Caption?
  func show(_ content: LoadState<Thumbnail>, in view: View) { view.face.show(content) }
}

/// Shows the waveform of a recording.
final class SoundPresenter<View: SnippetView>: SnippetPresenter {
  let recipe = TypedRecipe<Waveform>.waveform()
  var shown: Caption?
  func show(_ content: LoadState<Waveform>, in view: View) { view.face.show(content) }
}

/// Shows the beginning of a text.
final class TextPresenter<View: SnippetView>: SnippetPresenter {
  let recipe = TypedRecipe<String>.excerpt
  var shown: Caption?
  func show(_ content: LoadState<String>, in view: View) { view.show(content) }
}

extension SnippetDataSource {
  /// Shows each kind of snippet in views of a type.
  func register<View: SnippetView>(_ type: View.Type) {
    register(PicturePresenter<View>.init, for: .image)
    register(SoundPresenter<View>.init, for: .voice)
    register(TextPresenter<View>.init, for: .text)
  }
}
#endif
