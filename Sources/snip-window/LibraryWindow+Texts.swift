#if GTK
import SnipCore
import SnippetLoading
import SnippetStorage

/// New notes, and texts that need the user before they can be saved.
extension LibraryWindow {
  /// Opens a new note to be typed into.
  func addNote() {
    guard adding == nil else { return }
    // Until it is there, its keystrokes would go into the text on screen.
    opened.text.pause()
    adding = Task {
      defer { adding = nil }
      do throws(SnippetStoreError) {
        var draft = SnippetDraft(.text(""), kind: .text)
        draft.hints.isTextWhenEmpty = true
        let row = try await store.save(draft)
        opened.open(new: row.id, in: store.list())
        showPage()
      } catch {
        opened.text.resume()
        tell(error)
      }
    }
  }

  /// Asks what to do with a text that is not saved without the user.
  func textDidReach(_ state: SnippetTextEditor.State) {
    let texts = opened.text.editor
    opened.followText()
    switch state {
    case .conflict(let theirs):
      // Their lines that differ, which may be far down.
      let lines = TextDifference(opened.text.text, theirs).second
      banner.show(
        localized(
          "This text was changed elsewhere, and is kept as you have it. Theirs: “{1}”",
          lines.count > 600 ? "\(lines.prefix(600))…" : String(lines)
        ),
        needsAnswer: true,
        about: .text,
        [
          (localized("Keep mine"), { texts.keepMine() }),
          (localized("Take theirs"), { [unowned self] in takeTheirs() }),
          (localized("Keep both"), { texts.saveAsNew() }),
        ]
      )
    case .inTrash where texts.hasUnsavedText:
      banner.show(
        localized("This text was moved to the trash elsewhere. What you typed is kept."),
        needsAnswer: true,
        about: .text,
        [
          (localized("Bring it back"), { texts.keepMine() }),
          (localized("Save as a new text"), { texts.saveAsNew() }),
        ]
      )
    case .deleted where texts.hasUnsavedText:
      banner.show(
        localized("This text was deleted elsewhere. What you typed is kept."),
        needsAnswer: true,
        about: .text,
        [(localized("Save as a new text"), { texts.keepMine() })]
      )
    default:
      guard let id = texts.snippet, !texts.isEditable else { return banner.hide(about: .text) }
      banner.show(
        localized(
          "An editor would lose the bytes of the text that are no characters. snip cat {1} > FILE keeps them. Edit FILE, then snip add FILE",
          "\(id)"
        ),
        about: .text
      )
    }
  }

  /// Shows the text of others, with a button to go back until something is typed.
  private func takeTheirs() {
    let texts = opened.text.editor
    texts.takeTheirs()
    banner.show(
      localized("Your text was replaced by theirs."),
      about: .text,
      [(localized("Undo"), { texts.undo() })]
    )
  }

  /// Offers a text that an earlier start could not save.
  func offerKeptTexts() {
    Task {
      guard let text = await opened.text.editor.keptTexts().first else { return }
      banner.show(
        localized("A text that could not be saved was kept."),
        [(localized("Open it"), { [unowned self] in open(kept: text) })]
      )
    }
  }

  private func open(kept text: UnsavedText) {
    opened.open(kept: text, in: store.list())
    showPage()
  }
}
#endif
