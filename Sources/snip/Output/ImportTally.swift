import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import TerminalKit

/// Counts the outcomes of an import and reports each as it happens.
final class ImportTally: Sendable {
  private struct State {
    var report = ImportReport()
    var progress = WorkProgress()
    var named = NamedFiles()
    var error: ConsoleError?
    /// Whether nothing is changed; then new files are named too.
    let isDryRun: Bool
    /// The snippets that a dry run has made, which do not exist.
    var newIDs: Set<SnippetID> = []

    /// Whether a dry run has made a snippet.
    func isNew(_ id: SnippetID?) -> Bool {
      guard let id else { return false }
      return newIDs.contains(id)
    }

    /// Adds a file to those that are named below the progress, or at the end.
    mutating func name(_ event: ImportEvent) {
      let path = event.file.path
      let id = event.snippetID?.description ?? ""
      let reason = event.error?.reason ?? ""
      let would = { [isDryRun] (verb: String, done: String) in isDryRun ? "would \(verb)" : done }
      switch event.outcome {
      case .broughtBack:
        named.add(
          "\(path), snippet \(id)",
          would("bring back", "brought back"),
          because: "from the trash, since their files are there"
        )
      case .updated: named.add(path, would("update", "updated"), because: "from their files")
      case .moved:
        let former = event.formerFile?.path ?? path
        named.add("\(former) → \(path)", "moved", because: "known by their bytes")
      case .movedFolder:
        let former = event.formerFile?.path ?? path
        let files = (event.fileCount ?? 0).counted("file")
        let names = "\(former) → \(path), \(files)"
        named.add(names, "folders moved", because: "their snippets follow")
      case .duplicate where isNew(event.snippetID):
        named.add(path, "skipped", because: "equal to another new file")
      case .duplicate:
        named.add("\(path) is snippet \(id)", "skipped", because: "already in the store")
      case .unsupported: named.add(path, "skipped", because: reason)
      case .leftOut: named.add(path, "left out", because: reason)
      case .unreadValue:
        named.add("\(path): \(reason)", "values unread", because: "they are in the file alone")
      case .replacedValue:
        named.add(
          "\(path): \(reason)",
          "values replaced",
          because: "the files tell others now"
        )
      case .unreadFrontMatter:
        named.add(
          "\(path): \(reason)",
          "front matter unread",
          because: isDryRun
            ? "the files would be imported with what can be read; correct them before"
            : "the files were imported with what could be read; correct them, and import again"
        )
      case .trashed:
        named.add(
          "\(path), snippet \(id)",
          would("trash", "trashed"),
          because: "their files are gone"
        )
      case .imported where isDryRun:
        named.add(path, "would import", because: "not in the store yet")
      case .imported, .unchanged, .conflict, .failed: break
      }
    }
  }

  private let console: Console
  private let bar: ProgressBar
  private let failures: FailureLines
  private let isJSON: Bool
  private let start = ContinuousClock.now
  private let state: Lock<State>

  init(console: Console, bar: ProgressBar, isJSON: Bool, isDryRun: Bool = false) {
    state = Lock(State(isDryRun: isDryRun))
    self.console = console
    self.bar = bar
    failures = FailureLines(above: bar)
    self.isJSON = isJSON
  }

  var failedCount: Int { state.withLock { $0.report[.failed] } }

  /// The number of files that did not fail.
  var othersCount: Int {
    state.withLock { $0.progress.completedCount - $0.report[.failed] }
  }

  /// Whether there were no files at all, and none is missing.
  var isEmpty: Bool {
    state.withLock { $0.progress.completedCount == 0 && $0.report.missingCount == 0 }
  }

  /// Notes the amount of work.
  func begin(_ size: ImportSize) {
    let progress = state.withLock { state in
      state.progress.totalCount = size.fileCount
      state.progress.totalByteCount = size.byteCount
      return state.progress
    }
    bar.update(progress)
  }

  /// Notes the outcome of a file, which is durable by now.
  func take(_ event: ImportEvent) {
    let progress = state.withLock { state in
      state.report.add(event)
      if state.isDryRun, event.outcome == .imported || event.outcome == .conflict,
        let id = event.snippetID
      {
        state.newIDs.insert(id)
      }
      if !event.isNotice { state.progress.completedCount += 1 }
      state.progress.byteCount += event.byteCount ?? 0
      // An archive was counted as one file.
      let (count, byteCount) = (state.progress.completedCount, state.progress.byteCount)
      state.progress.totalCount = state.progress.totalCount.map { max($0, count) }
      state.progress.totalByteCount = state.progress.totalByteCount.map { max($0, byteCount) }
      state.name(event)
      let counted: [(String, ImportEvent.Outcome)] = [
        ("unchanged", .unchanged), ("duplicates", .duplicate), ("unsupported", .unsupported),
        ("failed", .failed),
      ]
      state.progress.counters = counted.map { .init(name: $0, count: state.report[$1]) }
      return state.progress
    }
    bar.update(progress)
    tell(event)
  }

