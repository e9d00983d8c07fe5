#if GTK
internal import CGTK
internal import Foundation
public import SnippetMedia

extension Thumbnail {
  /// Makes a `GdkTexture` of the pixels, which it shares.
  ///
  /// - Returns: The texture, which the caller releases with `g_object_unref`; `nil` for a thumbnail
  ///   that is not ``Thumbnail/Form/rgba``.
  /// - Complexity: O(1).
  public func makeTexture() -> OpaquePointer? {
    guard form == .rgba else { return nil }
    // The texture keeps the data alive, and with it the bytes in their place.
    let owner = Unmanaged.passRetained(bytes as NSData)
    let shared = g_bytes_new_with_free_func(
      owner.takeUnretainedValue().bytes,
      gsize(bytes.count),
      { owner in owner.map { Unmanaged<NSData>.fromOpaque($0).release() } },
      owner.toOpaque()
    )
    defer { g_bytes_unref(shared) }
    return gdk_memory_texture_new(
      Int32(pixelWidth),
      Int32(pixelHeight),
      GDK_MEMORY_R8G8B8A8,
      shared,
      gsize(pixelWidth * 4)
    )
  }
}
#endif
