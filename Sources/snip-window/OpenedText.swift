#if GTK
import CGTK
import SnippetGTK
import SnippetLoading
import SnippetStorage

/// The text of an opened snippet, which can be edited.
///
/// The view shows what the editor says, and nothing else.
@MainActor
final class OpenedText {
  let editor: SnippetTextEditor
  /// Called with the state of the text, and when it belongs to another snippet.
  var stateHandler: ((SnippetTextEditor.State) -> Void)?
  /// Called when a text cannot be opened.
  var errorHandler: ((any Error) -> Void)?
  private let builder: Builder
  private var isShowing = false
  /// Whether all of the text is on screen.
  private var isWhole = true
  /// The snippet that is being opened.
  private var opening: SnippetID?
  private var shownID: SnippetID?

  init(_ builder: Builder, _ editor: SnippetTextEditor) {
    (self.builder, self.editor) = (builder, editor)
    editor.textHandler = { [unowned self] in show($0) }
    editor.stateHandler = { [unowned self] in stateHandler?($0) }
    onSignal("changed", of: buffer) { [unowned self] _ in
      if !isShowing { editor.typed(self.text) }
    }
  }

  /// The snippet whose text is on screen or will be; `nil` if there is none.
  var id: SnippetID? { opening ?? editor.snippet }

  /// Opens a text; until it is there nothing can be typed.
  func open(_ id: SnippetID) { open(id) { [editor] in try await editor.open(id) } }

  /// Opens the snippet of a text that was kept, with that text.
  func open(kept text: UnsavedText) {
    open(text.snippet) { [editor] in try await editor.open(kept: text) }
  }

  private func open(_ id: SnippetID, _ open: @escaping @MainActor () async throws -> Void) {
    isEditable = false
    opening = id
    Task {
      do {
        try await open()
      } catch is CancellationError {
        // Another is being opened.
      } catch {
        errorHandler?(error)
      }
      if opening == id { opening = nil }
    }
  }

  /// Takes no keystroke until another text is opened, or ``resume()``.
  func pause() { isEditable = false }

  /// Takes keystrokes if a text is on screen that an edit keeps whole.
  func resume() { isEditable = shownID != nil && isWhole && editor.isEditable }

  /// Leaves the text, which is saved or kept.
  func close() {
    Task { await leave() }
  }

  func leave() async {
    isEditable = false
    (opening, shownID) = (nil, nil)
    await editor.leave()
  }

  private func show(_ text: String) {
    builder.show("opened-text-page", in: "opened-content")
    let isNew = shownID != editor.snippet
    shownID = editor.snippet
    isShowing = true
    // GTK ends a text at a zero, so what is behind it would be lost with the first key.
    isWhole = !text.utf8.contains(0)
    resume()
    let shown = isWhole ? text : text.replacing("\0", with: "\u{2400}")
    if isNew {
      gtk_text_buffer_set_text(buffer, shown, Int32(clamping: shown.utf8.count))
      var start = GtkTextIter()
      gtk_text_buffer_get_start_iter(buffer, &start)
      gtk_text_buffer_place_cursor(buffer, &start)
    } else {
      buffer.replaceText(with: shown)
    }
    isShowing = false
    // A double click leaves the focus in the list.
    if isNew { gtk_widget_grab_focus(builder.widget("opened-text")) }
  }

  private var isEditable: Bool {
    get { gtk_text_view_get_editable(view) != 0 }
    set { gtk_text_view_set_editable(view, newValue ? 1 : 0) }
  }

  private var view: UnsafeMutablePointer<GtkTextView> {
    UnsafeMutablePointer(builder.object("opened-text"))
  }

  private var buffer: UnsafeMutablePointer<GtkTextBuffer> { gtk_text_view_get_buffer(view) }

  /// The text as it is on screen.
  var text: String { buffer.text }
}
#endif
