import ArgumentParser
import SnippetStorage
import TerminalKit

struct UndeleteCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "undelete",
    abstract: "Bring snippets back from the trash.",
    usage: "snip undelete <id> ... [options]",
    discussion: """
      They return unchanged, with their numbers, dates and tags.

      Examples:
        snip undelete 7
        snip undelete 3-9 12
        snip list --trash --json --limit 0 | jq .id | xargs snip undelete
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("The numbers of the snippets, or ranges: 3-9.", valueName: "id"))
  var numbers: [ManyIDs]

  func run(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    let ids = try await ManyIDs(numbers).all(in: store, isInTrash: true)
    let undeleted = try await store.undelete(ids)
    if output.isJSON {
      try context.console.output.writeLine([
        "undeleted": .array(undeleted.map { .integer($0.rawValue) })
      ])
    } else if !undeleted.isEmpty {
      context.console.messages.writeLine("Brought back \(undeleted.count).")
    }
    let found = Set(undeleted)
    let missing = ids.filter { !found.contains($0) }
    guard missing.isEmpty else { throw MissingSnippetsError(ids: missing, place: .trash) }
  }
}
