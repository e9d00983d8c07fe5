import ArgumentParser
import Foundation
import SnipBrowser
import SnipCore
import SnippetExchange
import SnippetStorage
import TerminalKit

struct EditCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit a text or a note in your editor, or change the title, text, note or pin.",
    usage: "snip edit <id> [options]",
    discussion: """
      Without options it opens the text in $VISUAL, else $EDITOR, and saves what you have written \
      when the editor ends; of an image or recording it opens the note. What others change or \
      delete in the meantime is not overwritten: your text is kept then, and `snip browse` offers \
      it. Tags are changed with `snip tag`.

      A title that was made of the first line of a text follows the text, unless --title gives \
      another. What the edit changes in the front matter of a note (title, tags, created, pinned) \
      and in its #tags is changed in the store too.

      An edited text is in UTF-8, whatever it was in before. A text with bytes that are not \
      characters is not opened, because an editor would lose them. --text '' empties a text; \
      an empty file in the editor and --stdin never do.

      The note of an image or recording is a caption, a description or a transcript; an empty file \
      in the editor, or --note '', removes it.

      Examples:
        snip edit 9
        snip edit 7
        snip edit 7 --title 'The harbour at night'
        snip edit 7 --note 'The boats of the regatta'
        snip edit 9 --text 'Milk, eggs, bread'
        snip cat 9 | sort | snip edit 9 --stdin
        snip edit 9 --pin
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The number of the snippet.")
  var id: SnippetID

  @Option(help: "The new title.")
  var title: String?

  @Option(help: ArgumentHelp("The new text of a text snippet.", valueName: "string"))
  var text: String?

  @Flag(name: .customLong("stdin"), help: "Take the new text from standard input.")
  var readsInput = false

  @Option(help: ArgumentHelp("The new note of an image or recording.", valueName: "string"))
  var note: String?

  @Flag(
    inversion: .prefixedNo,
    exclusivity: .exclusive,
    help: "Pin the snippet, or unpin it."
  )
  var pin: Bool?

  // A text is saved also after a signal that came while it was edited.
  static let handlesInterrupts = true

  private var opensEditor: Bool {
    title == nil && text == nil && !readsInput && note == nil && pin == nil
  }

  func validate() throws {
    guard text == nil || !readsInput else {
      throw ValidationError("Give --text or --stdin, not both.")
    }
  }

  func run(in context: CommandContext) async throws {
    guard !opensEditor else { return try await runEditor(in: context) }
    context.interrupts.endAtFirstRequest()
    let store = try await store.openForChanging(in: context)
    var edit = SnippetEdit(title: title, text: text, note: note, isPinned: pin)
    if readsInput {
      let bytes: Data
      do { bytes = try context.input.readToEnd() } catch { throw InputFailure(error) }
      // A command before a pipe that failed writes nothing.
      guard !bytes.isEmpty else { throw EmptyInputError(id: id) }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw InputNotUTF8Error() }
      edit.text = text
    }
    let row = try await store.apply(try await store.completing(edit, of: id), to: id)
    if output.isJSON { try context.console.output.writeLine(row.json) }
  }

  /// Has the text or note edited in the user's editor.
  private func runEditor(in context: CommandContext) async throws {
    guard context.input.isTerminal, context.console.output.device.isTerminal else {
      throw NoTerminalForEditorError()
    }
    let store = try await store.openForChanging(in: context)
    guard let row = try store.row(id) else { throw MissingSnippetsError(ids: [id]) }
    guard row.deletedAt == nil else { throw TrashedSnippetError(id: id) }
    let messages = context.console.messages
    let edit = await SingleEdit(in: store, environment: context.environment) {
      messages.writeLine($0)
    }
    switch try await edit.edit(row) {
    case .saved: messages.writeLine("Saved.")
    case .unchanged(let advice):
      messages.writeLine("Nothing was changed.\(advice.isEmpty ? "" : " \(advice)")")
    }
    if output.isJSON, let row = try store.row(id) {
      try context.console.output.writeLine(row.json)
    }
    try context.interrupts.throwIfRequested()
  }
}

/// A text was to be edited where no editor can be shown.
struct NoTerminalForEditorError: StatusError {
  var status: ExitStatus { .usage }
  var message: String { "could not open an editor: it needs a terminal" }
  var hint: String? {
    "Say what to change: --title, --text, --stdin, --note, --pin or --no-pin. For tags: snip tag"
  }
}

/// A snippet was to be edited in the trash.
struct TrashedSnippetError: StatusError {
  let id: SnippetID

  var status: ExitStatus { .noSuchSnippet }
  var message: String { "could not edit snippet \(id): it is in the trash" }
  var hint: String? { "To bring it back: snip undelete \(id)" }
}

/// Standard input was to give a text, and has no bytes.
struct EmptyInputError: StatusError {
  let id: SnippetID

  var status: ExitStatus { .badInput }
  var message: String { "could not read the text from standard input: there are no bytes" }
  var hint: String? { "Nothing was changed. To empty the text: snip edit \(id) --text ''" }
}

/// A text from standard input is not UTF-8.
struct InputNotUTF8Error: StatusError {
  var status: ExitStatus { .badInput }
  var message: String { "could not read the text from standard input: it is not UTF-8" }
  var hint: String? { "Convert it first, for example with iconv -t UTF-8. Nothing was changed." }
}
