import ArgumentParser
import Foundation
import SnipCore
import SnippetStorage
import TerminalKit

struct EditCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change the title, the text or the pin of a snippet.",
    usage: "snip edit <id> [options]",
    discussion: """
      A title that was made of the first line of a text follows the text, unless --title gives \
      another.

      Examples:
        snip edit 7 --title 'The harbour at night'
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

  @Flag(inversion: .prefixedNo, help: "Pin the snippet, or unpin it.")
  var pin: Bool?

  func validate() throws {
    guard title != nil || text != nil || readsInput || pin != nil else {
      throw ValidationError("Say what to change: --title, --text, --stdin, --pin or --no-pin.")
    }
    guard text == nil || !readsInput else {
      throw ValidationError("Give --text or --stdin, not both.")
    }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    var edit = SnippetEdit(title: title, text: text, isPinned: pin)
    if readsInput {
      let bytes = try context.input.readToEnd()
      guard let text = String(validating: bytes, as: UTF8.self) else { throw InputNotUTF8Error() }
      edit.text = text
    }
    let row = try await store.apply(edit, to: id)
    if output.isJSON { try context.console.output.writeLine(row.json) }
  }
}

/// A text from standard input is not UTF-8.
struct InputNotUTF8Error: StatusError {
  var status: ExitStatus { .badInput }
  var message: String { "could not read the text from standard input: it is not UTF-8" }
  var hint: String? { "Convert it first, for example with iconv -t UTF-8. Nothing was changed." }
}
