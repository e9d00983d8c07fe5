#if GTK
import CGTK
import Foundation
import SnippetBase
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// The recording of an opened snippet: its waveform, and a player.
@MainActor
final class OpenedSound {
  /// The number of peaks in the waveform.
  static let peakCount = 1_600
  /// Called when the player cannot play the recording, with its reason.
  var errorHandler: ((String) -> Void)?
  private let builder: Builder
  private let store: SnippetStore
  private let face: FaceView
  private var playing: (stream: UnsafeMutablePointer<GtkMediaStream>, file: URL)?
  private var opening: Task<Void, Never>?

  init(_ builder: Builder, _ store: SnippetStore, _ face: FaceView) {
    (self.builder, self.store, self.face) = (builder, store, face)
    let clicks: OpaquePointer = gtk_gesture_click_new()
    onSignal("pressed", of: clicks) { [weak self] in self?.seek(to: $0.double(2)) }
    gtk_widget_add_controller(builder.widget("opened-waveform"), clicks)
  }

  func show(_ content: LoadState<Waveform>, of id: SnippetID?) {
    if case .idle = content { stop() }
    face.show(content)
    if case .loaded = content, let id { start(id) }
  }

  private func start(_ id: SnippetID) {
    stop()
    opening = Task { [store] in
      // The player reads files only.
      let file = FileManager.default.temporaryDirectory
        .appending(path: "snip-window-\(UUID().uuidString)")
      do {
        let bytes = try await store.content(of: id)
        guard !Task.isCancelled else { return }
        try await OwnThreads.result { try bytes.write(to: file) }
        guard !Task.isCancelled else { return try FileManager.default.removeItem(at: file) }
        play(file)
      } catch {
        face.showIcon("dialog-warning-symbolic")
      }
    }
  }

  private func play(_ file: URL) {
    let stream: UnsafeMutablePointer<GtkMediaStream> = gtk_media_file_new_for_filename(file.path)
    playing = (stream, file)
    gtk_media_controls_set_media_stream(builder.object("controls"), stream)
    onSignal("notify::error", of: stream) { [weak self] _ in
      // Without a reason there is no error any more.
      guard let error = gtk_media_stream_get_error(stream) else { return }
      self?.errorHandler?(String(cString: error.pointee.message))
    }
    onSignal("notify::timestamp", of: stream) { [weak self] _ in
      let length = gtk_media_stream_get_duration(stream)
      guard length > 0 else { return }
      self?.face.playedPart = Double(gtk_media_stream_get_timestamp(stream)) / Double(length)
    }
  }

  /// Plays, or pauses.
  func toggle() {
    guard let stream = playing?.stream else { return }
    gtk_media_stream_set_playing(stream, 1 - gtk_media_stream_get_playing(stream))
  }

  private func seek(to place: Double) {
    guard let stream = playing?.stream, gtk_media_stream_is_seekable(stream) != 0 else { return }
    let width = Double(gtk_widget_get_width(builder.widget("opened-waveform")))
    let length = Double(gtk_media_stream_get_duration(stream))
    gtk_media_stream_seek(stream, gint64(length * min(max(0, place / width), 1)))
  }

  func stop() {
    opening?.cancel()
    guard let playing else { return }
    self.playing = nil
    face.playedPart = 0
    gtk_media_stream_set_playing(playing.stream, 0)
    gtk_media_controls_set_media_stream(builder.object("controls"), nil)
    g_object_unref(playing.stream)
    try? FileManager.default.removeItem(at: playing.file)
  }
}
#endif
