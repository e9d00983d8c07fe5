public import SnippetStorage

/// Sends the edits of one view.
///
/// An edit goes to the snippet that the view shows at that moment. Nothing is sent while it shows
/// none, or once the view or the list is gone.
@MainActor
public struct EditSender {
  private weak var target: (any EditTarget)?
  private weak var view: AnyObject?
  private let editing = Editing()

  /// The snippet whose fields are held, for all copies of a sender.
  @MainActor
  private final class Editing {
    var held: (editor: SnippetEditor, id: SnippetID)?
  }

  init(target: any EditTarget, view: AnyObject) {
    self.target = target
    self.view = view
  }

  /// Sends an edit and returns at once.
  ///
  /// Every view that shows the snippet shows it changed by then, this one too. An edit that fails
  /// is taken back there, and ``SnippetEditor/failureHandler`` is called.
  ///
  /// - Parameter edit: The changes to the snippet on show.
  /// - Returns: The running edit, to wait for its end; `nil` when nothing was sent.
  @discardableResult
  public func send(_ edit: SnippetEdit) -> Task<Void, Never>? {
    carryOut(.edit(edit))
  }

  /// Deletes the snippet on show for good, and returns at once.
  ///
  /// To be able to undo it, send an edit with `isInTrash` instead.
  ///
  /// - Returns: The running deletion, to wait for its end; `nil` when nothing was sent.
  @discardableResult
  public func delete() -> Task<Void, Never>? {
    carryOut(.delete)
  }

  /// Keeps fields of the snippet as the view shows them while they are edited there.
  ///
  /// - Parameter fields: The fields: title, preview for the text or note, pin or tags.
  public func beginEditing(_ fields: SnippetFields) {
    guard let row, let editor = target?.editorOrMisuse() else { return }
    if editing.held?.id != row.id { endEditing() }
    editor.beginEditing(fields, of: row)
    editing.held = (editor, row.id)
  }

  /// Lets the fields follow the snippet again; send the edit first.
  ///
  /// The snippet is the one that the view showed when editing began, even if the view has left the
  /// screen or shows another one by now.
  public func endEditing() {
    // The view may begin to edit another snippet from within.
    guard let (editor, id) = editing.held.take() else { return }
    editor.endEditing(id)
  }

  /// Retries failed loads of the view at once.
  public func retry() {
    if let view { target?.retry(view) }
  }

  /// The row that the view shows; `nil` when it is empty.
  private var row: SnippetRow? { view.flatMap { target?.row(in: $0) } }

  private func carryOut(_ action: EditAction) -> Task<Void, Never>? {
    row.flatMap { target?.editorOrMisuse()?.carryOut(action, on: [$0]) }
  }
}

/// Takes the edits of views, and knows which snippet each view shows.
@MainActor
protocol EditTarget: AnyObject {
  /// The row that a view shows; `nil` when it is empty.
  func row(in view: AnyObject) -> SnippetRow?

  /// The editor that carries out the edits; `nil`, and reported, when they lead nowhere.
  func editorOrMisuse() -> SnippetEditor?

  /// Retries failed loads of a view at once.
  func retry(_ view: AnyObject)
}
