import SnippetLoading
import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// Pins the selected snippet, or unpins it.
  func togglePin() {
    guard let row = list.selectedRow else { return }
    // As it is shown: a second tap may come before the first has reached the store.
    change(row, .edit(SnippetEdit(isPinned: !editor.shown(row).isPinned)))
  }

  /// Puts tags on the selected snippet; those with a minus before them are taken off.
  ///
  /// - Parameter text: The tags, with blanks between them.
  func putTags(_ text: String) {
    guard let row = list.selectedRow else { return }
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let removed = words.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
    let added = words.filter { !$0.hasPrefix("-") }
      .map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
    guard !words.isEmpty else { return }
    change(row, .edit(SnippetEdit(addedTags: added, removedTags: removed)))
  }

  /// Moves the selected snippet to the trash.
  func moveToTrash() {
    guard let row = list.selectedRow else { return }
    guard !filter.isInTrash else {
      message = "It is in the trash already. u brings it back."
      return
    }
    change(row, .moveToTrash) { screen in
      let title = TerminalText(row.title, lines: .folded).description
      screen.message = "Moved to the trash: \(title). u brings it back."
    }
  }

  /// Takes back the last change; in the trash, where none was made, brings the selected snippet back.
  func undo() {
    guard let (command, id) = editor.nextUndo else {
      guard filter.isInTrash, let row = list.selectedRow else {
        message = "Nothing to take back."
        return
      }
      return change(row, .undelete) { $0.message = "Brought back." }
    }
    guard let undo = editor.undo() else { return }
    follow(undo) { screen in
      guard case .moveToTrash = command else {
        screen.message = "Taken back."
        return
      }
      screen.message = "Brought back."
      if !screen.filter.isInTrash { screen.select(id) }
    }
  }

  private func change(
    _ row: SnippetRow,
    _ command: SnippetCommand,
    done: @escaping @MainActor (BrowseScreen) -> Void = { _ in }
  ) {
    follow(editor.send(command, on: editor.shown(row)), done: done)
  }

  /// Shows what came of a command.
  private func follow(
    _ command: Task<Void, Never>,
    done: @escaping @MainActor (BrowseScreen) -> Void
  ) {
    let failureCount = failureCount
    start { [self] in
      await command.value
      // It would come by itself a moment later, too.
      list.refresh()
      // Why it failed is on the screen already.
      if failureCount == self.failureCount { done(self) }
    }
  }
}
