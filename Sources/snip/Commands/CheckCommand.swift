import ArgumentParser
import SnippetStorage
import TerminalKit

struct CheckCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the whole store: structure, references and every byte.",
    usage: "snip check [options]",
    discussion: """
      Changes nothing. Exits with 0 only if everything is sound. What other programs keep in the \
      file beside the snippets is noted, and is no problem unless it touches them.

      Examples:
        snip check
        snip check --store ~/Backups/snippets-2026-01-31.sqlite
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  func run(in context: CommandContext) async throws {
    let store = try await store.openAsItIs(in: context)
    let bar = ProgressBar(title: "Checking", on: context.console.messages)
    defer { bar.finish() }
    let report = try await context.cancellable {
      try await store.check(onProgress: bar.update)
    }
    bar.finish()
    try print(report, to: context.console.output)
    guard report.isSound else { throw UnsoundStoreError(report) }
  }

  private func print(_ report: SnippetStore.CheckReport, to stream: ConsoleStream) throws {
    if output.isJSON {
      try stream.writeLine(report.json)
      return
    }
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
        sound: \(report.snippetCount) snippets\
        \(report.trashCount > 0 ? " (\(report.trashCount) in the trash)" : ""), \
        \(report.blobCount) blobs \
        (\(ByteCountText(report.blobByteCount)) read and compared with their hashes)
        """
      )
    }
  }
}

extension ProgressBar {
  /// Takes note of how far work on the whole store has come.
  ///
  /// - Parameter progress: The bytes done and to do.
  @Sendable func update(_ progress: SnippetStore.Progress) {
    update(
      WorkProgress(
        byteCount: progress.completedByteCount,
        totalByteCount: progress.totalByteCount
      )
    )
  }
}

extension SnippetStore.CheckReport {
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

/// The check found something wrong.
struct UnsoundStoreError: StatusError {
  private let problemCount: Int

  let hint: String?

  init(_ report: SnippetStore.CheckReport) {
    problemCount = report.problems.count
    hint =
      if report.isGarbageOnly {
        "No snippet needs any of it: `snip gc` puts it right. If you miss snippets, restore a backup "
          + "instead: snip restore FILE."
      } else if report.problems.allSatisfy({ $0.area == .schema }) {
        "Until then the store is only read. Drop what does not belong there with sqlite3; if "
          + "something is missing or was altered, restore a backup: snip restore FILE."
      } else if report.problems.allSatisfy({ $0.area == .search }) {
        "Searches may miss snippets; nothing is lost. Have the index made anew: sqlite3 STORE "
          + "'UPDATE search_state SET unindexed_from = 1', and search."
      } else {
        "Keep the file as it is, and restore a backup: snip restore FILE. Undamaged snippets can "
          + "still be read."
      }
  }

  var status: ExitStatus { .failure }
  var message: String {
    "the store has \(problemCount) \(problemCount == 1 ? "problem" : "problems"), named above"
  }
}
