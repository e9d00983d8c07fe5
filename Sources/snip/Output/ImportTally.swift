import Foundation
import SnippetBase
import SnippetStorage
import TerminalKit

/// Counts the outcomes of an import and reports each as it happens.
final class ImportTally: Sendable {
  private struct State {
    var report = SnippetStore.ImportReport()
    var progress = WorkProgress()
    var error: ConsoleError?
  }

  private let console: Console
  private let bar: ProgressBar
  private let isJSON: Bool
  private let start = ContinuousClock.now
  private let state = Lock(State())

  init(console: Console, bar: ProgressBar, isJSON: Bool) {
    self.console = console
    self.bar = bar
    self.isJSON = isJSON
  }

  var failedCount: Int { state.withLock(\.report.failedCount) }

  /// Takes note of how much there is to do.
  func begin(_ size: SnippetStore.ImportSize) {
    let progress = state.withLock { state in
      state.progress.totalCount = size.fileCount
      state.progress.totalByteCount = size.byteCount
      return state.progress
    }
    bar.update(progress)
  }

  /// Takes note of what became of a file; it is durable by now.
  func take(_ event: SnippetStore.ImportEvent) {
    let progress = state.withLock { state in
      state.progress.completedCount += 1
      switch event {
      case .imported(_, _, let byteCount):
        state.report.importedCount += 1
        state.report.byteCount += byteCount
        state.progress.byteCount += byteCount
      case .duplicate(_, _, let byteCount):
        state.report.duplicateCount += 1
        state.progress.byteCount += byteCount
      case .unsupported:
        state.report.unsupportedCount += 1
      case .failed:
        state.report.failedCount += 1
      }
      state.progress.counters = [
        .init(name: "duplicates", count: state.report.duplicateCount),
        .init(name: "unsupported", count: state.report.unsupportedCount),
        .init(name: "failed", count: state.report.failedCount),
      ]
      return state.progress
    }
    bar.update(progress)
    tell(event)
  }

  /// Prints the counts: as the last JSON object, or as a sentence.
  func printTotals() throws(ConsoleError) {
    let (report, error) = state.withLock { ($0.report, $0.error) }
    if let error { throw error }
    if isJSON {
      try console.output.writeLine([
        "imported": JSONValue(report.importedCount),
        "duplicates": JSONValue(report.duplicateCount),
        "unsupported": JSONValue(report.unsupportedCount),
        "failed": JSONValue(report.failedCount),
        "bytes": .integer(report.byteCount),
      ])
      return
    }
    let elapsed = ContinuousClock.now - start
    let rate = RateText(byteCount: report.byteCount, over: elapsed).map { ", \($0)" } ?? ""
    try console.output.writeLine(
      """
      imported \(report.importedCount)  duplicates \(report.duplicateCount)  \
      unsupported \(report.unsupportedCount)  failed \(report.failedCount)  \
      (\(ByteCountText(report.byteCount)) in \(ElapsedText(elapsed))\(rate))
      """
    )
  }

  private func tell(_ event: SnippetStore.ImportEvent) {
    switch event {
    case .imported(let url, let id, let byteCount):
      printLine("imported", url, id, byteCount)
    case .duplicate(let url, let id, let byteCount):
      printLine("duplicate", url, id, byteCount)
    case .unsupported(let url, _):
      printLine("unsupported", url, nil, nil)
    case .failed(let url, let error):
      bar.writeLine("snip: \(TerminalText(error.message))")
      printLine("failed", url, nil, nil)
    }
  }

  /// With JSON, a line for each file, so that a program that reads them knows what is durable.
  private func printLine(_ outcome: String, _ url: URL, _ id: SnippetID?, _ byteCount: Int64?) {
    guard isJSON else { return }
    var line: JSONObject = ["file": .string(url.path), "outcome": .string(outcome)]
    line["id"] = id.map { .integer($0.rawValue) }
    line["byteCount"] = byteCount.map(JSONValue.integer)
    do throws(ConsoleError) {
      try console.output.writeLine(line)
      try console.output.flush()
    } catch {
      state.withLock { $0.error = error }
    }
  }
}
