#if GTK
internal import CGTK
internal import Foundation

/// Files dragged out of a list.
///
/// They are written only when they are dropped, so that a drag that is let go costs nothing.
///
/// GDK asks for them by a type of its own, which it can write as a list of addresses.
@MainActor
final class FileDrag {
  private let makeFiles: @MainActor () async throws -> [URL]
  private var addresses: [CChar] = []

  init(_ makeFiles: @escaping @MainActor () async throws -> [URL]) { self.makeFiles = makeFiles }

  /// A `GdkContentProvider`, which belongs to the caller.
  func makeProvider() -> OpaquePointer? {
    var value = GValue()
    g_value_init(&value, Self.type)
    g_value_take_boxed(&value, Unmanaged.passRetained(self).toOpaque())
    defer { g_value_unset(&value) }
    return gdk_content_provider_new_for_value(&value).map { OpaquePointer($0) }
  }

  /// A boxed type that keeps a drag alive.
  private static let type: GType = {
    let type = g_boxed_type_register_static(
      "SnippetFileDrag",
      { $0.map { Unmanaged<FileDrag>.fromOpaque($0).retain().toOpaque() } },
      { $0.map { Unmanaged<FileDrag>.fromOpaque($0).release() } }
    )
    gdk_content_register_serializer(
      type,
      "text/uri-list",
      { serializer in
        // GDK asks on the main thread, and keeps it until the answer.
        nonisolated(unsafe) let serializer = serializer
        MainActor.assumeIsolated {
          if let serializer { FileDrag.write(to: serializer) }
        }
      },
      nil,
      nil
    )
    return type
  }()

  private static func write(to serializer: OpaquePointer) {
    guard let context = g_value_get_boxed(gdk_content_serializer_get_value(serializer)) else {
      return
    }
    let drag = Unmanaged<FileDrag>.fromOpaque(context).takeUnretainedValue()
    Task {
      do {
        let files = try await drag.makeFiles()
        drag.send(files, to: serializer)
      } catch {
        let code = Int32(G_IO_ERROR_FAILED.rawValue)
        let message = error.localizedDescription
        gdk_content_serializer_return_error(
          serializer,
          g_error_new_literal(g_io_error_quark(), code, message)
        )
      }
    }
  }

  /// Writes the addresses in the form of RFC 2483, one on each line.
  private func send(_ files: [URL], to serializer: OpaquePointer) {
    let text = files.map { $0.absoluteString + "\r\n" }.joined()
    // They are read until the last is written, and the serializer holds this drag.
    addresses = text.utf8.map { CChar(bitPattern: $0) }
    addresses.withUnsafeBufferPointer { bytes in
      g_output_stream_write_all_async(
        gdk_content_serializer_get_output_stream(serializer),
        bytes.baseAddress,
        gsize(bytes.count),
        gdk_content_serializer_get_priority(serializer),
        gdk_content_serializer_get_cancellable(serializer),
        { stream, result, serializer in
          let serializer = serializer.map { OpaquePointer($0) }
          var error: UnsafeMutablePointer<GError>?
          g_output_stream_write_all_finish(
            UnsafeMutablePointer(OpaquePointer(stream)),
            result,
            nil,
            &error
          )
          if let error {
            gdk_content_serializer_return_error(serializer, error)
          } else {
            gdk_content_serializer_return_success(serializer)
          }
        },
        UnsafeMutableRawPointer(serializer)
      )
    }
  }
}
#endif
