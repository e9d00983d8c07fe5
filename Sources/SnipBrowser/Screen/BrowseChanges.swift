import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetLoading
import SnippetStorage
import TerminalKit

/// The changes that keys make, to the marked snippets or else to the selected one.
@MainActor
final class BrowseChanges {
  /// Called with a line that was refused, to be mended.
  var refusalHandler: ((Prompt) -> Void)?

  /// Called with a question to ask before snippets are deleted for good.
  var questionHandler: ((DeletionQuestion) -> Void)?

  private let store: SnippetStore
  private let editor: SnippetEditor
  private let listing: BrowseListing
  private let lists: BrowseLists
  private let work: BrowseWork
  private var failureCount = 0
  private var lastFailure = ""

  private var list: BrowseList { lists.list }

  init(
    in store: SnippetStore,
    by editor: SnippetEditor,
    _ listing: BrowseListing,
    _ lists: BrowseLists,
    _ work: BrowseWork
  ) {
    (self.store, self.editor) = (store, editor)
    (self.listing, self.lists, self.work) = (listing, lists, work)
    editor.failureHandler = { [weak self] _, _, error in
      self?.failureCount += 1
      self?.lastFailure = ErrorReport(error).message?.description ?? ""
      self?.work.tell(error)
    }
  }

  // MARK: - Targets

  /// Marks the selected snippet or removes its mark, and goes on to the next one.
  func mark() {
    guard let row = list.selectedRow else { return }
    lists.marks.formSymmetricDifference([row.id])
    list.move(by: 1)
  }

  /// A line to type for the targets; `nil` without any.
  func prompt(_ purpose: Prompt.Purpose) -> Prompt? {
    let targets = targets
    return targets.isEmpty ? nil : Prompt(purpose: purpose, targets: targets)
  }

  private var targets: [SnippetID] {
    lists.marks.isEmpty
      ? [list.selectedRow?.id].compactMap(\.self)
      : lists.marks.sorted { $0.rawValue < $1.rawValue }
  }

  /// Does something with the targets.
  private func withTargets(_ body: @escaping @MainActor ([SnippetRow]) -> Void) {
    guard lists.marks.isEmpty else { return with(targets, body) }
    // As it is shown: a second tap may come before the first has reached the store.
    if let row = list.selectedRow { body([editor.shown(row)]) }
  }

  /// Does something with those snippets of a selection that still exist.
  private func with(_ ids: [SnippetID], _ body: @escaping @MainActor ([SnippetRow]) -> Void) {
    let store = store
    work.start(.change) { [self] in
      let rows = try await OwnThreads.result { try ids.compactMap { try store.row($0) } }
      // Later marks stay.
      lists.marks.subtract(Set(ids).subtracting(rows.map(\.id)))
      guard !rows.isEmpty else {
        work.message = ids.count == 1 ? "It has been deleted." : "They have been deleted."
        return
      }
      body(rows.map(editor.shown))
    }
  }

  // MARK: - Edits

  /// Pins snippets, or unpins them when all are pinned.
  func togglePin() {
    withTargets { [self] rows in
      let isPinned = !rows.allSatisfy(\.isPinned)
      follow(editor.apply(SnippetEdit(isPinned: isPinned), to: rows))
    }
  }

  /// Puts tags on snippets, or takes them off.
  ///
  /// - Parameter prompt: The line, with the tags as ``TagLine`` reads them.
  func putTags(_ prompt: Prompt) {
    let tags = TagLine(prompt.text)
    guard !tags.isEmpty else { return }
    with(prompt.targets) { [self] rows in
      let edit = SnippetEdit(addedTags: tags.added, removedTags: tags.removed)
      follow(editor.apply(edit, to: rows), refused: { [self] in refusalHandler?(prompt) })
    }
  }

  /// Moves snippets to the trash.
  func moveToTrash() {
    withTargets { [self] rows in
      follow(editor.apply(SnippetEdit(isInTrash: true), to: rows)) { [self] in
        lists.marks.subtract(rows.map(\.id))
        let title = TerminalText(rows.first?.title ?? "", lines: .folded).description
        work.message =
          rows.count == 1
          ? "Moved to the trash: \(title). u brings it back."
          : "Moved to the trash: \(rows.count.counted("snippet")). u brings them back."
      }
    }
  }

  /// Takes back the last change.
  func undo() {
    let count = editor.nextUndoCount
    guard let (edit, id) = editor.nextUndo else {
      work.message = "Nothing to take back."
      return
    }
    guard let undo = editor.undo() else { return }
    follow(undo) { [self] in
      let many = count > 1 ? ": \(count.counted("snippet"))" : ""
      guard edit.isInTrash == true else {
        work.message = "Taken back\(many)."
        return
      }
      work.message = "Brought back\(many)."
      if !listing.filter.isInTrash { listing.select(id) }
    }
  }

