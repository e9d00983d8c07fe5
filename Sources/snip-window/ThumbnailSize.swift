#if GTK
import CGTK
import SnippetGTK

/// The size of the pictures in the list and in the gallery.
@MainActor
enum ThumbnailSize: Int, CaseIterable {
  case small, medium, large

  /// The size in which views are made.
  static var current = ThumbnailSize.medium

  /// The next larger or smaller size; the same at the end.
  func moved(by steps: Int) -> ThumbnailSize { ThumbnailSize(rawValue: rawValue + steps) ?? self }

  /// The frame of a picture in the list, in pixels of the application.
  var rowFrame: (width: Int, height: Int) {
    switch self {
    case .small: (60, 40)
    case .medium: (96, 64)
    case .large: (168, 112)
    }
  }

  /// The frame of a picture in the gallery, in pixels of the application.
  var tileFrame: (width: Int, height: Int) {
    switch self {
    case .small: (128, 96)
    case .medium: (184, 138)
    case .large: (288, 216)
    }
  }

  /// The pixels on each side of the thumbnails: enough for the screen with the smallest pixels.
  static let pixelCount: Int = {
    let monitors = gdk_display_get_default().flatMap { gdk_display_get_monitors($0) }
    let scales = (0..<g_list_model_get_n_items(monitors)).compactMap { place -> Int? in
      guard let monitor = g_list_model_get_item(monitors, place) else { return nil }
      defer { g_object_unref(monitor) }
      return Int(gdk_monitor_get_scale_factor(OpaquePointer(monitor)))
    }
    return min(320 * (scales.max() ?? 1), 1_024)
  }()
}
#endif
