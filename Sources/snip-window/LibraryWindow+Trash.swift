#if GTK
import CGTK
import Foundation
import SnippetExchange
import SnippetGTK
import SnippetLoading
import SnippetStorage

/// The trash: what goes there, and what is deleted for good.
extension LibraryWindow {
  /// Says what was moved to the trash, with a button to undo it, and hides that after another step.
  func lastStepDidChange() {
    guard let trashed = trashing, editor.nextUndo?.edit.isInTrash == true else {
      return banner.hide(about: .lastStep)
    }
    trashing = nil
    let message = naming(trashed) {
      localized("“{1}” was moved to the trash.", $0)
    } orCounting: {
      localizedCount(
        "{1} snippet was moved to the trash.",
        "{1} snippets were moved to the trash.",
        count: $0
      )
    }
    banner.show(
      message,
      about: .lastStep,
      [(localized("Undo"), { [unowned self] in editor.undo() })]
    )
  }

  /// Words that tell one snippet by its name, and several by their number.
  private func naming(
    _ rows: [SnippetRow],
    _ named: (String) -> String,
    orCounting counted: (Int) -> String
  ) -> String {
    rows.count == 1 ? named(rows[0].name) : counted(rows.count)
  }

  /// Deletes snippets in the trash, once the user has confirmed it.
  func deleteForGood(_ rows: [SnippetRow]) {
    let rows = rows.filter { $0.deletedAt != nil }
    guard !rows.isEmpty else { return }
    let question = naming(rows) {
      localized("Delete “{1}” for good?", $0)
    } orCounting: {
      localizedCount("Delete {1} snippet for good?", "Delete {1} snippets for good?", count: $0)
    }
    confirm(question) { [unowned self] in
      Task {
        // Others may have brought some back since the question.
        let rows = rows.filter { (try? store.row($0.id))?.deletedAt != nil }
        // Only a hint: what was asked for is done without it.
        let remainder = (try? await store.remainder(of: rows.map(\.id))) ?? Remainder()
        await editor.delete(rows).value
        let sentences = words(on: remainder)
        if !sentences.isEmpty { banner.show(sentences.joined(separator: " ")) }
      }
    }
  }

  /// Names the files and archives that have what was deleted.
  private func words(on remainder: Remainder) -> [String] {
    let archive = remainder.archives.first.map {
      localized("Another import of {1} brings back what was in it.", $0.path)
    }
    return [words(onRemaining: remainder.files), archive].compactMap(\.self)
  }

  private func words(onRemaining files: [RemainingFile]) -> String? {
    guard let file = files.first else { return nil }
    return files.count == 1
      ? localized(
        "“{1}” stays, and the next import of its folder brings it back.",
        file.url.lastPathComponent
      )
      : localizedCount(
        "{1} file stays, and the next import brings it back.",
        "{1} files stay, and the next import brings them back.",
        count: files.count
      )
  }

  /// Deletes all snippets in the trash, once the user has confirmed it.
  func emptyTrash() {
    do throws(SnippetStoreError) {
      let count = try store.list(.trash).count
      guard count > 0 else { return banner.show(localized("The trash is empty.")) }
      confirm(
        localizedCount(
          "Delete the {1} snippet in the trash for good?",
          "Delete all {1} snippets in the trash for good?",
          count: count
        )
      ) { [unowned self] in
        Task {
          do throws(SnippetStoreError) {
            // Others may have moved more there since the question.
            guard try store.list(.trash).count <= count else { return emptyTrash() }
            // A step that moved something there cannot be undone any more.
            banner.hide(about: .lastStep)
            let remainder = try await store.remainderOfTrash(before: nil)
            let deleted = try await store.emptyTrash()
            let words = localizedCount(
              "{1} snippet was deleted.",
              "{1} snippets were deleted.",
              count: deleted
            )
            let sentences = [words] + self.words(on: remainder)
            banner.show(sentences.joined(separator: " "))
          } catch { tell(error) }
        }
      }
    } catch { tell(error) }
  }

  /// Asks in a window before something that cannot be undone.
  private func confirm(_ question: String, _ done: @escaping () -> Void) {
    let dialog = Builder(PackageResources.confirm_ui)
    let window: UnsafeMutablePointer<GtkWindow> = UnsafeMutablePointer(dialog.object("confirm"))
    gtk_label_set_text(dialog.object("question"), question)
    gtk_window_set_transient_for(window, self.window)
    onSignal("clicked", of: dialog.object("delete")) { _ in
      gtk_window_destroy(window)
      done()
    }
    gtk_window_present(window)
  }
}

extension SnippetRow {
  /// The title, or else what a user recognizes the snippet by.
  var name: String {
    if !title.isEmpty { return title }
    let preview = previewWithoutFrontMatter
    return preview.isEmpty ? localized("Untitled") : String(preview.prefix(40))
  }
}
#endif
