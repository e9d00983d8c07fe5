#if GTK
import CGTK
import Foundation
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// A view of a snippet in the list or in the gallery: its face and its row.
class SnippetView: SnippetWidget {
  /// The height of all such views in a list, in pixels of the application.
  class var height: Double { Double(frame.height + 12) }
  /// The size of the face.
  class var frame: (width: Int, height: Int) { ThumbnailSize.current.rowFrame }
  class var description: [UInt8] { PackageResources.row_ui }
  let builder: Builder
  let face: FaceView
  let widget: Widget
  private let title: OpaquePointer
  private let text: OpaquePointer

  required init() {
    builder = Builder(Self.description)
    face = FaceView(builder)
    widget = builder.widget("view")
    (title, text) = (builder.object("title"), builder.object("text"))
    // Neither pictures nor scripts with tall letters move the rows that come after.
    fixSize(of: widget)
    let frame = builder.widget("frame")
    fixSize(of: frame)
    gtk_widget_set_size_request(frame, Int32(Self.frame.width), Int32(Self.frame.height))
  }

  func show(_ caption: Caption) {
    gtk_label_set_text(title, caption.title)
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
    setText(caption.text)
    let hasText = caption.kind == .text && !caption.text.isEmpty
    gtk_widget_set_visible(builder.widget("text"), hasText ? 1 : 0)
    gtk_label_set_text(builder.object("facts"), caption.facts)
  }
}

/// A tile of the gallery.
final class TileView: SnippetView {
  /// The most characters of a text that a face has room for.
  private static let length = 1_000
  override class var height: Double { Double(frame.height + 36) }
  override class var frame: (width: Int, height: Int) { ThumbnailSize.current.tileFrame }
  override class var description: [UInt8] { PackageResources.tile_ui }

  required init() {
    super.init()
    gtk_widget_set_size_request(widget, Int32(Self.frame.width + 12), -1)
  }

  override func show(_ text: LoadState<String>) {
    guard let content = text.content else { return super.show(text) }
    setText(String(content.withoutFrontMatter(isCut: false).prefix(Self.length)))
    face.showPage("text")
  }
}

/// The texts of a view beside the face.
struct Caption: Equatable {
  let kind: SnippetKind
  let title: String
  /// The beginning of the text without the title, which often is its first line.
  let text: String
  /// The date, the size, the tags, and whether the content is irregular.
  let facts: String
  let isPinned: Bool

  @MainActor
  init(_ row: SnippetRow) {
    (kind, title, isPinned) = (row.kind, row.title, row.isPinned)
    text = row.previewWithoutFrontMatter.dropping(title: row.title)
      .trimmingCharacters(in: .whitespaces)
    var parts = [row.createdAt.inWords]
    if let width = row.facts.pixelWidth, let height = row.facts.pixelHeight {
      parts.append("\(width) × \(height)")
    }
    if let seconds = row.facts.duration?.components.seconds {
      parts.append("\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)")
    }
    if row.facts.isIrregular {
      parts.append(row.kind == .image ? localized("cut short") : localized("irregular"))
    }
    parts.append(String(taking: g_format_size(guint64(row.byteCount))))
    if !row.tags.isEmpty { parts.append(row.tags.map { "#\($0)" }.joined(separator: " ")) }
    facts = parts.joined(separator: "  ·  ")
  }
}

extension Date {
  /// The day and the time in the user's language.
  var inWords: String {
    // GLib takes a fraction of Foundation's time for it.
    let time = g_date_time_new_from_unix_local(gint64(timeIntervalSince1970))
    defer { g_date_time_unref(time) }
    return String(taking: g_date_time_format(time, "%-d %b %Y, %H:%M"))
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
  let recipe = TypedRecipe<Thumbnail>.thumbnail(ThumbnailSize.pixelCount)
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