  /// Brings snippets back from the trash.
  func bringBack() {
    withTargets { [self] rows in
      follow(editor.apply(SnippetEdit(isInTrash: false), to: rows)) { [self] in
        lists.marks.subtract(rows.map(\.id))
        work.message =
          rows.count == 1 ? "Brought back." : "Brought back: \(rows.count.counted("snippet"))."
      }
    }
  }

  // MARK: - Deleting for good

  /// Asks whether to delete snippets in the trash for good.
  func askToDelete() {
    withTargets { [self] rows in
      let trashed = rows.filter { $0.deletedAt != nil }
      if !trashed.isEmpty { questionHandler?(.rows(trashed)) }
    }
  }

  /// Asks whether to delete everything in the trash for good.
  func askToEmptyTrash() {
    let store = store
    work.start { [self] in
      let count = try await store.count(.trash)
      guard count > 0 else {
        work.message = "The trash is empty."
        return
      }
      questionHandler?(.all(count: count))
    }
  }

  /// Deletes what a question was about.
  func delete(_ target: DeletionQuestion) {
    let store = store
    switch target {
    case .rows(let asked):
      work.start(.change) { [self] in
        // Others may have brought some back since the question.
        let rows = try await OwnThreads.result {
          try asked.filter { try store.row($0.id)?.deletedAt != nil }
        }
        guard !rows.isEmpty else {
          work.message = "Kept: no longer in the trash."
          return
        }
        // They have no files any more once they are deleted.
        let remainder = (try? await store.remainder(of: rows.map(\.id))) ?? Remainder()
        let former = failureCount
        if let reason = await failure(of: editor.delete(rows), since: former) {
          return work.noteLoss(reason)
        }
        lists.marks.subtract(asked.map(\.id))
        work.message = Self.words(onDeleting: rows.count, remainder)
      }
    case .all(let asked):
      work.start(.change) { [self] in
        // Others may have moved more there since the question.
        let present = try await store.count(.trash)
        guard present <= asked else {
          questionHandler?(.all(count: present))
          return
        }
        let remainder = (try? await store.remainderOfTrash(before: nil)) ?? Remainder()
        let count = try await store.emptyTrash()
        list.refresh()
        lists.marks = []
        work.message = Self.words(onDeleting: count, remainder)
      }
    }
  }

  /// Reports a deletion, and the files and archives that would bring the snippets back.
  private static func words(onDeleting count: Int, _ remainder: Remainder) -> String {
    var words = "Deleted for good: \(count.counted("snippet"))."
    if let archive = remainder.archives.first {
      let name = TerminalText(archive.path, lines: .folded)
      words += " Another import of \(name) brings back what was in it."
    }
    let files = remainder.files
    guard let file = files.first else { return words }
    let name = TerminalText(file.url.path, lines: .folded)
    return files.count == 1
      ? "\(words) The next import brings it back, unless you delete \(name)"
      : "\(words) \(files.count) files stay for the next import, such as \(name)"
  }

  /// Shows whether an edit succeeded.
  private func follow(
    _ edit: Task<Void, Never>,
    done: @escaping @MainActor () -> Void = {},
    refused: @escaping @MainActor () -> Void = {}
  ) {
    let former = failureCount
    work.start(.change) { [self] in
      guard let reason = await failure(of: edit, since: former) else { return done() }
      // The reason is on the screen already, if there still is one.
      work.noteLoss(reason)
      refused()
    }
  }

  private func failure(of edit: Task<Void, Never>, since former: Int) async -> String? {
    await edit.value
    // It would arrive by itself a moment later, too.
    list.refresh()
    return failureCount == former ? nil : lastFailure
  }

  // MARK: - Files

  /// Writes snippets to files in a folder, as `snip export` does.
  ///
  /// - Parameter prompt: The line, with a folder to make, or an empty one.
  func export(_ prompt: Prompt) {
    let path = prompt.text.trimmingCharacters(in: .whitespaces)
    guard !path.isEmpty else { return }
    let followed = TypedPath.followed(HomePath.expanded(path), from: nil)
    let url = URL(fileURLWithPath: followed, isDirectory: true)
    with(prompt.targets) { [self] rows in
      work.message = "Exporting \(rows.count.counted("snippet")) …"
      work.start(.change) { [self] in
        do {
          let report = try await store.export(rows.map(\.id), to: url)
          let place = TerminalText(url.path)
          let failed = report[.failed] > 0 ? ", \(report[.failed]) failed" : ""
          if report[.failed] > 0 {
            let lost = report[.failed].counted("snippet")
            work.noteLoss("\(lost) could not be exported to \(place)")
          }
          work.message = "Exported \(report[.exported].counted("snippet"))\(failed): \(place)"
        } catch {
          refusalHandler?(prompt)
          throw error
        }
      }
    }
  }
}
