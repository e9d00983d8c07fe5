#if GTK
import CGTK
import Foundation
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// A view of a snippet in the list or in the gallery: a face, and what the row says.
class SnippetView: SnippetWidget {
  /// The height of all of them in a list.
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

  func show(_ field: SnippetField, of row: SnippetRow) {
    switch field {
    case .title: gtk_label_set_text(title, row.title)
    case .preview: gtk_label_set_text(text, row.previewAfterTitle)
    case .isPinned: gtk_widget_set_visible(builder.widget("pin"), row.isPinned ? 1 : 0)
    case .kind: showKind(row.kind)
    case .tags, .createdAt, .facts, .byteCount, .modifiedAt, .mediaType, .blob, .deletedAt: break
    }
  }

  /// Shows a text in the face, where that has room for it.
  func show(_ text: ContentState<String>) {
    face.showIcon(text.isFailed ? "dialog-warning-symbolic" : "text-x-generic-symbolic")
  }

  private func showKind(_ kind: SnippetKind) {
    gtk_widget_set_visible(Widget(text), kind == .text ? 1 : 0)
  }

  fileprivate func setText(_ content: String) { gtk_label_set_text(text, content) }
}

/// A row of the list.
final class RowView: SnippetView {
  override func show(_ field: SnippetField, of row: SnippetRow) {
    super.show(field, of: row)
    if field == .createdAt || field == .tags || field == .facts || field == .byteCount {
      gtk_label_set_text(builder.object("facts"), row.factsLine)
    }
  }
}

/// A tile of the gallery.
final class TileView: SnippetView {
  override class var height: Double { 220 }
  override class var description: [UInt8] { PackageResources.tile_ui }

  override func show(_ text: ContentState<String>) {
    guard let content = text.content else { return super.show(text) }
    setText(content)
    builder.show("text", in: "face")
  }
}

extension SnippetRow {
  /// What the beginning of a text says beyond the title, which often is its first line.
  fileprivate var previewAfterTitle: String {
    let rest = preview.hasPrefix(title) ? preview.dropFirst(title.count) : preview[...]
    return rest.trimmingCharacters(in: .whitespaces)
  }

  /// When it was made, how large it is, and its tags.
  var factsLine: String {
    var parts = [createdAt.formatted(date: .abbreviated, time: .shortened)]
    if let width = facts.pixelWidth, let height = facts.pixelHeight {
      parts.append("\(width) × \(height)")
    }
    if let duration = facts.duration {
      parts.append(duration.formatted(.time(pattern: .minuteSecond)))
    }
    parts.append(byteCount.formatted(.byteCount(style: .file)))
    if !tags.isEmpty { parts.append(tags.map { "#\($0)" }.joined(separator: " ")) }
    return parts.joined(separator: "  ·  ")
  }
}

// MARK: - Presenters

/// Shows the thumbnail of an image.
final class PicturePresenter<View: SnippetView>: ContentPresenter {
  static var designedHeight: Double? { View.height }
  let recipe = TypedRecipe<Thumbnail>.thumbnail()

  func update(_ field: SnippetField, of row: SnippetRow, in view: View) {
    view.show(field, of: row)
  }

  func show(_ content: ContentState<Thumbnail>, in view: View) { view.face.show(content) }
}

/// Shows the waveform of a recording.
final class SoundPresenter<View: SnippetView>: ContentPresenter {
  static var designedHeight: Double? { View.height }
  let recipe = TypedRecipe<Waveform>.waveform()

  func update(_ field: SnippetField, of row: SnippetRow, in view: View) {
    view.show(field, of: row)
  }

  func show(_ content: ContentState<Waveform>, in view: View) { view.face.show(content) }
}

/// Shows the beginning of a text.
final class TextPresenter<View: SnippetView>: ContentPresenter {
  static var designedHeight: Double? { View.height }
  let recipe = TypedRecipe<String>.excerpt

  func update(_ field: SnippetField, of row: SnippetRow, in view: View) {
    view.show(field, of: row)
  }

  func show(_ content: ContentState<String>, in view: View) { view.show(content) }
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
