#if GTK
import CGTK
import Foundation
import SnippetBase
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// One snippet over the whole window: a picture, a recording, or a whole text to edit.
///
/// For the loader it is a list with one row on screen, so it follows changes made elsewhere, and
/// its neighbours are loaded ahead.
@MainActor
final class OpenedSnippet {
  /// The most pixels on each side of a picture, and the number of peaks in a waveform.
  static let (pixelSize, peakCount) = (4_096, 1_600)
  /// Called when there is nothing left to show.
  var closeHandler: (() -> Void)?
  private(set) var position: Int?
  private let builder: Builder
  private let store: SnippetStore
  private let dataSource: SnippetDataSource
  private let face: FaceView
  private var sound: (stream: UnsafeMutablePointer<GtkMediaStream>, file: URL)?
  private var opening: Task<Void, Never>?
  private var zoom = 0.0
  /// The snippet as it is on screen.
  private(set) var row: SnippetRow?
  /// The number of unfinished edits of the text from here; until they are done, the text on screen
  /// is the newest.
  private var pendingEditCount = 0
  /// Waits for a pause, from the first keystroke on.
  private var typing: Task<Void, Never>?
  private var isShowing = false

  init(_ builder: Builder, _ store: SnippetStore, _ loader: SnippetLoader, _ editor: SnippetEditor)
  {
    (self.builder, self.store) = (builder, store)
    dataSource = SnippetDataSource(loader: loader, editor: editor)
    face = FaceView(
      builder,
      FaceView.Names(
        stack: "opened-content",
        picture: "opened-picture",
        picturePage: "opened-picture-page",
        waveform: "opened-waveform",
        waveformPage: "opened-sound",
        icon: "opened-icon"
      )
    )
    dataSource.register(OpenedPicturePresenter.init, for: .image)
    dataSource.register(OpenedSoundPresenter.init, for: .voice)
    dataSource.register(OpenedTextPresenter.init, for: .text)
    dataSource.changeHandler = { [weak self] in self?.listDidChange($0) }
    let buffer: UnsafeMutablePointer<GtkTextBuffer> = gtk_text_view_get_buffer(
      UnsafeMutablePointer(builder.object("opened-text"))
    )
    onSignal("changed", of: buffer) { [weak self] _ in self?.textDidChange() }
    onSignal("activate", of: builder.object("opened-title")) { [weak self] _ in self?.rename() }
    let clicks: OpaquePointer = gtk_gesture_click_new()
    onSignal("pressed", of: clicks) { [weak self] in self?.seek(to: $0.double(2)) }
    gtk_widget_add_controller(builder.widget("opened-waveform"), clicks)
  }

  // MARK: - Choosing a snippet

  func open(_ list: any RowList, at position: Int) {
    dataSource.loader.show(list)
    show(position)
  }

  func move(by distance: Int) {
    guard let position, (0..<dataSource.count).contains(position + distance) else { return }
    saveText()
    rename()
    show(position + distance)
  }

  func close() {
    saveText()
    rename()
    dataSource.didEndDisplaying(self)
    dataSource.show(stretches: [])
    position = nil
    stopSound()
  }

  private func show(_ position: Int) {
    self.position = position
    dataSource.show(visible: position..<position + 1)
    dataSource.present(position, in: self)
    // With the focus elsewhere, the user would type over the title.
    gtk_widget_grab_focus(builder.widget(row?.kind == .text ? "opened-text" : "opened-content"))
  }

  private func listDidChange(_ change: ListChange) {
    guard let position else { return }
    guard dataSource.count > 0 else { closeHandler?(); return }
    show(min(change.position(of: position) ?? position, dataSource.count - 1))
  }

  // MARK: - Content

  func show(_ field: SnippetField, of row: SnippetRow) {
    isShowing = true
    defer { isShowing = false }
    if self.row?.id != row.id { pendingEditCount = 0 }
    self.row = row
    switch field {
    case .title: gtk_editable_set_text(builder.object("opened-title"), row.title)
    case .blob: zoom = 0
    case .createdAt, .facts, .byteCount, .tags:
      gtk_label_set_text(builder.object("opened-facts"), Caption(row).facts)
    case .kind, .preview, .modifiedAt, .isPinned, .mediaType, .deletedAt: break
    }
  }

  func show(_ content: LoadState<Thumbnail>) {
    stopSound()
    face.show(content)
    applyZoom()
  }

  func show(_ content: LoadState<Waveform>) {
    if case .idle = content { stopSound() }
    face.show(content)
    if case .loaded = content { startSound() }
  }

  func show(_ content: LoadState<String>) {
    guard let text = content.content else {
      return face.showIcon(content.isFailed ? "dialog-warning-symbolic" : "text-x-generic-symbolic")
    }
    stopSound()
    builder.show("opened-text-page", in: "opened-content")
    guard typing == nil, pendingEditCount == 0, text != typedText else { return }
    isShowing = true
    gtk_text_buffer_set_text(buffer, text, Int32(clamping: text.utf8.count))
    var start = GtkTextIter()
    gtk_text_buffer_get_start_iter(buffer, &start)
    gtk_text_buffer_place_cursor(buffer, &start)
    isShowing = false
  }

