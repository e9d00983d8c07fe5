#if GTK
internal import CGTK
internal import CSnippetGTK

/// The main loop of GLib, which `g_application_run` runs.
public enum GTKMainLoop {
  /// Lets the main loop of this thread, the main one, do the work of Swift's main actor.
  ///
  /// Call it once, before the loop runs. Between frames the loop takes both in turn: deliveries to
  /// cells never keep it from drawing.
  ///
  /// The loop must not run within a task, as in a `main` that is `async`: all other tasks of the
  /// main actor would wait until it ends. A program that runs it there ends at once, with this
  /// reason.
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
    // The loop calls this first of all.
    g_idle_add_full(G_PRIORITY_HIGH, { _ in GTKMainLoop.requireNoTask() }, nil, nil)
  }

  private static func requireNoTask() -> gboolean {
    let isWithinTask = withUnsafeCurrentTask { $0 != nil }
    guard !isWithinTask else {
      // Otherwise nothing that the main actor is to do would ever be done, without a word.
      fatalError(
        """
        The main loop runs within a task, which keeps all others waiting: run it in a main \
        function that is not async, and open the store in a Task.
        """
      )
    }
    return 0
  }
}
#endif
