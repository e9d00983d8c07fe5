import ArgumentParser
import Foundation
import SnipBrowser
import SnipCore
import SnippetExchange
import SnippetMedia
import SnippetStorage
import TerminalKit

struct ShowCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one snippet: its facts, and its text, note, picture or waveform.",
    usage: "snip show <id> [options]",
    discussion: """
      Control characters in a text are shown as symbols; `snip cat` writes the exact bytes.

      On a terminal, a text goes through $SNIP_PAGER, else $PAGER, else less -FRX; `cat` stands for \
      none. Without a pager, a terminal gets the first 1,000 lines or 256 KiB. A file or a pipe gets \
      all of it, as does --json.

      On a terminal, draws pictures and waveforms in the best form it is known to support; --pixels \
      chooses another form, for any output. A separate process decodes them.

      Examples:
        snip show 7
        snip show 7 --pixels sixel
        snip show 9 --lines 20
        snip show 7 --json | jq .tags
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Draw pictures as kitty or sixel graphics, as symbols, or none.",
      valueName: "form"
    )
  )
  var pixels = PixelsChoice.auto

  @Argument(help: "The number of the snippet, as `snip list` shows it.")
  var id: SnippetID

  @Option(
    name: .customLong("lines"),
    help: ArgumentHelp("Show no more than the first lines of a text.", valueName: "count")
  )
  var lineCount: Int?

  @Flag(
    name: .customLong("all"),
    help: "Show all of a text, on a terminal without a pager too."
  )
  var showsAll = false

  @Flag(name: .customLong("no-pager"), help: "Start no pager.")
  var skipsPager = false

  func validate() throws {
    guard lineCount.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--lines must be at least 1.")
    }
    guard lineCount == nil || !showsAll else {
      throw ValidationError("Give --lines or --all, not both.")
    }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let row = try store.row(id) else { throw MissingSnippetsError(ids: [id]) }
    let output = context.console.output
    let files = try await store.origins(of: id).map(\.url.path)
    if self.output.isJSON {
      var json = row.json
      if !files.isEmpty { json["files"] = .array(files.map(JSONValue.string)) }
      guard row.kind == .text else {
        let note = try await store.note(of: id)
        if !note.isEmpty { json["note"] = .string(note) }
        return try output.writeLine(json)
      }
      try DamagedContentError.telling(.part) {
        try output.writeLine(json, last: "text") { body in
          try store.forEachTextPiece(of: id, body)
        }
      }
      return
    }
    guard row.kind != .text else { return try page(row, files, of: store, in: context) }
    try printHead(row, files, to: output)
    try await printNote(of: row, of: store, to: output)
    try await draw(row, of: store, in: context)
    try output.writeLine("\nIts bytes: snip cat \(row.id) -o FILE")
  }

  /// Prints the title, the facts, and the files of imports and exports.
  private func printHead(
    _ row: SnippetRow,
    _ files: [String],
    to output: ConsoleStream
  ) throws {
    let title = row.title.isEmpty ? "(no title)" : TerminalText(row.title).description
    try output.writeLine(output.device.styled(title, .heading))
    for (name, value) in facts(of: row) where !value.isEmpty {
      try output.writeLine(value, label: name)
    }
    for file in files.prefix(Self.maximumFileCount) {
      try output.writeLine(file, label: "file")
    }
    if files.count > Self.maximumFileCount {
      try output.writeLine(
        "and \(files.count - Self.maximumFileCount) more, which --json names",
        label: "file"
      )
    }
  }

  /// Prints the note of an image or recording under a blank line.
  private func printNote(
    of row: SnippetRow,
    of store: SnippetStore,
    to output: ConsoleStream
  ) async throws {
    let note = try await store.note(of: row.id)
    guard !note.isEmpty else { return }
    try output.writeLine()
    var text = ShownText(output, limit: .none)
    try text.write(note)
    try text.finish()
  }

  /// A picture may be in many places of a folder.
  private static let maximumFileCount = 5

  // MARK: - Texts

  /// Shows a text in the user's pager, where there is a terminal for one.
  private func page(
    _ row: SnippetRow,
    _ files: [String],
    of store: SnippetStore,
    in context: CommandContext
  ) throws {
    let output = context.console.output
    guard !skipsPager, output.device.canRedraw,
      let command = PagerProcess.command(in: context.environment)
    else {
      let isCut = try print(row, files, of: store, to: output, isPaged: false)
      if isCut, lineCount == nil {
        context.console.messages.writeLine(
          "This is the beginning. All of it: snip show \(row.id) --all"
        )
      }
      return
    }
    try output.flush()
    let (result, isStarted) = try context.interrupts.lendingKeyboard { signals in
      let pager = try PagerProcess(
        command,
        on: output.device,
        environment: context.environment,
        restoring: signals
      )
      let result = Result { try print(row, files, of: store, to: pager.stream, isPaged: true) }
      return (result, pager.finish())
    }
    guard isStarted else { throw PagerError(command: command) }
    do {
      _ = try result.get()
    } catch let error as ConsoleError where error.isClosedPipe {
      // The user has seen enough.
    }
  }

  /// Prints the facts and the text.
  ///
  /// - Returns: Whether the text has more than was printed.
  private func print(
    _ row: SnippetRow,
    _ files: [String],
    of store: SnippetStore,
    to output: ConsoleStream,
    isPaged: Bool
  ) throws -> Bool {
    try printHead(row, files, to: output)
    try output.writeLine()
    var text = ShownText(output, limit: limit(isPaged: isPaged, on: output.device))
    try DamagedContentError.telling(.part) {
      do {
        try store.forEachTextPiece(of: row.id) { try text.write($0) }
      } catch is ShownText.LimitReached {}
      try text.finish()
    }
    return text.isCut
  }

  private func limit(isPaged: Bool, on device: OutputDevice) -> ShownText.Limit {
    if let lineCount { return .init(lineCount: lineCount) }
    return isPaged || showsAll || !device.isTerminal ? .none : .screenfuls
  }

  private func draw(
    _ row: SnippetRow,
    of store: SnippetStore,
    in context: CommandContext
  ) async throws {
    let output = context.console.output
    guard
      let form = PictureForm(pixels, on: output.device, environment: context.environment)
    else { return }
    try output.writeLine()
    do {
      try await PicturePrint(form: form, output: output).write(row, of: store)
    } catch let error as MediaError {
      // The snippet is shown all the same.
      try output.writeLine(DecoderAdvice().line(row, error))
    }
  }

  private func facts(of row: SnippetRow) -> [(String, String)] {
    [
      ("number", "\(row.id)  \(row.uuid.uuidString.lowercased())"),
      ("kind", "\(row.kind.name), \(row.mediaType)"),
      ("size", "\(ByteCountText(row.byteCount)) (\(row.byteCount) bytes)"),
      ("media", row.factsText),
      ("sound", row.soundText),
      ("content", row.flawSentence),
      ("created", DateText.short(row.createdAt)),
      ("changed", DateText.short(row.modifiedAt)),
      ("tags", row.tags.joined(separator: ", ")),
      ("pinned", row.isPinned ? "yes" : ""),
      ("in trash", row.deletedAt.map { "since \(DateText.short($0))" } ?? ""),
    ]
  }
}

/// The user's pager could not be started.
struct PagerError: StatusError {
  let command: String

  var status: ExitStatus { .failure }
  var message: String { "could not start the pager ‘\(command)’" }
  var hint: String? { "Set PAGER to a program that is there, or use --no-pager." }
}
