import ArgumentParser
import Foundation
import SnippetStorage
import TerminalKit

struct AddCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a snippet and print its number.",
    usage: "snip add (--text <string> | --image <file> | --voice <file> | --stdin)",
    discussion: """
      Examples:
        snip add --text 'Milk, eggs' --tag shopping
        snip add --image photo.jpg --title 'The harbour'
        date | snip add --stdin
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("A text.", valueName: "string"))
  var text: String?

  @Option(help: ArgumentHelp("The file of an image.", valueName: "file"), completion: .file())
  var image: String?

  @Option(help: ArgumentHelp("The file of a recording.", valueName: "file"), completion: .file())
  var voice: String?

  @Flag(name: .customLong("stdin"), help: "Read the content from standard input.")
  var readsInput = false

  @Option(help: "The title. (default: the first line, the title in the file, or its name)")
  var title: String?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("A tag. May be repeated.", valueName: "tag")
  )
  var tags: [String] = []

  @Flag(name: .customLong("pin"), help: "Pin the snippet.")
  var isPinned = false

  func validate() throws {
    let sources = [text != nil, image != nil, voice != nil, readsInput].count { $0 }
    guard sources == 1 else {
      throw ValidationError("Give one of --text, --image, --voice and --stdin.")
    }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.open(in: context)
    let draft = draft
    let row: SnippetRow
    do {
      row = try await store.save(draft)
    } catch {
      throw InputError(error) ?? error
    }
    if output.isJSON {
      try context.console.output.writeLine(row.json)
    } else {
      try context.console.output.writeLine(row.id.description)
    }
  }

  private var draft: SnippetDraft {
    var draft: SnippetDraft
    if let text {
      draft = SnippetDraft(.text(text))
    } else if let image {
      draft = SnippetDraft(.file(at: URL(fileURLWithPath: image)), kind: .image)
    } else if let voice {
      draft = SnippetDraft(.file(at: URL(fileURLWithPath: voice)), kind: .voice)
    } else {
      draft = SnippetDraft(
        .stream {
          let piece = try FileHandle.standardInput.read(upToCount: 1 << 18)
          return piece?.isEmpty == false ? piece : nil
        }
      )
    }
    draft.title = title
    draft.tags = tags
    draft.isPinned = isPinned
    return draft
  }
}
