import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import SnippetSync
import TerminalKit

struct PurgeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Delete everything in the trash for good, without a trace.",
    usage: "snip purge [options]",
    discussion: """
      Rewrites the file, so that neither it nor its log keeps a trace of anything deleted. That \
      needs free space of twice its size. Ctrl-C ends it and loses nothing outside the trash. It \
      removes the unfinished copies that killed backups and restores left in the store's folder. It \
      does not reach backups, or copies the disk itself keeps. A text that could not be saved, or \
      that an editor has open, lies beside the store: it stays, and is named. On a terminal it asks first.

      Files in imported folders and in those of an export stay, and are named: the next import \
      of the folder would bring the snippets back, and so would one of an archive. To move the \
      files away, run `snip export --markdown --delete-trashed` first.

      --older-than keeps what was moved to the trash before 2020: a wrong clock has dated \
      that.

      In a store that synchronizes, it says how many deleted snippets are still in the \
      repository, encrypted: nothing is deleted there. Other devices delete them when they \
      synchronize.

      Nor does it reach a replica, such as one that Litestream keeps, and it cannot empty the log \
      while Litestream runs: stop the replication, purge, delete the replica, start it again.

      Examples:
        snip purge
        snip purge --older-than 30d
        snip purge --quick
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var confirmation: ConfirmationOptions

  @Option(
    name: .customLong("older-than"),
    help: ArgumentHelp(
      "Only snippets that have been in the trash for longer: 12h, 30d, 8w.",
      valueName: "age"
    )
  )
  var age: AgeArgument?

  @Flag(
    name: .customLong("quick"),
    help: "Do not rewrite the file; traces of titles and short texts may stay."
  )
  var isQuick = false

  func run(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    let count = try await store.count(.trash)
    if count > 0 {
      let what =
        age.map { "snippets that have been in the trash for longer than \($0.text)" }
        ?? "the \(count.counted("snippet")) in the trash"
      try await confirmation.require("Delete \(what) for good?", in: context)
    }
    let date = age.map { Date().addingTimeInterval(-$0.seconds) }
    let rewritesFile = !isQuick
    let remainder = try await store.remainderOfTrash(before: date)
    let report: PurgeReport
    let sentCount: Int?
    let emptiedCount = Lock(0)
    do {
      (report, sentCount) = try await context.cancellable {
        var sentCount = try await StoreSync.forgetDeleted(in: store)
        if sentCount != nil {
          // Entries keep the texts of deleted snippets until the deletion is captured.
          let count = try await store.emptyTrash(before: date)
          emptiedCount.withLock { $0 = count }
          sentCount = try await StoreSync.forgetDeleted(in: store)
        }
        var report = try await store.purge(before: date, rewritesFile: rewritesFile)
        report.deletedCount += emptiedCount.withLock(\.self)
        return (report, sentCount)
      }
    } catch let error as SnippetStoreError where error.code == .cancelled {
      throw InterruptedPurgeError()
    } catch let error as SnippetStoreError where emptiedCount.withLock({ $0 > 0 }) {
      throw SnippetStoreError(
        error.code,
        "remove all traces of what was deleted",
        because: error.reason,
        keeping: "The trash was emptied.",
        do: "Purge again."
      )
    }
    if output.isJSON {
      var object: JSONObject = [
        "deleted": JSONValue(report.deletedCount),
        "complete": .bool(report.isComplete),
        "remainingLogBytes": .integer(report.remainingLogByteCount),
        "remainingCopies": JSONValue(report.remainingCopies.count),
        "folderListed": .bool(report.unlistedFolder == nil),
        "keptTexts": JSONValue(report.keptTexts.count),
      ]
      RemainingFiles.add(remainder, to: &object)
      object["inRepository"] = sentCount.map { JSONValue($0) }
      try context.console.output.writeLine(object)
    } else {
      context.console.messages.writeLine("Deleted \(report.deletedCount) for good.")
      RemainingFiles(remainder.files, areKnown: false).tell(on: context.console)
      RemainingFiles.tell(ofArchives: remainder.archives, on: context.console)
      if isQuick {
        context.console.messages.writeLine(
          "Remains of titles and short texts may be left; without --quick nothing is."
        )
      }
      tell(ofKept: report.keptTexts, in: context)
      if let sentCount, sentCount > 0 { await tell(ofSent: sentCount, store, in: context) }
    }
    // Only a hint: the purge is done, and must not be reported as a failure.
    let replication = (try? store.replicationTable()) ?? nil
    guard report.remainingLogByteCount == 0 else {
      throw RemainingLogError(
        byteCount: report.remainingLogByteCount,
        replicationTable: replication
      )
    }
    guard report.remainingCopies.isEmpty else {
      throw RemainingCopiesError(copies: report.remainingCopies)
    }
    if let folder = report.unlistedFolder { throw UnlistedFolderError(folder: folder) }
    if let replication {
      context.console.messages.writeLine(
        """
        The table \(TerminalText(replication)) tells of a replication by Litestream: its replica \
        keeps what was purged. Delete the replica and begin another one.
        """
      )
    }
  }
}

extension PurgeCommand {
  /// Tells of texts that are not in the store yet, which no purge removes.
  private func tell(ofKept texts: [URL], in context: CommandContext) {
    guard !texts.isEmpty else { return }
    let (them, verb) = texts.count == 1 ? ("it", "is") : ("them", "are")
    context.console.messages.writeLine(
      """
      \(texts.count.counted("text")) beside the store \(verb) not saved, and may be of deleted \
      snippets. `snip browse` offers to save or drop \(them); then purge again.
      """
    )
    for text in texts { context.console.messages.writeLine("  \(TerminalText(text.path))") }
  }

  /// Tells where deleted snippets are still, though not in this store.
  private func tell(
    ofSent count: Int,
    _ store: SnippetStore,
    in context: CommandContext
  ) async {
    // Only a hint, as above.
    let joined = (try? await StoreSync.repository(of: store)) ?? nil
    let place = joined.map { " in \(TerminalText($0.address, lines: .folded))" } ?? ""
    // A store that has left tells the others nothing.
    let advice =
      joined == nil
      ? "Other devices are not told of it."
      : "`snip sync` deletes them on the other devices; purge there, too."
    context.console.messages.writeLine(
      """
      The repository\(place) still has \(count.counted("deleted snippet")), encrypted: nothing is \
      deleted there. \(advice)
      """
    )
  }
}

/// The program was asked to end before the purge was done.
struct InterruptedPurgeError: StatusError {
  var status: ExitStatus { .interrupted }
  var message: String { "interrupted: deleted content may have left traces in the file" }
  var hint: String? { "Nothing else was lost. Run it again to remove them." }
}

/// Another program keeps the log from being emptied.
struct RemainingLogError: StatusError {
  let byteCount: Int64
  /// The table that identifies a replication; `nil` if there is none.
  let replicationTable: String?

  var status: ExitStatus { .busy }
  var message: String {
    "could not empty the log (\(ByteCountText(byteCount))), which may hold deleted content: another "
      + "program holds it"
  }
  var hint: String? {
    guard let replicationTable else { return "Run it again once that program is done." }
    return """
      The table \(replicationTable) tells that it may be Litestream, which holds the log for as long \
      as it runs, and whose replica keeps what was purged.
      Stop the replication, purge again, delete the replica, and start the replication.
      """
  }
}

/// Copies beside the store that another program is making.
struct RemainingCopiesError: StatusError {
  let copies: [URL]

  var status: ExitStatus { .busy }
  var message: String {
    let names = copies.map(\.lastPathComponent).joined(separator: ", ")
    return """
      could not remove \(names) beside the store, which may hold deleted content: another program \
      uses it
      """
  }
  var hint: String? {
    "Run it again once that backup or restore is done. If none is running, delete the file."
  }
}

extension SnippetStore {
  /// The table that identifies a replication by Litestream, if there is one.
  fileprivate func replicationTable() throws -> String? {
    try tableNames().first { $0.hasPrefix("_litestream_") }
  }
}

/// A length of time as the command line spells it: a number with h, d or w.
struct AgeArgument: ExpressibleByArgument {
  /// The length in seconds.
  let seconds: Double
  /// The length as it was typed.
  let text: String

  /// Reads an age.
  ///
  /// - Parameter argument: Such as `12h`, `30d` or `8w`.
  init?(argument: String) {
    let units: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()),
      (0...1_000_000).contains(count)
    else { return nil }
    seconds = Double(count) * unit
    text = argument
  }
}
