import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import TerminalKit

struct BackupCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into a new file, and check the copy.",
    usage: "snip backup <file> [options]",
    discussion: """
      The copy is complete and of one moment, even while other programs write; a plain copy of \
      the file may be neither. It is a store like any other.

      With - the copy goes to standard output, once it has passed the check. It is made beside the \
      store and takes as much room there, or in the temporary folder if that place cannot be \
      written. If making it fails, nothing is written.

      Examples:
        snip backup ~/Backups/snippets-$(date +%F).sqlite
        snip backup - | restic backup --stdin --stdin-filename snippets.sqlite
        snip restore ~/Backups/snippets-2026-01-31.sqlite
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("The file to make; - is standard output.", valueName: "file"),
    completion: .file()
  )
  var path: String

  @Flag(name: .customLong("force"), help: "Replace an existing file.")
  var replacesExisting = false

  func validate() throws {
    guard !path.isEmpty else { throw ValidationError("The path is empty.") }
    guard path != "-" || !output.isJSON else {
      throw ValidationError("- writes the copy to standard output, where --json would write too.")
    }
  }

  func run(in context: CommandContext) async throws {
    if path == "-" { return try await stream(in: context) }
    let store = try await store.openAsItIs(in: context)
    let url = context.url(path)
    guard FileSystem.ownDescriptor(at: url.path) == nil else { throw OpenOutputError(path: path) }
    try requireNoPipe(url)
    let report: CheckReport
    do {
      let replacesExisting = replacesExisting
      report = try await copy(in: context) {
        try await store.backUp(to: url, replacesExisting: replacesExisting, onProgress: $0)
      }
    } catch let error as SnippetStoreError where error.code == .alreadyExists {
      throw ExistingFileError(path: path, isFile: !url.isExistingFolder)
    }
    if output.isJSON {
      var object = report.json
      object["file"] = .string(url.path)
      try context.console.output.writeLine(object)
    } else {
      try context.console.output.writeLine("\(TerminalText(path)): \(report.summary)")
      context.console.messages.writeLine("To bring it back: snip restore \(ShellWord(path))")
    }
  }

  private func copy<Result: Sendable>(
    in context: CommandContext,
    _ body:
      @escaping @Sendable (@escaping @Sendable (StoreProgress) -> Void) async throws ->
      Result
  ) async throws -> Result {
    let bar = ProgressBar(title: "Backing up", on: context.console.messages)
    defer { bar.finish() }
    return try await context.cancellable { try await body(bar.update) }
  }

  // MARK: - To standard output

  private func stream(in context: CommandContext) async throws {
    let output = context.console.output
    guard !output.device.isTerminal else { throw BackupOnTerminalError() }
    let store = try await store.openAsItIs(in: context)
    let (file, report) = try await copyForOnce(store, in: context)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      try context.interrupts.throwIfRequested()
      let count = try file.read(into: buffer, at: offset)
      if count == 0 { break }
      try output.write(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
    try output.finish()
    context.console.messages.writeLine("Standard output: \(report.summary)")
  }

  /// Makes a copy that disappears when its reader is done, however this program ends.
  ///
  /// It is made beside the store, because there is room for a file of the same size and no other
  /// user can read there; a temporary folder often lies in memory. If the store's folder cannot be
  /// written, the copy is made in the temporary folder.
  private func copyForOnce(
    _ store: SnippetStore,
    in context: CommandContext
  ) async throws -> (OpenFile, CheckReport) {
    let path = FileStatus.target(of: try self.store.location(in: context).url.path)
    let beside = URL(fileURLWithPath: path + "-stream")
    let elsewhere = FileManager.default.temporaryDirectory.appendingPathComponent("snip-stream")
    var stem = beside
    do {
      do {
        return try await copy(in: context) {
          try await store.openBackup(beside: beside, onProgress: $0)
        }
      } catch let error as SnippetStoreError
        where [.cannotCreate, .readOnly].contains(error.code)
      {
        stem = elsewhere
        return try await copy(in: context) {
          try await store.openBackup(beside: elsewhere, onProgress: $0)
        }
      }
    } catch let error as SnippetStoreError {
      throw StreamedFileError(error, stem, as: "standard output")
    }
  }

  /// Refuses a pipe with advice: a copy is checked before it is handed over, so it must be a file.
  private func requireNoPipe(_ url: URL) throws {
    var status = stat()
    guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    throw PipeError(path: path)
  }
}

/// The file to be made is one that the shell has opened for this program.
struct OpenOutputError: StatusError {
  let path: String

  var status: ExitStatus { .cannotCreate }
  var message: String { "could not back up to \(path): it is an output that is already open" }
  var hint: String? { "Write to standard output with: snip backup -" }
}

/// The file to be made is a pipe.
struct PipeError: StatusError {
  let path: String

  var status: ExitStatus { .cannotCreate }
  var message: String { "could not back up to \(path): it is a pipe" }
  var hint: String? { "Write into it with: snip backup - > \(ShellWord(path))" }
}

/// A copy would be written onto a terminal.
struct BackupOnTerminalError: StatusError {
  var status: ExitStatus { .usage }
  var message: String { "could not back up to standard output: it is a terminal" }
  var hint: String? { "Give the name of a file, or write into a pipe: snip backup - | PROGRAM" }
}

/// A failure of a file that stands for a stream.
struct StreamedFileError: StatusError {
  let status: ExitStatus
  let message: String
  let hint: String?

  init(_ error: SnippetStoreError, _ file: URL, as name: String) {
    status = error.status
    message = error.message.replacingOccurrences(of: file.path, with: name)
    hint = error.hint
  }
}

/// The file to be made already exists.
struct ExistingFileError: StatusError {
  let path: String
  /// Whether it can be replaced; a folder cannot.
  let isFile: Bool

  var status: ExitStatus { .cannotCreate }
  var message: String { "could not back up to \(path): \(isFile ? "it exists" : "it is a folder")" }
  var hint: String? {
    isFile ? "Choose another name, or replace it with --force." : "Add the name of a file to it."
  }
}

extension URL {
  fileprivate var isExistingFolder: Bool {
    (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
  }
}

extension CheckReport {
  /// The content of a copy.
  fileprivate var summary: String {
    "\(snippetCount.counted("snippet")), \(blobCount.counted("blob")), checked"
  }
}
