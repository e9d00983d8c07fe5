import SnippetLoading
import SnippetStorage

/// A view of one text.
@MainActor final class NoteTextView {
  var text = ""
  var isEditable = true
  var onKey: () -> Void = {}
  private(set) var question: String?

  func showState(_ state: SnippetTextEditor.State) {}

  func ask(_ question: String?, _ answers: [(String, @MainActor () -> Void)] = []) {
    self.question = question
  }
}

@MainActor final class NoteController {
  private let view: NoteTextView
  private let texts: SnippetTextEditor

  init(_ view: NoteTextView, _ store: SnippetStore, _ editor: SnippetEditor) {
    self.view = view
    texts = SnippetTextEditor(store, editor: editor)
    texts.textHandler = { [unowned texts, unowned view] text in
      view.text = text
      view.isEditable = texts.isEditable
    }
    texts.stateHandler = { [weak self] state in self?.show(state) }
    view.onKey = { [texts, unowned view] in texts.typed(view.text) }
  }

  func open(_ row: SnippetRow) async throws {
    view.isEditable = false
    try await texts.open(row.id)
  }

  private func show(_ state: SnippetTextEditor.State) {
    switch state {
    case .empty, .saved, .unsaved: view.ask(nil)
    case .failed: view.ask("This text is kept, and saved as soon as that is possible.")
    case .conflict(let theirs):
      view.ask(
        "Others have changed this text into: \(theirs)",
        [
          ("Keep mine", texts.keepMine), ("Take theirs", texts.takeTheirs),
          ("Keep both", texts.saveAsNew),
        ]
      )
    case .inTrash: view.ask("This note is in the trash.", [("Bring it back", texts.keepMine)])
    case .deleted: view.ask("This note was deleted.", [("Save as a new note", texts.keepMine)])
    }
  }

  /// Call it before the window is closed, and when the system ends the program.
  func close() async -> Bool { await texts.close() }
}

@MainActor func tellKept(_ texts: SnippetTextEditor, _ notice: (String) -> Void) async {
  for id in await texts.keptSnippets() { notice("A text of snippet \(id) was not saved.") }
}
