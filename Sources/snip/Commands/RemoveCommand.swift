import ArgumentParser
import Foundation
import SnipCore
import SnippetExchange
import SnippetStorage
import TerminalKit

struct RemoveCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Move snippets to the trash, or delete them for good.",
    usage: "snip rm (<id> ... | --query <query>) [options]",
    discussion: """
      `snip list --trash` shows the trash, `snip undelete` restores from it, and `snip purge` \
      empties it. After --permanently, only a backup has the snippets. With that, and with \
      --query, it asks first on a terminal. Files in imported folders and in those of an \
      export stay, and are named: the next import of the folder would bring the snippets back. \
      `snip export --markdown --delete-trashed` moves the files to the trash of the desktop.

      Examples:
        snip rm 7
        snip rm 3-9 12
        snip rm --query 'tag:draft before:2024'
        snip rm 7 --permanently
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var confirmation: ConfirmationOptions

  @OptionGroup var query: QueryOption

  @Argument(help: ArgumentHelp("The numbers of the snippets, or ranges: 3-9.", valueName: "id"))
  var numbers: [ManyIDs] = []

  @Flag(
    name: .customLong("permanently"),
    help: "Delete them for good, and the blobs that nothing else uses; from the trash too."
  )
  var isPermanent = false

  func validate() throws {
    guard numbers.isEmpty == query.isGiven else {
      throw ValidationError("Give the numbers of snippets, or --query.")
    }
  }

  /// The numbers of snippets in the form that commands take: those that follow one another as ranges.
  private static func numbers(_ ids: [SnippetID]) -> [String] {
    var ranges: [ClosedRange<Int64>] = []
    for number in ids.map(\.rawValue).sorted() {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { range in
      let (first, last) = (range.lowerBound, range.upperBound)
      return first == last ? "\(first)" : "\(first)\(last == first + 1 ? " " : "-")\(last)"
    }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    let ids =
      query.isGiven
      ? try await query.ids(in: store, context)
      : try await ManyIDs(numbers).all(in: store, isInTrash: isPermanent ? nil : false)
    if isPermanent || query.isGiven, !ids.isEmpty {
      let count = Set(ids).count
      let snippets = count == 1 ? "snippet \(ids[0])" : "\(count) snippets"
      try await confirmation.require(
        isPermanent ? "Delete \(snippets) for good?" : "Move \(snippets) to the trash?",
        in: context
      )
    }
    // Before anything changes: an error says that nothing did.
    let chosen =
      isPermanent || query.isGiven ? ids : try ids.filter { try store.row($0)?.deletedAt == nil }
    var remainder = try await store.remainder(of: chosen)
    let deleted = try await isPermanent ? store.delete(ids) : store.moveToTrash(ids)
    // A query for the trash finds what is there already.
    if deleted.isEmpty { remainder = Remainder() }
    let files = remainder.files
    if output.isJSON {
      var object: JSONObject = [
        "deleted": .array(deleted.map { .integer($0.rawValue) }), "permanently": .bool(isPermanent),
      ]
      RemainingFiles.add(remainder, to: &object)
      try context.console.output.writeLine(object)
    } else if isPermanent {
      if !deleted.isEmpty { context.console.messages.writeLine("Deleted \(deleted.count).") }
      // An export moves away no others once their snippets are deleted for good.
      RemainingFiles(files, areKnown: files.allSatisfy(\.isImported)).tell(on: context.console)
    } else if !deleted.isEmpty {
      context.console.messages.writeLine("Moved \(deleted.count) to the trash.")
      // A long list pushes earlier output off the screen, and the trash shows it as well.
      let numbers = Self.numbers(deleted)
      let isShort = numbers.count <= MissingSnippetsError.toldCount
      context.console.messages.writeLine(
        "To bring back: snip undelete "
          + (isShort
            ? numbers.joined(separator: " ")
            : "with their numbers, which `snip list --trash` shows")
      )
      RemainingFiles(files, areKnown: true).tell(on: context.console)
    }
    if !output.isJSON, !deleted.isEmpty {
      RemainingFiles.tell(ofArchives: remainder.archives, on: context.console)
    }
    let found = Set(deleted)
    let missing = ids.filter { !found.contains($0) }
    guard !query.isGiven, !missing.isEmpty else { return }
    let trashed = try missing.filter { try store.row($0) != nil }
    if trashed.count == missing.count { throw TrashedAlreadyError(ids: trashed) }
    throw MissingSnippetsError(ids: missing, place: trashed.isEmpty ? .store : .outsideTrash)
  }
}

/// All the snippets to move to the trash are in it.
private struct TrashedAlreadyError: StatusError {
  let ids: [SnippetID]

  var status: ExitStatus { .noSuchSnippet }
  var message: String {
    let numbers = MissingSnippetsError.told(ids)
    return ids.count == 1
      ? "snippet \(numbers) is in the trash already"
      : "snippets \(numbers) are in the trash already"
  }
  var hint: String? { MissingSnippetsError(ids: ids, place: .outsideTrash).hint }
}
