import ArgumentParser
import SnippetStorage
import TerminalKit

struct TagCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Put tags on a snippet or take them off; without a snippet, list all tags.",
    usage: "snip tag [<id> [<tag> ...]] [options]",
    discussion: """
      Examples:
        snip tag                          all tags and how many snippets carry them
        snip tag 7 holiday 'family photo'
        snip tag 7 --remove inbox
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The number of the snippet.")
  var id: SnippetID?

  @Argument(help: "Tags to put on.")
  var tags: [String] = []

  @Option(
    name: .customLong("add"),
    help: ArgumentHelp("A tag to put on. May be repeated.", valueName: "tag")
  )
  var added: [String] = []

  @Option(
    name: .customLong("remove"),
    help: ArgumentHelp("A tag to take off. May be repeated.", valueName: "tag")
  )
  var removed: [String] = []

  func validate() throws {
    guard id != nil || tags.isEmpty && added.isEmpty && removed.isEmpty else {
      throw ValidationError("Say which snippet: `snip tag ID TAG`.")
    }
  }

  func run(in context: CommandContext) async throws {
    guard let id else {
      let store = try await store.openForReading(in: context)
      return try await listTags(of: store, context.console.output)
    }
    let edit = SnippetEdit(addedTags: tags + added, removedTags: removed)
    let row: SnippetRow
    if edit == SnippetEdit() {
      let found = try await store.openForReading(in: context).row(id)
      guard let found else { throw MissingSnippetsError(ids: [id]) }
      row = found
    } else {
      row = try await store.openForChanging(in: context).update(id, with: edit)
    }
    if output.isJSON {
      try context.console.output.writeLine(row.json)
    } else {
      for tag in row.tags { try context.console.output.writeLine(TerminalText(tag).description) }
    }
  }

  private func listTags(of store: SnippetStore, _ stream: ConsoleStream) async throws {
    for tag in try await store.tags() {
      if output.isJSON {
        try stream.writeLine(["tag": .string(tag.name), "snippets": JSONValue(tag.snippetCount)])
      } else {
        try stream.writeLine("\(TerminalText(tag.name))  \(tag.snippetCount)")
      }
    }
  }
}
