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
    /// The advice for front matter that cannot be read.
    var frontMatterHint: String?
    var error: ConsoleError?
  }

  private let console: Console
  private let bar: ProgressBar
  private let failures: FailureLines
  private let isJSON: Bool
  private let start = ContinuousClock.now
  private let state = Lock(State())

  init(console: Console, bar: ProgressBar, isJSON: Bool) {
    self.console = console
    self.bar = bar
    failures = FailureLines(above: bar)
    self.isJSON = isJSON
  }

  var failedCount: Int { state.withLock(\.report.failedCount) }

  /// The number of files that did not fail.
  var othersCount: Int {
    state.withLock { $0.progress.completedCount - $0.report.failedCount }
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
      if !event.isNotice { state.progress.completedCount += 1 }
      switch event {
      case .imported(_, _, let byteCount), .unchanged(_, _, let byteCount),
        .conflict(_, _, _, let byteCount):
        state.progress.byteCount += byteCount
      case .broughtBack(let url, let id, let byteCount):
        state.progress.byteCount += byteCount
        state.named.add(
          "\(url.path), snippet \(id)",
          "brought back",
          because: "from the trash, since their files are there"
        )
      case .updated(let url, _, let byteCount):
        state.progress.byteCount += byteCount
        state.named.add(url.path, "updated", because: "from their files")
      case .moved(let url, _, let former, let byteCount):
        state.progress.byteCount += byteCount
        state.named.add("\(former.path) → \(url.path)", "moved", because: "known by their bytes")
      case .duplicate(let url, let id, let byteCount):
        state.progress.byteCount += byteCount
        state.named.add("\(url.path) is snippet \(id)", "skipped", because: "already in the store")
      case .unsupported(let url, let error):
        state.named.add(url.path, "skipped", because: error.reason)
      case .unreadFrontMatter(let url, _, let error):
        state.named.add(
          "\(url.path): \(error.reason)",
          "front matter unread",
          because: "no title, tags or dates were taken from it"
        )
        state.frontMatterHint = error.recoverySuggestion
      case .trashed(let url, let id):
        state.named.add("\(url.path), snippet \(id)", "trashed", because: "their files are gone")
      case .failed: break
      }
      state.progress.counters = [
        .init(name: "unchanged", count: state.report.unchangedCount),
        .init(name: "duplicates", count: state.report.duplicateCount),
        .init(name: "unsupported", count: state.report.unsupportedCount),
        .init(name: "failed", count: state.report.failedCount),
      ]
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
    let (report, named, hint) = try state.withLock { state throws(ConsoleError) in
      if let error = state.error { throw error }
      return (state.report, state.named, state.frontMatterHint)
    }
    if isJSON {
      try console.output.writeLine([
        "imported": JSONValue(report.importedCount),
        "broughtBack": JSONValue(report.broughtBackCount),
        "updated": JSONValue(report.updatedCount),
        "moved": JSONValue(report.movedCount),
        "trashed": JSONValue(report.trashedCount),
        "missing": JSONValue(report.missingCount),
        "conflicts": JSONValue(report.conflictCount),
        "unchanged": JSONValue(report.unchangedCount),
        "duplicates": JSONValue(report.duplicateCount),
        "unsupported": JSONValue(report.unsupportedCount),
        "failed": JSONValue(report.failedCount),
        "unreadFrontMatter": JSONValue(report.unreadFrontMatterCount),
        "bytes": .integer(report.byteCount),
      ])
      return
    }
    for line in named.lines { console.messages.writeLine("\(TerminalText(line))") }
    if let hint { console.messages.writeLine("hint: \(TerminalText(hint))") }
    if report.missingCount > 0 {
      console.messages.writeLine(
        """
        \(report.missingCount.counted("file")) of earlier imports \(report.missingCount == 1 ? "is" : "are") \
        gone: --trash-missing moves the snippets to the trash
        """
      )
    }
    let elapsed = ContinuousClock.now - start
    let rate = RateText(byteCount: report.byteCount, over: elapsed).map { ", \($0)" } ?? ""
    try console.output.writeLine(
      """
      imported \(report.importedCount)\(report.changes)  duplicates \(report.duplicateCount)  \
      unsupported \(report.unsupportedCount)  failed \(report.failedCount)  \
      (\(ByteCountText(report.byteCount)) in \(ElapsedText(elapsed))\(rate))
      """
    )
  }

  private func tell(_ event: ImportEvent) {
    switch event {
    case .imported(let url, let id, let byteCount):
      printLine("imported", url, id, byteCount)
    case .broughtBack(let url, let id, let byteCount):
      printLine("broughtBack", url, id, byteCount)
    case .duplicate(let url, let id, let byteCount):
      printLine("duplicate", url, id, byteCount)
    case .unchanged(let url, let id, let byteCount):
      printLine("unchanged", url, id, byteCount)
    case .updated(let url, let id, let byteCount):
      printLine("updated", url, id, byteCount)
    case .moved(let url, let id, let former, let byteCount):
      printLine("moved", url, id, byteCount, with: ("from", .string(former.path)))
    case .trashed(let url, let id):
      printLine("trashed", url, id, nil)
    case .conflict(let url, let kept, let added, let byteCount):
      let now = added.map { "the file is snippet \($0) now" } ?? "the file is gone"
      bar.writeLine(
        """
        conflict: \(TerminalText(url.path)) and snippet \(kept) were both changed; \(now), and \
        snippet \(kept) is kept without a file
        """
      )
      printLine("conflict", url, added, byteCount, with: ("kept", .integer(kept.rawValue)))
    case .unsupported(let url, let error):
      printLine("unsupported", url, nil, nil, because: error.reason)
    case .failed(let url, let error):
      failures.write(error)
      printLine("failed", url, nil, nil, because: error.reason)
    case .unreadFrontMatter(let url, let id, let error):
      printLine("unreadFrontMatter", url, id, nil, because: error.reason)
    }
  }

  /// With JSON, a line for each file, so that a program knows what is durable.
  private func printLine(
    _ outcome: String,
    _ url: URL,
    _ id: SnippetID?,
    _ byteCount: Int64?,
    because reason: String? = nil,
    with more: (name: String, value: JSONValue)? = nil
  ) {
    guard isJSON else { return }
    var line: JSONObject = ["file": .string(url.path), "outcome": .string(outcome)]
    line["id"] = id.map { .integer($0.rawValue) }
    line["byteCount"] = byteCount.map(JSONValue.integer)
    if let more { line[more.name] = more.value }
    line["reason"] = reason.map(JSONValue.string)
    do throws(ConsoleError) {
      try console.output.writeLine(line)
      try console.output.flush()
    } catch {
      state.withLock { $0.error = error }
    }
  }
}

extension ImportReport {
  /// The counts that few imports have, if they are not zero.
  fileprivate var changes: String {
    [
      ("brought back", broughtBackCount), ("updated", updatedCount), ("moved", movedCount),
      ("trashed", trashedCount),
      ("conflicts", conflictCount), ("unchanged", unchangedCount),
      ("front matter unread", unreadFrontMatterCount),
    ].filter { $0.1 > 0 }.map { "  \($0.0) \($0.1)" }.joined()
  }
}
