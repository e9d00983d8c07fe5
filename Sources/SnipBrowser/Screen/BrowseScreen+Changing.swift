import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetLoading
import SnippetStorage
import TerminalKit

extension BrowseScreen {
  // MARK: - Targets of keys

  /// Whether there is a snippet for a key to act on.
  var hasTarget: Bool { !marks.isEmpty || list.selectedRow != nil }

  /// Marks the selected snippet or removes its mark, and goes on to the next one.
  func mark() {
    guard let row = list.selectedRow else { return }
    marks.formSymmetricDifference([row.id])
    list.move(by: 1)
  }

  /// The marked snippets, or else the selected one.
  private var targets: [SnippetID] {
    marks.isEmpty
      ? [list.selectedRow?.id].compactMap(\.self) : marks.sorted { $0.rawValue < $1.rawValue }
  }

  /// Asks for a line about the marked snippets, or else the selected one.
  func askForTargets(_ purpose: Prompt.Purpose) {
    let targets = targets
    if !targets.isEmpty { mode = .prompt(Prompt(purpose: purpose, targets: targets)) }
  }

  /// Makes the snippet that was clicked the target of the line being typed.
  func retarget() {
    guard case .prompt(var prompt) = mode, !prompt.targets.isEmpty, marks.isEmpty,
      let row = list.selectedRow
    else { return }
    prompt.targets = [row.id]
    mode = .prompt(prompt)
  }

  /// Does something with the marked snippets, or else with the selected one.
  private func withTargets(_ body: @escaping @MainActor (BrowseScreen, [SnippetRow]) -> Void) {
    guard marks.isEmpty else { return with(targets, body) }
    // As it is shown: a second tap may come before the first has reached the store.
    if let row = list.selectedRow { body(self, [editor.shown(row)]) }
  }

  /// Does something with those snippets of a selection that still exist.
  private func with(
    _ ids: [SnippetID],
    _ body: @escaping @MainActor (BrowseScreen, [SnippetRow]) -> Void
  ) {
    let store = store
    start(.change) { [self] in
      let rows = try await OwnThreads.result { try ids.compactMap { try store.row($0) } }
      // Snippets marked since then stay marked.
      marks.subtract(Set(ids).subtracting(rows.map(\.id)))
      guard !rows.isEmpty else {
        message = ids.count == 1 ? "It has been deleted." : "They have been deleted."
        return
      }
      body(self, rows.map(editor.shown))
    }
  }

  // MARK: - Changes

  /// Pins snippets, or unpins them when all are pinned.
  func togglePin() {
    withTargets { screen, rows in
      let isPinned = !rows.allSatisfy(\.isPinned)
      screen.change(rows, .edit(SnippetEdit(isPinned: isPinned)))
    }
  }

  /// Adds tags to snippets, and removes those with a minus before them.
  ///
  /// A line that is refused comes back, to be corrected.
  ///
  /// - Parameter prompt: The line, with the tags as ``TagLine`` reads them.
  func putTags(_ prompt: Prompt) {
    let tags = TagLine(prompt.text)
    guard !tags.isEmpty else { return }
    with(prompt.targets) { screen, rows in
      let edit = SnippetEdit(addedTags: tags.added, removedTags: tags.removed)
      screen.follow(
        screen.editor.send(.edit(edit), on: rows),
        refused: { screen in
          if case .list = screen.mode { screen.mode = .prompt(prompt) }
        }
      )
    }
  }

  /// Moves snippets to the trash.
  func moveToTrash() {
    guard !filter.isInTrash else {
      if hasTarget { message = "It is in the trash already. u brings it back." }
      return
    }
    withTargets { screen, rows in
      screen.change(rows, .moveToTrash) { screen in
        screen.marks.subtract(rows.map(\.id))
        let title = TerminalText(rows.first?.title ?? "", lines: .folded).description
        screen.message =
          rows.count == 1
          ? "Moved to the trash: \(title). u brings it back."
          : "Moved to the trash: \(rows.count.counted("snippet")). u brings them back."
      }
    }
  }

  /// Undoes the last change; in the trash, where there was none, brings snippets back.
  func undo() {
    let count = editor.nextUndoCount
    guard let (command, id) = editor.nextUndo else {
      guard filter.isInTrash, hasTarget else {
        message = "Nothing to take back."
        return
      }
      return withTargets { screen, rows in
        screen.change(rows, .undelete) { screen in
          screen.marks.subtract(rows.map(\.id))
          screen.message =
            rows.count == 1 ? "Brought back." : "Brought back: \(rows.count.counted("snippet"))."
        }
      }
    }
    guard let undo = editor.undo() else { return }
    follow(
      undo,
      done: { screen in
        let many = count > 1 ? ": \(count.counted("snippet"))" : ""
        guard case .moveToTrash = command else {
          screen.message = "Taken back\(many)."
          return
        }
        screen.message = "Brought back\(many)."
        if !screen.filter.isInTrash { screen.select(id) }
      }
    )
  }

  private func change(
    _ rows: [SnippetRow],
    _ command: SnippetCommand,
    done: @escaping @MainActor (BrowseScreen) -> Void = { _ in }
  ) {
    guard !rows.isEmpty else { return }
    follow(editor.send(command, on: rows), done: done)
  }

  /// Shows the outcome of a command.
  private func follow(
    _ command: Task<Void, Never>,
    refused: @escaping @MainActor (BrowseScreen) -> Void = { _ in },
    done: @escaping @MainActor (BrowseScreen) -> Void = { _ in }
  ) {
    let failureCount = failureCount
    start(.change) { [self] in
      await command.value
      // It would arrive by itself a moment later, too.
      list.refresh()
      guard failureCount != self.failureCount else { return done(self) }
      // The reason is on the screen already, if there still is one.
      noteLoss(lastFailure)
      refused(self)
    }
  }

  // MARK: - Files

  /// Writes snippets to files in a folder, as `snip export` does.
  ///
  /// A folder that is refused comes back, to be corrected.
  ///
  /// - Parameter prompt: The line, with a folder to make, or an empty one.
  func export(_ prompt: Prompt) {
    let path = prompt.text.trimmingCharacters(in: .whitespaces)
    guard !path.isEmpty else { return }
    let url = URL(fileURLWithPath: (path as NSString).expandingTildeInPath, isDirectory: true)
    with(prompt.targets) { screen, rows in
      screen.message = "Exporting \(rows.count.counted("snippet")) …"
      screen.start(.change) { [weak screen] in
        do {
          guard let report = try await screen?.store.export(rows.map(\.id), to: url) else { return }
          let failed = report.failedCount > 0 ? ", \(report.failedCount) failed" : ""
          let count = report.exportedCount.counted("snippet")
          if report.failedCount > 0 {
            let lost = report.failedCount.counted("snippet")
            screen?.noteLoss("\(lost) could not be exported to \(TerminalText(url.path))")
          }
          screen?.message = "Exported \(count)\(failed): \(TerminalText(url.path))"
        } catch {
          if case .list? = screen?.mode { screen?.mode = .prompt(prompt) }
          throw error
        }
      }
    }
  }
}
