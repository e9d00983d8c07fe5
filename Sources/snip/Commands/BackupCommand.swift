import ArgumentParser
import Foundation
import SnippetStorage
import TerminalKit

struct BackupCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into a new file, and check the copy.",
    usage: "snip backup <file> [options]",
    discussion: """
      The copy is complete and shows one moment, even while other programs write; a plain copy of \
      the file does not. It is a store like any other.

      Examples:
        snip backup ~/Backups/snippets-$(date +%F).sqlite
        snip restore ~/Backups/snippets-2026-01-31.sqlite
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("The file to make.", valueName: "file"), completion: .file())
  var path: String

  @Flag(name: .customLong("force"), help: "Replace a file that exists.")
  var replacesExisting = false

  func run(in context: CommandContext) async throws {
    let store = try await store.openExisting(in: context)
    let url = URL(fileURLWithPath: path)
    let bar = ProgressBar(title: "Backing up", on: context.console.messages)
    defer { bar.finish() }
    let replacesExisting = replacesExisting
    let report: SnippetStore.CheckReport
    do {
      report = try await context.cancellable {
        try await store.backUp(
          to: url,
          replacesExisting: replacesExisting,
          onProgress: bar.update
        )
      }
    } catch let error as SnippetStoreError where error.code == .alreadyExists {
      throw ExistingFileError(path: path)
    }
    bar.finish()
    if output.isJSON {
      var object = report.json
      object["file"] = .string(url.path)
      try context.console.output.writeLine(object)
    } else {
      try context.console.output.writeLine(
        """
        \(TerminalText(path)): \(report.snippetCount) snippets, \(report.blobCount) blobs, checked
        """
      )
      context.console.messages.writeLine("To bring it back: snip restore \(ShellWord(path))")
    }
  }
}

/// The file to be made is there already.
struct ExistingFileError: StatusError {
  let path: String

  var status: ExitStatus { .cannotCreate }
  var message: String { "could not back up to \(path): it exists" }
  var hint: String? { "Choose another name, or replace it with --force." }
}
