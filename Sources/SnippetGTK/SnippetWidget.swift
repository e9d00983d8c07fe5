#if GTK
public import CGTK

/// A view that shows snippets in a list of GTK, and is reused for others.
///
/// A presenter fills it, as it does any view:
///
/// ```swift
/// final class TitleLabel: SnippetWidget {
///   let widget: UnsafeMutablePointer<GtkWidget> = gtk_label_new(nil)
/// }
///
/// final class TitlePresenter: CellPresenter {
///   static var designedHeight: Double? { 32 }
///
///   func update(_ field: SnippetField, of row: SnippetRow, in view: TitleLabel) {
///     if field == .title { gtk_label_set_text(OpaquePointer(view.widget), row.title) }
///   }
/// }
/// ```
@MainActor
public protocol SnippetWidget: AnyObject {
  /// Makes a view that shows nothing yet.
  init()

  /// The widget, always the same one.
  var widget: UnsafeMutablePointer<GtkWidget> { get }

  /// Releases large content, because the view is no longer near the screen.
  ///
  /// GTK keeps about 200 views, most of them hidden, and no cache counts their content. The
  /// presenter shows the content again before the view comes back on screen. The default does
  /// nothing.
  func didEndDisplaying()
}

extension SnippetWidget {
  /// Does nothing.
  public func didEndDisplaying() {}
}
#endif
