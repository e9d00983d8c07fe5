import ArgumentParser
import SnippetStore

struct RemoveCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Delete snippets, and the blobs that nothing else uses.",
    usage: "snip rm <id> ... [options]",
    discussion: """
      There is no way back but a backup.

      Examples:
        snip rm 7
        snip rm 7 9 12
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The numbers of the snippets.")
  var ids: [SnippetID]

  func run(in context: CommandContext) async throws {
    let store = try await store.open(in: context)
    let deleted = try await store.delete(ids)
    if output.isJSON {
      try context.console.output.writeLine([
        "deleted": .array(deleted.map { .integer($0.rawValue) })
      ])
    } else {
      context.console.messages.writeLine("Deleted \(deleted.count).")
    }
    let missing = ids.filter { !deleted.contains($0) }
    guard missing.isEmpty else { throw MissingSnippetsError(ids: missing) }
  }
}
