import ArgumentParser
import Foundation
import SnippetStorage
import TerminalKit

struct RestoreCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Check a backup, then replace the content of the store with it.",
    usage: "snip restore <file> [options]",
    discussion: """
      Replaces everything in the store. A backup that fails the check replaces nothing. A store too \
      damaged to open is kept under another name.

      Example:
        snip restore ~/Backups/snippets-2026-01-31.sqlite
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("The backup.", valueName: "file"), completion: .file())
  var path: String

  func run(in context: CommandContext) async throws {
    let location = try store.location(in: context)
    try location.createFolderIfDefault()
    let busyTimeout = store.busyTimeout
    let backup = URL(fileURLWithPath: path)
    let bar = ProgressBar(title: "Restoring", on: context.console.messages)
    defer { bar.finish() }
    let report = try await context.cancellable {
      try await SnippetStore.restore(
        from: backup,
        to: location.url,
        busyTimeout: busyTimeout,
        onProgress: bar.update
      )
    }
    bar.finish()
    if output.isJSON {
      var object = report.check.json
      object["store"] = .string(location.url.path)
      object["damagedFile"] = report.damagedFile.map { .string($0.path) }
      try context.console.output.writeLine(object)
    } else {
      try context.console.output.writeLine(
        "\(TerminalText(location.url.path)): \(report.check.snippetCount) snippets restored"
      )
      if let damaged = report.damagedFile {
        context.console.messages.writeLine(
          "The damaged file is kept: \(TerminalText(damaged.path))"
        )
      }
    }
  }
}
