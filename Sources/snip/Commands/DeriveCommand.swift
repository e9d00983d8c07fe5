import ArgumentParser
import SnipCore
import SnippetMedia
import SnippetStorage
import TerminalKit

struct DeriveCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "derive",
    abstract: "Make thumbnails and waveforms ahead of time, and keep them in the store.",
    usage: "snip derive [options]",
    discussion: """
      Makes the missing ones; Ctrl-C keeps those that are done. All of them can be made again: \
      backups leave them out, older derivatives make room for newer ones, and you can delete \
      them at any time.

      Examples:
        snip derive
        snip derive --kind image --all-sizes
        snip derive --drop
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var output: OutputOptions

  @Flag(name: .customLong("all-sizes"), help: "Every size, not only those of a list's rows.")
  var makesAllSizes = false

  @Flag(name: .customLong("remake"), help: "Make existing ones again.")
  var remakes = false

  @Flag(name: .customLong("drop"), help: "Delete all derivatives, and make none.")
  var drops = false

  @Option(help: ArgumentHelp("How many to make at a time.", valueName: "count"))
  var jobs = 2

  @Option(help: "Show progress: auto (on a terminal), plain (lines) or none.")
  var progress = ProgressBar.Style.auto

  func validate() throws {
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 64.") }
    guard !drops || !remakes else { throw ValidationError("--drop makes nothing again.") }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    if drops {
      try await drop(from: store, in: context)
    } else {
      try await make(in: store, context)
    }
  }

  private func drop(from store: SnippetStore, in context: CommandContext) async throws {
    let count = try await context.cancellable {
      var count = 0
      for work in MediaWork.thumbnails + MediaWork.waveforms {
        count += try await store.deleteDerivatives(by: work.kept)
      }
      return count
    }
    if output.isJSON {
      try context.console.output.writeLine(["dropped": JSONValue(count)] as JSONObject)
    } else {
      try context.console.output.writeLine("dropped \(count)")
    }
  }

  private func make(in store: SnippetStore, _ context: CommandContext) async throws {
    // Each has a thread, a process that decodes, and the threads of that.
    try StartRoom.require(moreThreads: 4 * jobs)
    let list = store.list(filter.filter)
    let total = try list.count
    let bar = ProgressBar(title: "Making", on: context.console.messages, style: progress)
    defer { bar.finish() }
    let media = WorkerMedia.ofThisProgram()
    let report = try await context.cancellable { [makesAllSizes, jobs, remakes] in
      try await store.makeDerivatives(
        of: list,
        with: media,
        images: makesAllSizes ? MediaWork.thumbnails.map(\.kept) : [.thumbnail()],
        recordings: makesAllSizes ? MediaWork.waveforms.map(\.kept) : [.waveform()],
        workerCount: jobs,
        remakes: remakes
      ) { report in
        // Texts are skipped, so the end may come early.
        bar.update(WorkProgress(completedCount: min(report.doneCount, total)))
      } onFailure: { row, error in
        let name = TerminalText("snippet \(row.id): \(error.reason)")
        if error.code != .noDecoder { bar.writeLine(name.description) }
      }
    }
    bar.finish()
    if output.isJSON {
      try context.console.output.writeLine(report.json)
    } else {
      try context.console.output.writeLine(report.line)
    }
    guard report.failedCount == 0 else { throw UnmadeError(count: report.failedCount) }
  }
}

/// Some thumbnails or waveforms could not be made; each was named when it happened.
struct UnmadeError: StatusError {
  let count: Int

  var status: ExitStatus { .failure }
  var message: String { "could not make \(count) of them, named above" }
  var hint: String? { "The originals are kept as they are." }
}

extension DerivativeReport {
  fileprivate var json: JSONObject {
    [
      "made": JSONValue(madeCount), "kept": JSONValue(keptCount),
      "withoutDecoder": JSONValue(undecodableCount), "failed": JSONValue(failedCount),
    ]
  }

  fileprivate var line: String {
    "made \(madeCount)  kept \(keptCount)  without decoder \(undecodableCount)  "
      + "failed \(failedCount)"
  }
}
