import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import TerminalKit

struct ExportCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write snippets to files in a folder, with a manifest or as Markdown notes.",
    usage: "snip export [--markdown] <folder> [options]",
    discussion: """
      The folder gets one file for each snippet, named for its number and title, in texts, images \
      and recordings, and manifest.jsonl with titles, tags, dates and hashes. The manifest is there \
      when the export is complete. The trash is left out unless you give --trash; importing such an \
      export restores it. For the state of one moment, make a backup.

      With --markdown the files keep the names and places of their import, and others are named for \
      their titles. Tags, a title or a pin that have no place in a note go into front matter above \
      it. The folder may exist: files are brought up to date, except those that were changed there \
      since. Import the folder to take over such changes. A folder that was imported gets back \
      what came from it; --new adds the snippets that have no file in any folder, --all the rest. \
      A file that was moved or removed there is named and not written again, unless you give \
      --missing: import the folder, and the store follows. \
      With --delete-trashed, files whose snippets are in the trash, or were deleted for good, move \
      to the trash of the desktop, unless they were changed there since. After `snip purge` those \
      of deleted ones are not known any more; it names them.

      Examples:
        snip export ~/Snippets
        snip export --markdown ~/Notes
        snip export --markdown --new --dry-run ~/Notes
        snip export --markdown --delete-trashed ~/Notes
        snip export ~/Recipes --tag recipe --kind text
        snip export ~/Large --query 'size:>1MB -kind:text'
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var query: QueryOption
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp(
      "A folder to make, or an empty one; with --markdown any folder.",
      valueName: "folder"
    ),
    completion: .directory
  )
  var path: String

  @Flag(
    name: .customLong("markdown"),
    help: "Write notes and media under their own names, and bring a folder up to date."
  )
  var isMarkdown = false

  @Flag(
    name: .customLong("new"),
    help: "With --markdown, add the snippets without a file to a folder that was imported."
  )
  var addsNew = false

  @Flag(
    name: .customLong("all"),
    help: "With --markdown, add all other snippets to a folder that was imported."
  )
  var addsAll = false

  @Flag(
    name: .customLong("missing"),
    help: "With --markdown, write files again that were moved or removed there."
  )
  var writesMissing = false

  @Flag(
    name: .customLong("delete-trashed"),
    help: "With --markdown, move files of trashed and deleted snippets to the desktop's trash."
  )
  var movesTrashed = false

  @Option(
    name: .customLong("trash-folder"),
    help: ArgumentHelp("With --delete-trashed, move them below this folder.", valueName: "folder"),
    completion: .directory
  )
  var trashFolder: String?

  @Flag(name: .customLong("dry-run"), help: "Print what would happen, and write nothing.")
  var isDryRun = false

  @Option(help: "Show progress: auto (on a terminal), plain (lines) or none.")
  var progress = ProgressBar.Style.auto

  func validate() throws {
    // The URL of an empty path is the current folder.
    guard !path.isEmpty else { throw ValidationError("The path is empty.") }
    if !isMarkdown, addsNew || addsAll {
      throw ValidationError("\(addsNew ? "--new" : "--all") goes with --markdown.")
    }
    if !isMarkdown, writesMissing {
      throw ValidationError("--missing goes with --markdown.")
    }
    if !isMarkdown, movesTrashed {
      throw ValidationError("--delete-trashed goes with --markdown.")
    }
    if trashFolder != nil, !movesTrashed {
      throw ValidationError("--trash-folder goes with --delete-trashed.")
    }
    guard trashFolder != "" else { throw ValidationError("The path is empty.") }
  }

  func run(in context: CommandContext) async throws {
    let query = try SearchQuery(parsing: query.text ?? "")
    guard !query.hasWords else { throw WordsInExportError(query: query) }
    let store =
      isMarkdown && !isDryRun
      ? try await store.open(in: context)
      : try await store.openForReading(in: context)
    guard let chosen = filter.filter.narrowed(by: try await store.findingFiles(for: query)) else {
      throw WordsInExportError(query: query)
    }
    let url = context.url(path)
    let bar = ProgressBar(title: "Exporting", on: context.console.messages, style: progress)
    defer { bar.finish() }
    let tally = ExportTally(
      totalCount: try await store.count(chosen),
      console: context.console,
      bar: bar,
      isJSON: output.isJSON,
      namesFiles: isDryRun
    )
    let trashedFiles: MarkdownExportOptions.TrashedFiles =
      !movesTrashed ? .stay : trashFolder.map { .move(to: context.url($0)) } ?? .moveToTrash
    let report: ExportReport
    do {
      report = try await context.cancellable {
        if isMarkdown {
          return try await store.exportMarkdown(
            to: url,
            only: chosen,
            options: MarkdownExportOptions(
              scope: addsAll ? .everything : addsNew ? .ownFilesAndNew : .ownFiles,
              trashedFiles: trashedFiles,
              writesMissing: writesMissing,
              isDryRun: isDryRun
            ),
            onEvent: tally.take
          )
        }
        if isDryRun {
          return try await store.rehearseExport(to: url, only: chosen, onEvent: tally.take)
        }
        return try await store.export(to: url, only: chosen, onEvent: tally.take)
      }
    } catch {
      bar.interrupt()
      if (error as? SnippetStoreError)?.code == .cancelled {
        throw InterruptedExportError(path: path, isMarkdown: isMarkdown, isDryRun: isDryRun)
      }
      throw error
    }
    bar.finish()
    try tally.throwIfOutputFailed()
    try printTotals(report, in: context)
    if report[.failed] > 0 {
      throw PartialExportError(count: report[.failed], isDryRun: isDryRun)
    }
    if report[.conflict] > 0 {
      throw ConflictingFilesError(count: report[.conflict], isDryRun: isDryRun)
    }
  }

  private func printTotals(
    _ report: ExportReport,
    in context: CommandContext
  ) throws {
    if output.isJSON {
      return try context.console.output.writeLine([
        "exported": JSONValue(report[.exported]),
        "updated": JSONValue(report[.updated]),
        "unchanged": JSONValue(report[.unchanged]),
        "conflicts": JSONValue(report[.conflict]),
        "failed": JSONValue(report[.failed]),
        "missing": JSONValue(report[.missing]),
        "trashed": JSONValue(report[.trashed]),
        "incomplete": JSONValue(report[.incomplete]),
        "leftOut": JSONValue(report.leftOutCount),
        "bytes": .integer(report.byteCount),
      ])
    }
    let failed = report[.failed] > 0 ? ", \(report[.failed]) failed" : ""
    let missing = report[.missing] > 0 ? "  missing \(report[.missing])" : ""
    let trashed = report[.trashed] > 0 ? "  trashed \(report[.trashed])" : ""
    let incomplete = report[.incomplete] > 0 ? "  incomplete \(report[.incomplete])" : ""
    let trial = isDryRun ? "dry run, nothing written: " : ""
    if isMarkdown {
      try context.console.output.writeLine(
        """
        \(trial)\(TerminalText(path)): written \(report[.exported])  updated \(report[.updated])  \
        unchanged \(report[.unchanged])  conflicts \(report[.conflict])  \
        failed \(report[.failed])\(missing)\(trashed)\(incomplete)  \
        (\(ByteCountText(report.byteCount)))
        """
      )
      tellLeftOut(report.leftOutCount, in: context)
      return
    }
    let count = report[.exported]
    try context.console.output.writeLine(
      """
      \(trial)\(TerminalText(path)): \(count) \(count == 1 ? "snippet" : "snippets"), \
      \(ByteCountText(report.byteCount))\(failed)
      """
    )
    if !isDryRun, count > 0 {
      context.console.messages.writeLine("To bring them back: snip import \(ShellWord(path))")
    }
  }

  /// Says that a folder that was imported got no more than its own.
  private func tellLeftOut(_ count: Int, in context: CommandContext) {
    guard count > 0 else { return }
    let were = isDryRun ? "would be" : count == 1 ? "was" : "were"
    let others = addsNew ? "--all adds them" : "--new adds those without a file, --all all"
    context.console.messages.writeLine(
      """
      \(count.counted("snippet")) \(count == 1 ? "has" : "have") no file in \(TerminalText(path)) \
      and \(were) left out: \(others)
      """
    )
  }
}

/// Reports the outcome of each snippet of an export.
private final class ExportTally: Sendable {
  private struct State {
    var progress: WorkProgress
    var error: ConsoleError?
  }

  private let console: Console
  private let bar: ProgressBar
  private let failures: FailureLines
  private let isJSON: Bool
  /// Whether to name each file that would be written.
  private let namesFiles: Bool
  private let state: Lock<State>

  init(totalCount: Int, console: Console, bar: ProgressBar, isJSON: Bool, namesFiles: Bool) {
    self.namesFiles = namesFiles
    self.console = console
    self.bar = bar
    failures = FailureLines(above: bar)
    self.isJSON = isJSON
    state = Lock(State(progress: WorkProgress(totalCount: totalCount)))
  }

  func take(_ event: ExportEvent) {
    let progress = state.withLock { state in
      switch event.outcome {
      case .incomplete, .trashed: return state.progress
      case .exported, .updated: state.progress.byteCount += event.byteCount ?? 0
      case .unchanged, .missing, .conflict, .failed: break
      }
      state.progress.completedCount += 1
      return state.progress
    }
    bar.update(progress)
    if let error = event.error { failures.write(error) }
    if isJSON { printLine(event) } else if namesFiles { name(event) }
  }

  private func name(_ event: ExportEvent) {
    guard let file = event.file else { return }
    switch event.outcome {
    case .exported: bar.writeLine("would write \(TerminalText(file.path))")
    case .updated: bar.writeLine("would update \(TerminalText(file.path))")
    case .trashed: bar.writeLine("would move to the trash: \(TerminalText(file.path))")
    case .unchanged, .missing, .conflict, .incomplete, .failed: break
    }
  }

  func throwIfOutputFailed() throws {
    if let error = state.withLock(\.error) { throw error }
  }

  private func printLine(_ event: ExportEvent) {
    var line: JSONObject = [
      "id": .integer(event.snippetID.rawValue), "outcome": .string(event.outcome.rawValue),
    ]
    line["file"] = event.file.map { .string($0.path) }
    line["byteCount"] = event.byteCount.map(JSONValue.integer)
    // The reason for a conflict, a missing file or a failure is in the message alone.
    if event.outcome == .incomplete { line["reason"] = event.error.map { .string($0.reason) } }
    do throws(ConsoleError) {
      try console.output.writeLine(line)
    } catch {
      state.withLock { $0.error = error }
    }
  }
}

/// An export was asked for words.
struct WordsInExportError: StatusError {
  let query: SearchQuery

  var status: ExitStatus { .usage }
  var message: String { "could not export by words: --query takes conditions only" }
  var hint: String? {
    QueryArgument.mistakenCondition(in: [query.text])
      ?? "Tag what you find: snip tag --query \(ShellWord(query.text)) TAG; then export --tag TAG"
  }
}

/// The export was stopped because the program was asked to end.
struct InterruptedExportError: StatusError {
  let path: String
  let isMarkdown: Bool
  let isDryRun: Bool

  var status: ExitStatus { .interrupted }
  var message: String { InterruptedError().message }
  var hint: String? {
    if isDryRun { return "Nothing was written." }
    if isMarkdown { return "The written files are complete. Run it again to write the rest." }
    return
      "The export in \(TerminalText(path)) is not complete and has no manifest. Delete it, or keep its files."
  }
}

/// Some snippets could not be exported; each was named when it happened.
struct PartialExportError: StatusError {
  let count: Int
  let isDryRun: Bool

  var status: ExitStatus { .failure }
  var message: String { "could not export \(count) of the snippets, named above" }
  var hint: String? {
    "\(isDryRun ? "" : "The others were. ")Follow the advice above, then export again."
  }
}

/// Some files were left unchanged; each was named when it happened.
struct ConflictingFilesError: StatusError {
  let count: Int
  let isDryRun: Bool

  var status: ExitStatus { .failure }
  var message: String {
    let leave = isDryRun ? "would leave" : "left"
    return "\(leave) \(count.counted("file")) as \(count == 1 ? "it is" : "they are"), named above"
  }
  var hint: String? {
    "Do what is advised there for \(count == 1 ? "it" : "each"), then export again."
  }
}
