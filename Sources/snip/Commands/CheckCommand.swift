import ArgumentParser
import SnipCore
import SnippetRescue
import SnippetStorage
import TerminalKit

struct CheckCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the whole store: structure, references and every byte.",
    usage: "snip check [options]",
    discussion: """
      Changes nothing without --repair. Exits with 0 only if everything is sound. Tables of other \
      programs in the file are listed as notes, and are a problem only if they touch the snippets.

      --repair restores everything that can be computed again or proven: the search index, \
      derivatives, counts, indexes, numbers, and a single flipped bit of a row or text. It leaves \
      the rest: use a backup or `snip salvage` for that.

      Examples:
        snip check
        snip check --repair
        snip check --store ~/Backups/snippets-2026-01-31.sqlite
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Flag(name: .customLong("repair"), help: "Repair everything that can be repaired.")
  var repairs = false

  @Flag(
    name: .customLong("accept-damage"),
    help: "With --repair: accept damaged rows as they are."
  )
  var acceptsDamage = false

  func validate() throws {
    guard repairs || !acceptsDamage else {
      throw ValidationError("--accept-damage is for --repair.")
    }
  }

  func run(in context: CommandContext) async throws {
    let store =
      try await repairs
      ? store.openForChanging(in: context) : store.openAsItIs(in: context)
    let bar = ProgressBar(title: "Checking", on: context.console.messages)
    defer { bar.finish() }
    let acceptsDamage = acceptsDamage
    let (repairs, report) = try await context.cancellable { [repairs] in
      guard repairs else { return ([String](), try await store.check(onProgress: bar.update)) }
      let found = try await store.repair(
        acceptsDamage: acceptsDamage,
        onProgress: bar.update
      )
      return (found.repairs, found.check)
    }
    bar.finish()
    try print(repairs, report, to: context.console.output)
    guard report.isSound else {
      throw UnsoundStoreError(report, isRepaired: self.repairs, acceptsDamage: acceptsDamage)
    }
  }

  /// Opens an existing store, since an empty one needs no repair.
  private func print(
    _ repairs: [String],
    _ report: CheckReport,
    to stream: ConsoleStream
  ) throws {
    if output.isJSON {
      var object = report.json
      if self.repairs { object["repairs"] = .array(repairs.map { .string($0) }) }
      try stream.writeLine(object)
      return
    }
    for repair in repairs { try stream.writeLine("repaired: \(TerminalText(repair))") }
    for problem in report.problems {
      let ids = problem.snippetIDs.map(\.description).joined(separator: ", ")
      let concerned = ids.isEmpty ? "" : " (snippet \(ids))"
      try stream.writeLine(
        "\(problem.area.rawValue): \(TerminalText(problem.description))\(concerned)"
      )
    }
    for note in report.notes { try stream.writeLine("note: \(TerminalText(note))") }
    if report.isSound {
      try stream.writeLine(
        """
        sound: \(report.snippetCount.counted("snippet"))\
        \(report.trashCount > 0 ? " (\(report.trashCount) in the trash)" : ""), \
        \(report.blobCount.counted("blob")) \
        (\(ByteCountText(report.blobByteCount)) read and compared with their hashes)
        """
      )
    }
  }
}

extension ProgressBar {
  /// Notes the progress of work on the whole store.
  ///
  /// - Parameter progress: The bytes done and to do.
  @Sendable func update(_ progress: StoreProgress) {
    update(
      WorkProgress(
        byteCount: progress.completedByteCount,
        totalByteCount: progress.totalByteCount
      )
    )
  }
}

extension CheckReport {
  /// The report as JSON.
  var json: JSONObject {
    [
      "sound": .bool(isSound),
      "snippets": JSONValue(snippetCount),
      "trash": JSONValue(trashCount),
      "derivatives": JSONValue(derivativeCount),
      "blobs": JSONValue(blobCount),
      "blobBytes": .integer(blobByteCount),
      "problems": .array(
        problems.map { problem in
          [
            "area": .string(problem.area.rawValue),
            "problem": .string(problem.description),
            "snippets": .array(problem.snippetIDs.map { .integer($0.rawValue) }),
          ]
        }
      ),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}

/// The check found problems.
struct UnsoundStoreError: StatusError {
  private let problemCount: Int

  let hint: String?

  init(_ report: CheckReport, isRepaired: Bool, acceptsDamage: Bool) {
    problemCount = report.problems.count
    // A blob cannot be repaired without its bytes, and an altered schema cannot be written to.
    let isBeyondRepair =
      isRepaired || report.problems.contains { [.schema, .blobs].contains($0.area) }
    let acceptable =
      isRepaired && !acceptsDamage
      && report.problems.allSatisfy { $0.area == .rows }
    hint =
      if report.problems.allSatisfy({ $0.area == .schema }) {
        "Until then the store is only read. Drop what does not belong there with sqlite3; if "
          + "something is missing or was altered, restore a backup: snip restore FILE."
      } else if report.isGarbageOnly {
        "No snippet needs any of it: `snip gc` puts it right. If you miss snippets, restore a backup "
          + "instead: snip restore FILE."
      } else if !isBeyondRepair {
        "`snip check --repair` mends what can be computed again or is proven, and leaves the rest. "
          + "If that does not help, restore a backup: snip restore FILE."
      } else if acceptable {
        "Restore a backup: snip restore FILE. If what the named snippets show is right, or there is no "
          + "backup, `snip check --repair --accept-damage` takes them as they are."
      } else {
        "Keep the file as it is, and restore a backup: snip restore FILE. Without one, `snip salvage` "
          + "copies what can be read into a new store."
      }
  }

  var status: ExitStatus { .failure }
  var message: String {
    "the store has \(problemCount.counted("problem")), named above"
  }
}
