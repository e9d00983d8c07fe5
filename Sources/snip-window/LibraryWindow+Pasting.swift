#if GTK
import CGTK
import Foundation
import SnippetGTK
import SnippetStorage

/// Pasting from the clipboard.
extension LibraryWindow {
  var clipboard: OpaquePointer { gdk_display_get_clipboard(gtk_widget_get_display(list.widget)) }

  /// Imports the clipboard: files, or else a picture, or else a text.
  func paste() {
    let formats = gdk_clipboard_get_formats(clipboard)
    if gdk_content_formats_contain_gtype(formats, gdk_file_list_get_type()) != 0 {
      read(gdk_file_list_get_type()) { [unowned self] value in importFiles(URL.files(value)) }
    } else if gdk_content_formats_contain_gtype(formats, gdk_texture_get_type()) != 0 {
      read(gdk_texture_get_type()) { [unowned self] value in
        guard let texture = g_value_get_object(value),
          let png = gdk_texture_save_to_png_bytes(OpaquePointer(texture))
        else { return }
        var count: gsize = 0
        let bytes = g_bytes_get_data(png, &count)
        let content = bytes.map { Data(bytes: $0, count: Int(count)) } ?? Data()
        g_bytes_unref(png)
        // A picture of the clipboard has no name.
        save(SnippetDraft(.bytes(content), title: localized("Pasted on {1}", Date().inWords)))
      }
    } else {
      read(g_type_from_name("gchararray")) { [unowned self] value in
        if let text = g_value_get_string(value) {
          save(SnippetDraft(.text(String(cString: text))))
        }
      }
    }
  }

  private func save(_ draft: SnippetDraft) {
    Task {
      do { try await store.save(draft) } catch { tell(error) }
    }
  }

  /// Reads the clipboard, which another program may hold.
  private func read(
    _ type: GType,
    _ done: @escaping @MainActor (UnsafePointer<GValue>) -> Void
  ) {
    gdk_clipboard_read_value_async(
      clipboard,
      type,
      0,
      nil,
      { source, result, context in
        guard let context else { return }
        let done: @MainActor (UnsafePointer<GValue>) -> Void = CallbackContext.take(context)
        // Unreadable content cannot be pasted.
        let value = gdk_clipboard_read_value_finish(OpaquePointer(source), result, nil)
        nonisolated(unsafe) let found = value
        if let found { MainActor.assumeIsolated { done(found) } }
      },
      CallbackContext.make(done)
    )
  }
}

extension URL {
  /// The files in a value of a list of them.
  static func files(_ value: UnsafePointer<GValue>) -> [URL] {
    let list = gdk_file_list_get_files(g_value_get_boxed(value).map { OpaquePointer($0) })
    defer { g_slist_free(list) }
    return sequence(first: list) { $0?.pointee.next }.prefix { $0 != nil }.compactMap { entry in
      entry?.pointee.data.flatMap { g_file_get_path(OpaquePointer($0)) }.map {
        URL(filePath: String(taking: $0))
      }
    }
  }
}
#endif