  /// Notes the number of missing files whose snippets stay.
  func noteMissing(_ count: Int) {
    state.withLock { $0.report.missingCount = count }
  }

  /// Prints the counts: as the last JSON object, or as a sentence below the named files.
  func printTotals() throws(ConsoleError) {
    let (report, named) = try state.withLock { state throws(ConsoleError) in
      if let error = state.error { throw error }
      return (state.report, state.named)
    }
    if isJSON {
      var totals = JSONObject()
      for outcome in ImportEvent.Outcome.allCases {
        totals[outcome.nameInTotals] = JSONValue(report[outcome])
        // Beside the missing files whose snippets were moved to the trash.
        if outcome == .trashed { totals["missing"] = JSONValue(report.missingCount) }
      }
      totals["bytes"] = .integer(report.byteCount)
      try console.output.writeLine(totals)
      return
    }
    for line in named.lines { console.messages.writeLine("\(TerminalText(line))") }
    if report.missingCount > 0 {
      console.messages.writeLine(
        """
        \(report.missingCount.counted("file")) of earlier imports \(report.missingCount == 1 ? "is" : "are") \
        gone: --trash-missing moves the snippets to the trash
        """
      )
    }
    let elapsed = ContinuousClock.now - start
    // Nothing at a rate of nothing would look like a fault.
    let rate =
      report.byteCount == 0
      ? "" : RateText(byteCount: report.byteCount, over: elapsed).map { ", \($0)" } ?? ""
    try console.output.writeLine(
      """
      imported \(report[.imported])\(report.changes)  duplicates \(report[.duplicate])  \
      unsupported \(report[.unsupported])  failed \(report[.failed])  \
      (\(ByteCountText(report.byteCount)) in \(ElapsedText(elapsed))\(rate))
      """
    )
  }

  private func tell(_ event: ImportEvent) {
    let (isDryRun, isNew) = state.withLock { ($0.isDryRun, $0.isNew(event.snippetID)) }
    if event.outcome == .conflict, let kept = event.keptID {
      let file = event.snippetID.map { id in
        isDryRun ? "the file would become a new snippet" : "the file is snippet \(id) now"
      }
      let write = isDryRun ? "would write" : "writes"
      let place = event.snippetID == nil ? "there" : "beside it"
      let rest =
        event.isKeptWritten
        ? "`snip export --markdown` \(write) snippet \(kept) \(place)"
        : "snippet \(kept) \(isDryRun ? "would stay" : "stays") as it is"
      bar.writeLine(
        """
        conflict: \(TerminalText(event.file.path)) and snippet \(kept) were both changed; \
        \(file ?? "the file is gone"), and \(rest)
        """
      )
    }
    if event.outcome == .failed, let error = event.error { failures.write(error) }
    if isJSON { printLine(event, naming: isNew ? nil : event.snippetID) }
  }

  /// Prints a line for a file, so that a program that reads it knows what is durable.
  private func printLine(_ event: ImportEvent, naming id: SnippetID?) {
    var line: JSONObject = [
      "file": .string(event.file.path), "outcome": .string(event.outcome.rawValue),
    ]
    line["id"] = id.map { .integer($0.rawValue) }
    line["byteCount"] = event.byteCount.map(JSONValue.integer)
    line["from"] = event.formerFile.map { .string($0.path) }
    line["files"] = event.fileCount.map { JSONValue($0) }
    line["kept"] = event.keptID.map { .integer($0.rawValue) }
    line["reason"] = event.error.map { .string($0.reason) }
    do throws(ConsoleError) {
      try console.output.writeLine(line)
      try console.output.flush()
    } catch {
      state.withLock { $0.error = error }
    }
  }
}

extension ImportEvent.Outcome {
  /// The name of the number of files with this outcome.
  fileprivate var nameInTotals: String {
    switch self {
    case .conflict, .duplicate, .movedFolder: rawValue + "s"
    default: rawValue
    }
  }
}

extension ImportReport {
  /// The counts that few imports have, if they are not zero.
  fileprivate var changes: String {
    let named: [(name: String, outcome: ImportEvent.Outcome)] = [
      ("brought back", .broughtBack), ("updated", .updated), ("moved", .moved),
      ("folders moved", .movedFolder),
      ("trashed", .trashed), ("conflicts", .conflict), ("unchanged", .unchanged),
      ("front matter unread", .unreadFrontMatter), ("values unread", .unreadValue),
      ("values replaced", .replacedValue),
      ("left out", .leftOut),
    ]
    return named.filter { self[$0.outcome] > 0 }
      .map { "  \($0.name) \(self[$0.outcome])" }.joined()
  }
}
