import ArgumentParser
import Foundation
import SnipCore
import SnippetMedia
import SnippetStorage
import TerminalKit

struct ShowCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one snippet: its facts, and its text, picture or waveform.",
    usage: "snip show <id> [options]",
    discussion: """
      Control characters in a text are shown as symbols; `snip cat` writes the exact bytes.

      On a terminal, draws pictures and waveforms in the best form it is known to support; --pixels \
      chooses another form, for any output. A separate process decodes them.

      Examples:
        snip show 7
        snip show 7 --pixels sixel
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
  var pixels = PixelsArgument.auto

  @Argument(help: "The number of the snippet, as `snip list` shows it.")
  var id: SnippetID

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let row = try store.row(id) else { throw MissingSnippetsError(ids: [id]) }
    let output = context.console.output
    if self.output.isJSON {
      guard row.kind == .text else { return try output.writeLine(row.json) }
      try DamagedContentError.telling(.part) {
        try output.writeLine(row.json, last: "text") { body in
          try store.forEachTextPiece(of: id, body)
        }
      }
      return
    }
    try printHead(row, to: output)
    if row.kind == .text {
      try DamagedContentError.telling(.part) { try printText(of: store, to: output) }
    } else {
      try await draw(row, of: store, in: context)
      try output.writeLine("\nIts bytes: snip cat \(row.id) -o FILE")
    }
  }

  private func printHead(_ row: SnippetRow, to output: ConsoleStream) throws {
    let title = row.title.isEmpty ? "(no title)" : TerminalText(row.title).description
    try output.writeLine(output.device.styled(title, .heading))
    for (name, value) in facts(of: row) where !value.isEmpty {
      try output.writeLine(value, label: name)
    }
  }

  /// Prints a text in memory for its longest line, which must be known to be wrapped.
  private func printText(of store: SnippetStore, to output: ConsoleStream) throws {
    try output.writeLine()
    let width = output.device.fittingWidth
    var text = TerminalTextPieces()
    var line = ""
    func printLines(of piece: String) throws {
      guard let width else { return try output.write(piece) }
      let lines = piece.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, part) in lines.enumerated() {
        if number > 0 {
          try printLine(line, wrappedTo: width, to: output)
          line = ""
        }
        line += part
      }
    }
    try store.forEachTextPiece(of: id) { try printLines(of: text.next($0)) }
    try printLines(of: text.finish())
    guard let width else { return try output.writeLine() }
    try printLine(line, wrappedTo: width, to: output)
  }

  private func printLine(
    _ line: String,
    wrappedTo width: Int,
    to output: ConsoleStream
  ) throws(ConsoleError) {
    for piece in line.wrapped(toWidth: width) { try output.writeLine(piece) }
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
    let print = PicturePrint(form: form, output: output)
    try output.writeLine()
    do {
      let picture = try await SnippetPicture.of(
        row,
        in: store,
        media: WorkerMedia.ofThisProgram(),
        for: print.fit(for: row.kind)
      )
      if let picture { try print.write(picture) }
    } catch let error as MediaError {
      // The snippet is shown all the same.
      try output.writeLine(DecoderAdvice().line(row, error))
    }
  }

  private func facts(of row: SnippetRow) -> [(String, String)] {
    [
      ("id", "\(row.id)  \(row.uuid.uuidString.lowercased())"),
      ("kind", "\(row.kind.name), \(row.mediaType)"),
      ("size", "\(ByteCountText(row.byteCount)) (\(row.byteCount) bytes)"),
      ("media", row.factsText),
      ("sound", row.soundText),
      ("created", DateText.short(row.createdAt)),
      ("modified", DateText.short(row.modifiedAt)),
      ("tags", row.tags.joined(separator: ", ")),
      ("pinned", row.isPinned ? "yes" : ""),
      ("in trash", row.deletedAt.map { "since \(DateText.short($0))" } ?? ""),
    ]
  }
}
