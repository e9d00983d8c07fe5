#if GTK
import CGTK
import Foundation
import SnippetGTK

/// The window in place of the library when its store cannot be opened: why, and what helps.
@MainActor
final class FailureWindow {
  private let window: UnsafeMutablePointer<GtkWindow>
  private let builder = Builder(PackageResources.failure_ui)

  /// Shows the window.
  ///
  /// - Parameters:
  ///   - error: The reason.
  ///   - application: The program, which ends with its last window.
  ///   - retry: Called when the user wants to try once more.
  init(
    _ error: any Error,
    application: UnsafeMutablePointer<GtkApplication>,
    retry: @escaping () -> Void
  ) {
    window = UnsafeMutablePointer(OpaquePointer(gtk_application_window_new(application)))
    gtk_window_set_title(window, localized("Snippets"))
    gtk_window_set_default_size(window, 640, 420)
    gtk_window_set_child(window, builder.widget("failure"))
    let advice = (error as? any LocalizedError)?.recoverySuggestion
    for (name, text) in [("reason", error.localizedDescription), ("advice", advice ?? "")] {
      gtk_label_set_text(builder.object(name), text)
      gtk_widget_set_visible(builder.widget(name), text.isEmpty ? 0 : 1)
    }
    onSignal("clicked", of: builder.object("retry")) { _ in retry() }
    gtk_window_present(window)
    gtk_widget_grab_focus(builder.widget("retry"))
  }

  /// Closes the window.
  func close() { gtk_window_destroy(window) }
}
#endif
