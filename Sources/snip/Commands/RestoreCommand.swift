import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import SnippetSync
import TerminalKit

struct RestoreCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Check a backup, then replace the content of the store with it.",
    usage: "snip restore <file> [options]",
    discussion: """
      Replaces everything in the store; on a terminal it asks first. A backup that fails the check \
      replaces nothing. A store too damaged to open is kept under another name. Tables of other \
      programs are left out, both those of the backup and those of the store.

      While `snip capture` writes into the store, nothing is replaced: end it first. What a crashed \
      capture left stays: see `snip capture --list`.

      A store that synchronizes does so again once you have decided what counts: what other devices \
      have (`snip sync --theirs`), or the backup (`snip sync --mine`). A backup from before it joined \
      takes part in nothing: join again.

      With - the backup comes from standard input; it is kept beside the store while it is checked.

      Examples:
        snip restore ~/Backups/snippets-2026-01-31.sqlite
        restic dump latest snippets.sqlite | snip restore -
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var confirmation: ConfirmationOptions

  @Argument(
    help: ArgumentHelp("The backup; - is standard input.", valueName: "file"),
    completion: .file()
  )
  var path: String

  func run(in context: CommandContext) async throws {
    let location = try store.location(in: context)
    // A user who pipes a backup in cannot answer a question.
    guard path != "-" || !context.input.isTerminal else { throw RestoreFromTerminalError() }
    if FileStatus.byteCount(of: location.url.path) > 0 {
      try await confirmation.require(
        "Replace everything in \(TerminalText(location.url.path)) with \(TerminalText(path))?",
        in: context
      )
    }
    try location.createFolderIfDefault()
    if path == "-" {
      try await restoreStandardInput(to: location, in: context)
    } else {
      try await restore(context.url(path), to: location, in: context)
    }
  }

  private func restore(
    _ backup: URL,
    to location: StoreLocation,
    in context: CommandContext
  ) async throws {
    let busyTimeout = store.busyTimeout
    let former = await joinedPlace(in: context)
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
        "\(TerminalText(location.url.path)): \(report.check.snippetCount.counted("snippet")) restored"
      )
      if let damaged = report.damagedFile {
        context.console.messages.writeLine(
          "The damaged file is kept: \(TerminalText(damaged.path))"
        )
      }
    }
    await tellWhatCounts(after: former, in: context)
    if !report.removedTables.isEmpty {
      let tables = report.removedTables.joined(separator: ", ")
      context.console.messages.writeLine(
        """
        Gone with the old content, tables of other programs: \(TerminalText(tables)). Start those \
        programs again.
        """
      )
    }
  }

  /// Reads where the store meets others, before it is replaced; `nil` if it does not, or cannot be read.
  private func joinedPlace(in context: CommandContext) async -> String? {
    guard let opened = try? await store.openAsItIs(in: context) else { return nil }
    let joined = try? await StoreSync.repository(of: opened)
    await context.stores.close()
    return joined?.address
  }

  /// Tells what is to be decided before a restored store meets others again, or that it does not; `former`
  /// is where it met them before.
  private func tellWhatCounts(after former: String?, in context: CommandContext) async {
    // Only a hint: the restore is done, and must not be reported as a failure.
    guard let restored = try? await store.openForReading(in: context) else { return }
    guard let joined = try? await StoreSync.repository(of: restored) else {
      guard let former else { return }
      return context.console.messages.writeLine(
        """
        The store met others in \(TerminalText(former, lines: .folded)), and the backup did not: it \
        takes part there no more. To go on, join again: snip sync join \(ShellWord(former))
        """
      )
    }
    context.console.messages.writeLine(
      """
      The store meets others in \(TerminalText(joined.address, lines: .folded)). Decide what counts \
      there: what they have now (snip sync --theirs), or the backup (snip sync --mine).
      """
    )
  }

  /// Keeps the input in a file beside the store, which must have room for it anyway, and restores
  /// that file.
  private func restoreStandardInput(
    to location: StoreLocation,
    in context: CommandContext
  ) async throws {
    let path = location.url.path
    try StoreSeam.requireRemovals(beside: path, during: "restore \(path) from standard input")
    let copy = try UnfinishedCopy(beside: FileStatus.target(of: path))
    defer { copy.remove() }
    let file = try copy.open()
    let input = WaitingInput(context.input.descriptor, interrupts: context.interrupts)
    var count: Int64 = 0
    reading: while true {
      switch try input.next(within: .seconds(60)) {
      case .bytes(let piece):
        try piece.withUnsafeBytes { try file.write($0, at: count) }
        count += Int64(piece.count)
      case .silence: continue
      case .end: break reading
      }
    }
    try file.close()
    try context.interrupts.throwIfRequested()
    guard count > 0 else { throw EmptyRestoreError() }
    let url = URL(fileURLWithPath: copy.path)
    do {
      try await restore(url, to: location, in: context)
    } catch let error as SnippetStoreError {
      throw StreamedFileError(error, url, as: "standard input")
    }
  }
}

/// A backup would be typed.
struct RestoreFromTerminalError: StatusError {
  var status: ExitStatus { .usage }
  var message: String { "could not restore from standard input: it is a terminal" }
  var hint: String? { "Give the name of a backup, or read from a pipe: PROGRAM | snip restore -" }
}

/// Standard input had no backup.
struct EmptyRestoreError: StatusError {
  var status: ExitStatus { .badInput }
  var message: String { "could not restore from standard input: it is empty" }
  var hint: String? {
    "Nothing was changed. The program that should have written it may have failed."
  }
}
