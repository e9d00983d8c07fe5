#if GTK
public import CGTK

/// A view that shows snippets in a list of GTK, and is reused for others.
///
/// A presenter fills it, as it does any view:
///
/// ```swift
/// final class TitleLabel: SnippetWidget {
///   let label = OpaquePointer(gtk_label_new(nil)!)
///   var widget: UnsafeMutablePointer<GtkWidget> { UnsafeMutablePointer(label) }
/// }
///
/// final class TitlePresenter: CellPresenter {
///   func update(_ field: SnippetField, of row: SnippetRow, in view: TitleLabel) {
///     if field == .title { gtk_label_set_text(view.label, row.title) }
///   }
/// }
/// ```
@MainActor
public protocol SnippetWidget: AnyObject {
  /// Makes a view that shows nothing yet.
  init()

  /// The widget, always the same one.
  var widget: UnsafeMutablePointer<GtkWidget> { get }
}
#endif
