#if GTK
internal import CGTK
internal import CSnippetGTK

/// The main loop of GLib, which `g_application_run` runs.
public enum GTKMainLoop {
  /// Lets the main loop of this thread, the main one, do the work of Swift's main actor.
  ///
  /// Call it once, before the loop runs. Between frames the loop takes both in turn: deliveries to
  /// cells never keep it from drawing.
  @MainActor
  public static func attachMainActor() {
    let source = g_unix_fd_source_new(snippet_main_queue_descriptor(), G_IO_IN)
    // The closure type of a descriptor's source is not the one that every source declares.
    let drain: @convention(c) (Int32, GIOCondition, gpointer?) -> gboolean = { descriptor, _, _ in
      // Reset the counter first, so that work that arrives during the drain is announced again.
      var count: UInt64 = 0
      _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
      MainActor.assumeIsolated { OwnTime.measure { snippet_main_queue_drain() } }
      return 1
    }
    g_source_set_callback(source, unsafeBitCast(drain, to: GSourceFunc.self), nil, nil)
    g_source_set_priority(source, GDK_PRIORITY_REDRAW)
    g_source_attach(source, nil)
    g_source_unref(source)
  }
}
#endif
