import SnippetLoading
import SnippetStorage
import TerminalKit

extension BrowseScreen {
  /// Pins the selected snippet, or unpins it.
  func togglePin() {
    guard let row = list.selectedRow else { return }
    change(row, .edit(SnippetEdit(isPinned: !row.isPinned)))
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
      screen.deletions.append(row.id)
      let title = TerminalText(row.title, lines: .folded).description
      screen.message = "Moved to the trash: \(title). u brings it back."
    }
  }

  /// Brings back what was moved to the trash last, and selects it; in the trash, the selected
  /// snippet.
  func undo() {
    let isSelected = filter.isInTrash && deletions.isEmpty
    guard let id = isSelected ? list.selectedRow?.id : deletions.popLast() else {
      message = "Nothing to bring back."
      return
    }
    start { [self] in
      do {
        try await store.perform(.undelete, on: id)
      } catch {
        if !isSelected { deletions.append(id) }
        throw error
      }
      list.refresh()
      message = "Brought back."
      if !filter.isInTrash { select(id) }
    }
  }

  private func change(
    _ row: SnippetRow,
    _ command: SnippetCommand,
    done: @escaping @MainActor (BrowseScreen) -> Void = { _ in }
  ) {
    start { [self] in
      try await store.perform(command, on: row.id)
      // It would come by itself a moment later, too.
      list.refresh()
      done(self)
    }
  }
}
