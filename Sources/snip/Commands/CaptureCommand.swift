import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import TerminalKit

struct CaptureCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Keep standard input as it comes, safe from a crash.",
    usage: "snip capture [options]",
    discussion: """
      Each byte is on the disk within a second of its arrival, sooner if there are many. The \
      end of the input or Ctrl-C turns them into a snippet. After a crash the capture stays in \
      the store until you recover or discard it.

      Examples:
        arecord -q -f cd -t wav | snip capture --kind voice --title 'A thought'
        tail -f /var/log/messages | snip capture --tag log
        snip capture --list
        snip capture --recover
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var confirmation: ConfirmationOptions

  @Option(help: "The title. (default: the first line of a text, or the one in the bytes)")
  var title: String?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("A tag. May be repeated.", valueName: "tag"),
    completion: .tags
  )
  var tags: [String] = []

  @Option(help: "The kind: text, image or voice. (default: found in the bytes)")
  var kind: SnippetKind?

  @Option(
    help: ArgumentHelp("The media type. (default: found in the bytes)", valueName: "type")
  )
  var mediaType: String?

  @Flag(help: "List captures in progress, and those that a crash has left.")
  var list = false

  @Flag(help: "Make snippets of captures that a crash has left, of --kind where none was given.")
  var recover = false

  @Flag(help: "Delete captures that a crash has left; on a terminal, asks first.")
  var discard = false

  func validate() throws {
    let actions = [list, recover, discard].count { $0 }
    let isPlain = title == nil && tags.isEmpty && (kind == nil || recover) && mediaType == nil
    guard actions == 0 || (actions == 1 && isPlain) else {
      throw ValidationError(
        "Give one of --list, --recover and --discard, and no more with it than --kind with --recover."
      )
    }
  }

  func run(in context: CommandContext) async throws {
    if list {
      let store = try await store.openForReading(in: context)
      for row in try await store.captures() { try printRow(row, context.console) }
      return
    }
    let store =
      try await recover || discard
      ? store.openForChanging(in: context) : store.open(in: context)
    if recover {
      try await recoverAll(of: store, in: context)
    } else if discard {
      let left = try await store.captures().filter { !$0.isInProgress }
      if !left.isEmpty {
        try await confirmation.require(
          "Throw away \(left.count.counted("capture")) for good?",
          in: context
        )
      }
      for row in left { try await store.discardCapture(row.id) }
      if output.isJSON {
        try context.console.output.writeLine(["discarded": JSONValue(left.count)])
      } else {
        context.console.messages.writeLine("Discarded \(left.count).")
      }
    } else {
      try printSnippet(try await capture(into: store, in: context), context.console)
    }
  }

  private func capture(
    into store: SnippetStore,
    in context: CommandContext
  ) async throws -> SnippetRow {
    let capture = try await store.startCapture(
      title: title,
      tags: tags.map(TagWord.plain),
      kind: kind,
      mediaType: mediaType
    )
    let input = WaitingInput(context.input.descriptor, interrupts: context.interrupts)
    do {
      reading: while true {
        switch try await OwnThreads.result({ try input.next(within: .seconds(1)) }) {
        case .bytes(let bytes): try await Self.unlessBusy { try await capture.append(bytes) }
        case .silence: try await Self.unlessBusy { try await capture.save() }
        case .end: break reading
        }
      }
      return try await capture.finish()
    } catch let error as SnippetStoreError
      where capture.byteCount == 0 && error.code == .unsupportedContent
    {
      try await capture.cancel()
      throw EmptyCaptureError()
    } catch let error as any StatusError {
      throw LeftCaptureError(cause: error)
    }
  }

  /// Continues while another program writes: new bytes are kept, and saved with the next ones.
  private static func unlessBusy(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as SnippetStoreError {
      guard error.code == .busy else { throw error }
    }
  }

  private func recoverAll(of store: SnippetStore, in context: CommandContext) async throws {
    var failedCount = 0
    for row in try await store.captures() where !row.isInProgress {
      try context.interrupts.throwIfRequested()
      do {
        if row.byteCount == 0 {
          try await store.discardCapture(row.id)
        } else {
          let snippet = try await context.cancellable { [kind] in
            try await store.finishCapture(row.id, kind: kind)
          }
          try printSnippet(snippet, context.console)
        }
      } catch let error as SnippetStoreError
        where [.unsupportedContent, .damaged].contains(error.code)
      {
        // The other captures can still be recovered.
        failedCount += 1
        _ = context.console.report(error)
      }
    }
    if failedCount > 0 { throw UnrecoveredError(count: failedCount) }
  }

  private func printSnippet(_ row: SnippetRow, _ console: Console) throws {
    if output.isJSON {
      try console.output.writeLine(row.json)
    } else {
      try console.output.writeLine(row.id.description)
    }
  }

  private func printRow(_ row: CaptureRow, _ console: Console) throws {
    if output.isJSON {
      var object: JSONObject = [
        "capture": .integer(row.id.rawValue),
        "startedAt": .string(row.startedAt.iso8601Milliseconds),
        "appendedAt": .string(row.appendedAt.iso8601Milliseconds),
        "byteCount": .integer(row.byteCount),
        "tags": .array(row.tags.map(JSONValue.string)),
        "inProgress": .bool(row.isInProgress),
      ]
      object["kind"] = row.kind.map { .string($0.name) }
      object["title"] = row.title.map(JSONValue.string)
      return try console.output.writeLine(object)
    }
    let state = row.isInProgress ? "in progress" : "left"
    let parts = [
      row.id.description, state, ByteCountText(row.byteCount).description,
      DateText.short(row.appendedAt), row.title ?? "",
    ]
    try console.output.writeLine(TerminalText(parts.joined(separator: "  ")).description)
  }
}

/// Standard input had no bytes.
struct EmptyCaptureError: StatusError {
  var status: ExitStatus { .badInput }
  var message: String { "nothing came from standard input" }
  var hint: String? { "Nothing was changed." }
}

/// The capture ended early; the part that was saved is kept.
struct LeftCaptureError: StatusError {
  let cause: any StatusError

  var status: ExitStatus { cause.status }
  var message: String { cause.message }

  // The advice of the cause is for calls that change everything or nothing.
  var hint: String? {
    switch (cause as? SnippetStoreError)?.code {
    case .unsupportedContent:
      "The bytes are still there, see `snip capture --list`. With --kind they are kept in any form."
    case .notFound: cause.hint
    case .diskFull: "Free some space. \(Self.way)"
    default: Self.way
    }
  }

  private static let way =
    "The saved bytes are still there: `snip capture --recover` makes a snippet of them."
}

/// Some captures could not be made snippets.
struct UnrecoveredError: StatusError {
  let count: Int

  var status: ExitStatus { .failure }
  var message: String { "could not recover \(count) of the captures; they are still there" }
  var hint: String? {
    "`snip capture --recover --kind voice` keeps them in any form, --discard deletes them."
  }
}
