#if GTK
import CGTK
import Foundation
import SnippetStorage

/// The looks of a window from one start to the next, kept in a file of the user.
@MainActor
struct WindowState {
  private let file = "\(String(cString: g_get_user_state_dir()))/snip/window.ini"
  private let group = "window"

  /// Restores the size of the thumbnails, before any is shown.
  func restoreThumbnailSize() {
    let keys: OpaquePointer = g_key_file_new()
    defer { g_key_file_unref(keys) }
    guard g_key_file_load_from_file(keys, file, G_KEY_FILE_NONE, nil) != 0,
      g_key_file_has_key(keys, group, "thumbnails", nil) != 0
    else { return }
    let size = ThumbnailSize(rawValue: Int(g_key_file_get_integer(keys, group, "thumbnails", nil)))
    ThumbnailSize.current = size ?? .medium
  }

  /// Restores the looks of the last window; the first one keeps its defaults.
  func restore(_ window: LibraryWindow) {
    let keys: OpaquePointer = g_key_file_new()
    defer { g_key_file_unref(keys) }
    // There is none at the first start.
    let isThere = g_key_file_load_from_file(keys, file, G_KEY_FILE_NONE, nil) != 0
    func number(_ key: String) -> Int32 { g_key_file_get_integer(keys, group, key, nil) }
    let isSized = isThere && number("width") > 0 && number("height") > 0
    gtk_window_set_default_size(
      window.window,
      isSized ? number("width") : 900,
      isSized ? number("height") : 720
    )
    if number("maximized") == 1 { gtk_window_maximize(window.window) }
    window.setState("gallery", number("gallery") == 1)
    window.setState("dark", number("dark") == 1)
  }

  /// Saves the looks of a window; if that fails, the next looks like the one before.
  func save(_ window: LibraryWindow) {
    var (width, height): (Int32, Int32) = (0, 0)
    gtk_window_get_default_size(window.window, &width, &height)
    let keys: OpaquePointer = g_key_file_new()
    defer { g_key_file_unref(keys) }
    for (key, value) in [
      ("width", width), ("height", height),
      ("maximized", gtk_window_is_maximized(window.window)),
      ("gallery", window.isGallery ? 1 : 0), ("dark", window.isDark ? 1 : 0),
      ("thumbnails", Int32(ThumbnailSize.current.rawValue)),
    ] {
      g_key_file_set_integer(keys, group, key, value)
    }
    guard (try? StoreSeam.requireNoStore(at: file, during: "save the window's looks")) != nil else {
      return
    }
    g_mkdir_with_parents(URL(filePath: file).deletingLastPathComponent().path, 0o700)
    g_key_file_save_to_file(keys, file, nil)
  }
}
#endif
