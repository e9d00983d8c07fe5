import ArgumentParser
import Foundation
import SnipCore
import SnippetStorage
import TerminalKit

struct AddCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a text, files or standard input, and print the number of each snippet.",
    usage: "snip add (<text> | <file> ... | -) [options]",
    discussion: """
      Each word that names a file becomes a snippet of its content; words that name no files are \
      one text. A word that looks like the name of a missing file is an error: --text takes it as \
      a text. The kind of a file follows from its content, not from its name.

      Examples:
        snip add 'Milk, eggs' --tag shopping
        snip add photo.jpg memo.m4a
        snip add photo.jpg --title 'The harbour' --pin
        date | snip add -
        snip add --text photo.jpg
        snip add -- '- a text that starts with a dash'
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("A text, files, or - for standard input.", valueName: "text or file"),
    completion: .file()
  )
  var joinedWords: [String] = []

  private var words: [String] { ManyWords.apart(joinedWords) }

  // Unconditional, because a text may start like an option.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A text, whatever it looks like.", valueName: "string")
  )
  var text: String?

  @Option(
    name: .customLong("file"),
    help: ArgumentHelp("A file, whatever its name. May be repeated.", valueName: "file"),
    completion: .file()
  )
  var files: [String] = []

  @Option(
    help: ArgumentHelp("A file that must be an image.", valueName: "file"),
    completion: .file()
  )
  var image: String?

  @Option(
    help: ArgumentHelp("A file that must be a recording.", valueName: "file"),
    completion: .file()
  )
  var voice: String?

  @Flag(name: .customLong("stdin"), help: "Standard input, as - is.")
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
    let words = words
    let sources = [
      !words.isEmpty, text != nil, !files.isEmpty, image != nil, voice != nil, readsInput,
    ]
    guard sources.count(where: { $0 }) == 1 else {
      throw ValidationError(
        "Give a text, files or - for standard input; or one of --text, --file, --image, --voice "
          + "and --stdin."
      )
    }
    guard words.count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("Standard input can be read once.")
    }
  }

  func run(in context: CommandContext) async throws {
    let drafts = try drafts(in: context)
    let store = try await store.open(in: context)
    if let draft = drafts.first, drafts.count == 1 {
      do {
        return try print(try await store.save(draft.draft), to: context.console.output)
      } catch let error as SnippetStoreError {
        throw InputError(error) ?? error
      }
    }
    let (console, isJSON) = (context.console, output.isJSON)
    let tally = AddTally(of: drafts.map(\.name), in: store, console) { id in
      guard isJSON else { return try console.output.writeLine(id.description) }
      if let row = try store.row(id) { try console.output.writeLine(row.json) }
    }
    try await tally.add(drafts.map(\.draft))
  }

  private func print(_ row: SnippetRow, to stream: ConsoleStream) throws {
    if output.isJSON {
      try stream.writeLine(row.json)
    } else {
      try stream.writeLine(row.id.description)
    }
  }

  /// The drafts to save, with the names of their files.
  private func drafts(in context: CommandContext) throws -> [(name: String, draft: SnippetDraft)] {
    if let image { return [(image, draft(.file(at: context.url(image)), .image))] }
    if let voice { return [(voice, draft(.file(at: context.url(voice)), .voice))] }
    let contents: [AddedContent] =
      if let text {
        [.text(text)]
      } else if readsInput {
        [.input]
      } else if !files.isEmpty {
        files.map(AddedContent.file)
      } else {
        try AddedContent.told(from: words) { AddedContent.PathKind(at: $0, in: context) }
      }
    guard title == nil || contents.count == 1 else { throw SeveralForTitleError() }
    return contents.map { content in
      switch content {
      case .text(let text): ("the text", draft(.text(text)))
      case .file(let path): (path, draft(.file(at: context.url(path))))
      case .input: ("standard input", draft(.all(of: context.input)))
      }
    }
  }

  private func draft(_ content: SnippetContent, _ kind: SnippetKind? = nil) -> SnippetDraft {
    var draft = SnippetDraft(content, kind: kind)
    draft.title = title
    draft.tags = tags
    draft.isPinned = isPinned
    return draft
  }
}

extension SnippetContent {
  /// The content of standard input.
  fileprivate static func all(of input: CommandInput) -> SnippetContent {
    .stream { try input.read(upToCount: 1 << 18) }
  }
}

/// One title was given for several snippets.
struct SeveralForTitleError: StatusError {
  var status: ExitStatus { .usage }
  var message: String { "--title is for one snippet" }
  var hint: String? { "Nothing was added. Add them one by one, or leave the title out." }
}
