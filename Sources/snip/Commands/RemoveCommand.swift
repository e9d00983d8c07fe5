import ArgumentParser
import SnippetStorage
import TerminalKit

struct RemoveCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Move snippets to the trash, or delete them for good.",
    usage: "snip rm <id> ... [options]",
    discussion: """
      `snip list --trash` shows the trash, `snip undelete` restores from it, and `snip purge` \
      empties it. After --permanently, only a backup has the snippets; on a terminal it asks first.

      Examples:
        snip rm 7
        snip rm 7 9 12
        snip rm 7 --permanently
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var confirmation: ConfirmationOptions

  @Argument(help: ArgumentHelp("The numbers of the snippets.", valueName: "ids"))
  var numbers: [ManyIDs]

  private var ids: [SnippetID] { numbers.flatMap(\.ids) }

  @Flag(
    name: .customLong("permanently"),
    help: "Delete them for good, and the blobs that nothing else uses; from the trash too."
  )
  var isPermanent = false

  func run(in context: CommandContext) async throws {
    let ids = ids
    let store = try await store.openForChanging(in: context)
    if isPermanent {
      let count = Set(ids).count
      try await confirmation.require(
        count == 1 ? "Delete snippet \(ids[0]) for good?" : "Delete \(count) snippets for good?",
        in: context
      )
    }
    let deleted = try await isPermanent ? store.delete(ids) : store.moveToTrash(ids)
    if output.isJSON {
      try context.console.output.writeLine([
        "deleted": .array(deleted.map { .integer($0.rawValue) }), "permanently": .bool(isPermanent),
      ])
    } else if isPermanent {
      context.console.messages.writeLine("Deleted \(deleted.count).")
    } else {
      context.console.messages.writeLine("Moved \(deleted.count) to the trash.")
      if !deleted.isEmpty {
        // A long list pushes earlier output off the screen, and the trash shows it as well.
        let isShort = deleted.count <= MissingSnippetsError.toldCount
        let numbers = deleted.map(\.description).joined(separator: " ")
        context.console.messages.writeLine(
          "To bring back: snip undelete "
            + (isShort ? numbers : "with their numbers, which `snip list --trash` shows")
        )
      }
    }
    let found = Set(deleted)
    let missing = ids.filter { !found.contains($0) }
    let isInTrash = try missing.contains { try store.row($0) != nil }
    guard missing.isEmpty else {
      throw MissingSnippetsError(ids: missing, place: isInTrash ? .outsideTrash : .store)
    }
  }
}
