import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import TerminalKit

struct CatCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Write the exact bytes of a snippet.",
    usage: "snip cat <id> [options]",
    discussion: """
      On a terminal, shows control characters as symbols and refuses images and recordings. To \
      a file or a pipe, writes every byte as it is. If bytes are damaged, it ends with status \
      65. A whole snippet is compared with its hash, and a file is written only if they agree.

      Examples:
        snip cat 7 > copy.png
        snip cat 7 -o copy.png
        snip cat 9 --range 0-99
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var color: ColorOptions
  @OptionGroup var confirmation: ConfirmationOptions

  @Argument(help: "The number of the snippet.")
  var id: SnippetID

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write into this file, replacing it when complete; on a terminal, asks first. - is standard output.",
      valueName: "file"
    ),
    completion: .file()
  )
  var outputPath: String?

  // Unconditional, because -50 starts like an option.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only these bytes, counted from 0: 0-99, 100- or -50 for the last 50.",
      valueName: "a-b"
    )
  )
  var range: ByteRange?

  var colorChoice: ColorChoice { color.choice }

  func validate() throws {
    guard outputPath != "" else { throw ValidationError("The path is empty.") }
  }

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let row = try store.row(id) else { throw MissingSnippetsError(ids: [id]) }
    let offsets = try range?.offsets(inByteCount: Int(row.byteCount))
    let bytes = offsets.map { Int64($0.lowerBound)..<Int64($0.upperBound) }

    if let outputPath, outputPath != "-" {
      let path = context.url(outputPath).path
      if FileStatus.isRegular(path) == true, FileStatus.byteCount(of: path) > 0,
        FileSystem.ownDescriptor(at: path) == nil
      {
        try await confirmation.require("Replace \(TerminalText(outputPath))?", in: context)
      }
      // A pipe or a device may keep it waiting, and nothing is left behind there.
      if FileStatus.isRegular(path) == false { context.interrupts.endAtFirstRequest() }
      let file = try ReplacementFile(path: path)
      try DamagedContentError.telling(.none) {
        try store.forEachPiece(of: id, in: bytes) { piece in
          try context.interrupts.throwIfRequested()
          try file.write(piece)
        }
      }
      try file.publish()
      return
    }
    let output = context.console.output
    guard output.device.isTerminal else {
      var writtenCount: Int64 = 0
      try DamagedContentError.telling(.bytes(writtenCount)) {
        try store.forEachPiece(of: id, in: bytes) { piece in
          try context.interrupts.throwIfRequested()
          try output.write(contentsOf: piece)
          writtenCount += Int64(piece.count)
        }
      }
      return
    }
    guard row.kind == .text else { throw BinaryOnTerminalError(id: id) }
    try DamagedContentError.telling(.part) {
      try output.write(ofText: id, in: bytes, of: store, context.interrupts)
    }
  }
}

extension ConsoleStream {
  /// Writes a text as a terminal shows it, piece by piece, and ends its last line.
  ///
  /// - Parameters:
  ///   - id: The snippet.
  ///   - range: The bytes to write, taken as UTF-8; `nil` for the whole text.
  ///   - store: The store of the snippet.
  ///   - interrupts: The user's requests to end.
  /// - Throws: ``ConsoleError``, `SnippetStoreError`, or the user's request to end.
  fileprivate func write(
    ofText id: SnippetID,
    in range: Range<Int64>?,
    of store: SnippetStore,
    _ interrupts: Interrupts
  ) throws {
    var text = TerminalTextPieces()
    if let range {
      try store.forEachPiece(of: id, in: range) { piece in
        try interrupts.throwIfRequested()
        try write(text.next(bytes: piece))
      }
    } else {
      try store.forEachTextPiece(of: id) { piece in
        try interrupts.throwIfRequested()
        try write(text.next(piece))
      }
    }
    try write(text.finish())
    if !text.endsLine { try writeLine() }
  }
}

extension ByteRange: ExpressibleByArgument {
  init?(argument: String) {
    // The parser says which argument is wrong; the precise reason is in its help.
    guard let range = try? ByteRange(argument) else { return nil }
    self = range
  }
}

/// The bytes of an image or a recording would go to a terminal.
struct BinaryOnTerminalError: StatusError {
  let id: SnippetID

  var status: ExitStatus { .usage }
  var message: String { "snippet \(id) is not a text and would garble the terminal" }
  var hint: String? { "Write it into a file with -o FILE, or into a pipe." }
}