  // MARK: - Pictures

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

  // MARK: - Texts

  private var buffer: UnsafeMutablePointer<GtkTextBuffer> {
    gtk_text_view_get_buffer(UnsafeMutablePointer(builder.object("opened-text")))
  }

  private var typedText: String {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(buffer, &start, &end)
    let text = gtk_text_buffer_get_text(buffer, &start, &end, 1)
    defer { g_free(text) }
    return text.map { String(cString: $0) } ?? ""
  }

  /// What is typed without a pause is one edit, which one undo takes back.
  private func textDidChange() {
    guard !isShowing, row?.kind == .text else { return }
    typing?.cancel()
    typing = Task {
      // Cancelled by the next keystroke.
      guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
      saveText()
    }
  }

  private func saveText() {
    typing?.cancel()
    guard typing != nil, let row, let editor = dataSource.editor else { return }
    typing = nil
    let edit = editor.apply(SnippetEdit(text: typedText), to: editor.shown(row))
    pendingEditCount += 1
    Task {
      await edit.value
      if self.row?.id == row.id { pendingEditCount -= 1 }
    }
  }

  private func rename() {
    guard !isShowing, let row, let editor = dataSource.editor else { return }
    let title = builder.text(of: "opened-title")
    if title != row.title { editor.apply(SnippetEdit(title: title), to: editor.shown(row)) }
  }

  // MARK: - Recordings

  private func startSound() {
    guard let row, row.kind == .voice else { return }
    stopSound()
    opening = Task { [store] in
      // The player reads files only.
      let file = FileManager.default.temporaryDirectory
        .appending(path: "snip-window-\(UUID().uuidString)")
      do {
        let bytes = try await store.content(of: row.id)
        guard !Task.isCancelled, self.row?.id == row.id else { return }
        try await OwnThreads.result { try bytes.write(to: file) }
        guard !Task.isCancelled, self.row?.id == row.id else {
          return try FileManager.default.removeItem(at: file)
        }
        play(file)
      } catch {
        face.showIcon("dialog-warning-symbolic")
      }
    }
  }

  private func play(_ file: URL) {
    let stream: UnsafeMutablePointer<GtkMediaStream> = gtk_media_file_new_for_filename(file.path)
    sound = (stream, file)
    gtk_media_controls_set_media_stream(builder.object("controls"), stream)
    onSignal("notify::timestamp", of: stream) { [weak self] _ in
      let length = gtk_media_stream_get_duration(stream)
      guard length > 0 else { return }
      self?.face.playedPart = Double(gtk_media_stream_get_timestamp(stream)) / Double(length)
    }
  }

  /// Plays, or pauses.
  func togglePlaying() {
    guard let stream = sound?.stream else { return }
    gtk_media_stream_set_playing(stream, 1 - gtk_media_stream_get_playing(stream))
  }

  private func seek(to place: Double) {
    guard let stream = sound?.stream, gtk_media_stream_is_seekable(stream) != 0 else { return }
    let width = Double(gtk_widget_get_width(builder.widget("opened-waveform")))
    let length = Double(gtk_media_stream_get_duration(stream))
    gtk_media_stream_seek(stream, gint64(length * min(max(0, place / width), 1)))
  }

  private func stopSound() {
    opening?.cancel()
    guard let sound else { return }
    self.sound = nil
    face.playedPart = 0
    gtk_media_stream_set_playing(sound.stream, 0)
    gtk_media_controls_set_media_stream(builder.object("controls"), nil)
    g_object_unref(sound.stream)
    try? FileManager.default.removeItem(at: sound.file)
  }
}

private final class OpenedPicturePresenter: ContentPresenter {
  let recipe = TypedRecipe<Thumbnail>.thumbnail(OpenedSnippet.pixelSize)

  func update(_ field: SnippetField, of row: SnippetRow, in view: OpenedSnippet) {
    view.show(field, of: row)
  }

  func show(_ content: LoadState<Thumbnail>, in view: OpenedSnippet) { view.show(content) }
}

private final class OpenedSoundPresenter: ContentPresenter {
  let recipe = TypedRecipe<Waveform>.waveform(OpenedSnippet.peakCount)

  func update(_ field: SnippetField, of row: SnippetRow, in view: OpenedSnippet) {
    view.show(field, of: row)
  }

  func show(_ content: LoadState<Waveform>, in view: OpenedSnippet) { view.show(content) }
}

private final class OpenedTextPresenter: ContentPresenter {
  let recipe = TypedRecipe<String>.text

  func update(_ field: SnippetField, of row: SnippetRow, in view: OpenedSnippet) {
    view.show(field, of: row)
  }

  func show(_ content: LoadState<String>, in view: OpenedSnippet) { view.show(content) }
}
#endif
