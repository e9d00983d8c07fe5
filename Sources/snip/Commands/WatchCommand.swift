import ArgumentParser
import SnipCore
import SnippetStorage
import TerminalKit

struct WatchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print every change as it happens, until Ctrl-C.",
    usage: "snip watch [options]",
    discussion: """
      Prints a change made by snip, an app or the sqlite3 shell within about 50 milliseconds. \
      Each line begins with the change number. --after continues from such a number, so that \
      nothing is missed; the store keeps at least its last 65,536 changes.

      Examples:
        snip watch
        snip watch --json --after 1042
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Start after this change number. (default: the latest)",
      valueName: "change-number"
    )
  )
  var after: Int64?

  @Option(
    help: ArgumentHelp("Stop after this many changes. (default: never)", valueName: "count")
  )
  var limit: Int?

  func validate() throws {
    guard limit ?? 1 > 0 else { throw ValidationError("--limit must be at least 1.") }
    guard after ?? 0 >= 0 else { throw ValidationError("--after must be at least 0.") }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    let start: ChangeNumber
    let last = try await store.lastChange
    start = after.map(ChangeNumber.init(rawValue:)) ?? last
    guard start.rawValue <= last.rawValue else { throw LaterChangeError(after: start, last: last) }
    context.console.messages.writeLine("Watching from change \(start) on. Ctrl-C ends it.")
    var rest = limit ?? .max
    for try await batch in store.changeBatches(after: start) {
      if batch.hasFallenBehind { try tellOfGap(before: batch.next, in: context) }
      for change in batch.changes {
        try tell(change, of: store, in: context)
        rest -= 1
        if rest == 0 { return }
      }
      // The next change may be long in coming.
      try context.console.output.flush()
    }
  }

  private func tell(
    _ change: RecordedChange,
    of store: SnippetStore,
    in context: CommandContext
  ) throws {
    let row = try store.row(change.snippetID)
    if output.isJSON {
      var object: JSONObject = [
        "change": .integer(change.number.rawValue),
        "event": .string(change.event.name),
        "id": .integer(change.snippetID.rawValue),
      ]
      object["tag"] = change.event.tag.map(JSONValue.string)
      object["title"] = (row?.title).map(JSONValue.string)
      return try context.console.output.writeLine(object)
    }
    let what = [change.event.tag.map { "#\($0)" }, row?.summary()].compactMap(\.self)
    let line = "\(change.number)  \(change.event.name)  \(change.snippetID)  "
    try context.console.output.writeLine(
      line + TerminalText(what.joined(separator: " · "), lines: .folded).description
    )
  }

  private func tellOfGap(before next: ChangeNumber, in context: CommandContext) throws {
    if output.isJSON {
      try context.console.output.writeLine([
        "change": .integer(next.rawValue), "event": .string("gap"),
      ])
    } else {
      context.console.messages.writeLine(
        "Some changes up to \(next) are not recorded any more: read everything again."
      )
    }
  }
}

/// The changes after one that is still to come were asked for.
struct LaterChangeError: StatusError {
  let after: ChangeNumber
  let last: ChangeNumber

  var status: ExitStatus { .usage }
  var message: String { "there is no change \(after) yet: the last one is \(last)" }
  var hint: String? { "The number may be of another store." }
}

extension RecordedChange.Event {
  fileprivate var name: String {
    switch self {
    case .inserted: "inserted"
    case .updated: "updated"
    case .movedToTrash: "trashed"
    case .undeleted: "undeleted"
    case .deleted: "deleted"
    case .tagAdded: "tagged"
    case .tagRemoved: "untagged"
    }
  }

  fileprivate var tag: String? {
    switch self {
    case .tagAdded(let tag), .tagRemoved(let tag): tag
    case .inserted, .updated, .movedToTrash, .undeleted, .deleted: nil
    }
  }
}
