#if GTK
import CGTK
import SnippetGTK
import SnippetStorage

/// The note of an opened picture or recording, below it.
///
/// It can be selected and copied. Without a note there is no room for one.
@MainActor
final class OpenedNote {
  /// Called with the reason when a note cannot be read.
  var errorHandler: ((any Error) -> Void)?
  private let builder: Builder
  private let store: SnippetStore
  private var reading: Task<Void, Never>?

  init(_ builder: Builder, _ store: SnippetStore) {
    (self.builder, self.store) = (builder, store)
  }

  /// Shows the note of a snippet.
  func show(_ row: SnippetRow) {
    reading?.cancel()
    // The row of a picture or recording has the beginning of its note, that of a text its own.
    guard row.kind != .text, !row.preview.isEmpty else { return show("") }
    reading = Task {
      do throws(SnippetStoreError) {
        let note = try await store.note(of: row.id)
        if !Task.isCancelled { show(note) }
      } catch {
        if !Task.isCancelled { errorHandler?(error) }
      }
    }
  }

  private func show(_ note: String) {
    let view = UnsafeMutablePointer<GtkTextView>(builder.object("opened-note"))
    // GTK ends a text at a zero.
    let shown = note.replacing("\0", with: "\u{2400}")
    // What is selected stays so.
    gtk_text_view_get_buffer(view).replaceText(with: shown)
    gtk_widget_set_visible(builder.widget("opened-note-page"), shown.isEmpty ? 0 : 1)
  }
}
#endif
