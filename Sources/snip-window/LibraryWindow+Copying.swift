#if GTK
import CGTK
import Foundation
import SnippetBase
import SnippetGTK
import SnippetMedia
import SnippetStorage

/// Copying to the clipboard.
extension LibraryWindow {
  /// Copies texts as one text, a picture as itself, and everything else as files.
  func copy(_ rows: [SnippetRow]) {
    guard let first = rows.first else { return }
    Task {
      do {
        if rows.allSatisfy({ $0.kind == .text }) {
          var texts: [String] = []
          for row in rows { texts.append(try await store.text(of: row.id)) }
          gdk_clipboard_set_text(clipboard, texts.joined(separator: "\n"))
        } else if rows.count == 1, first.kind == .image {
          try await copy(picture: first)
        } else {
          copy(files: try await export(rows))
        }
      } catch { tell(error) }
    }
  }

  /// Copies the bytes of a picture, for programs that know its format, and its pixels for others.
  private func copy(picture row: SnippetRow) async throws {
    let bytes = try await store.content(of: row.id)
    let request = ThumbnailRequest(maximumPixelSize: OpenedPicture.pixelSize)
    let pixels = try await OwnThreads.result { [media] in
      // In a process of its own, as ever.
      try media.thumbnail(of: MediaInput(bytes), as: request, isCancelled: { false })
    }
    var providers: [UnsafeMutablePointer<GdkContentProvider>?] = []
    let shared = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    providers.append(gdk_content_provider_new_for_bytes(row.mediaType, shared))
    g_bytes_unref(shared)
    if let texture = pixels.makeTexture() {
      var value = GValue()
      g_value_init(&value, gdk_texture_get_type())
      g_value_take_object(&value, UnsafeMutableRawPointer(texture))
      providers.append(gdk_content_provider_new_for_value(&value))
      g_value_unset(&value)
    }
    // It takes ownership of them.
    let all = gdk_content_provider_new_union(&providers, gsize(providers.count))
    gdk_clipboard_set_content(clipboard, all)
    g_object_unref(all)
  }

  private func copy(files: [URL]) {
    var list = files.map { g_file_new_for_path($0.path) }
    let boxed = gdk_file_list_new_from_array(&list, gsize(list.count))
    for file in list { g_object_unref(file.map { UnsafeMutableRawPointer($0) }) }
    var value = GValue()
    g_value_init(&value, gdk_file_list_get_type())
    g_value_take_boxed(&value, boxed.map { UnsafeMutableRawPointer($0) })
    gdk_clipboard_set_value(clipboard, &value)
    g_value_unset(&value)
  }
}
#endif
