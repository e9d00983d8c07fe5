import ArgumentParser
import Foundation
import SnippetBase
import SnippetStorage
import TerminalKit

struct RecordCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record standard input as it comes, safe from a crash.",
    usage: "snip record [options]",
    discussion: """
      What has come is on the disk a second later, or sooner when it is much. The end of the input \
      or Ctrl-C makes a snippet of it. What a crash has left stays in the store until it is \
      recovered or discarded.

      Examples:
        arecord -q -f cd -t wav | snip record --kind voice --title 'A thought'
        tail -f /var/log/messages | snip record --tag log
        snip record --list
        snip record --recover
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "The title. (default: the first line of a text, or the one in the bytes)")
  var title: String?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("A tag. May be repeated.", valueName: "tag")
  )
  var tags: [String] = []

  @Option(help: "What it is: text, image or voice. (default: told from the bytes)")
  var kind: SnippetKind?

  @Option(
    help: ArgumentHelp("Its media type. (default: told from the bytes)", valueName: "type")
  )
  var mediaType: String?

  @Flag(help: "List what is being recorded, or was left by a crash.")
  var list = false

  @Flag(help: "Make snippets of what a crash has left, of --kind where none was given.")
  var recover = false

  @Flag(help: "Throw away what a crash has left.")
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
      for row in try await store.recordings() { try printRow(row, context.console) }
      return
    }
    let store = try await store.open(in: context)
    if recover {
      try await recoverAll(of: store, in: context)
    } else if discard {
      let left = try await store.recordings().filter { !$0.isInProgress }
      for row in left { try await store.discardRecording(row.id) }
      if output.isJSON {
        try context.console.output.writeLine(["discarded": JSONValue(left.count)])
      } else {
        context.console.messages.writeLine("Discarded \(left.count).")
      }
    } else {
      try printSnippet(try await record(into: store, in: context), context.console)
    }
  }

  private func record(
    into store: SnippetStore,
    in context: CommandContext
  ) async throws -> SnippetRow {
    let recording = try await store.startRecording(
      title: title,
      tags: tags,
      kind: kind,
      mediaType: mediaType
    )
    let input = WaitingInput(interrupts: context.interrupts)
    do {
      reading: while true {
        switch try await OwnThreads.result({ try input.next(within: .seconds(1)) }) {
        case .bytes(let bytes): try await Self.unlessBusy { try await recording.append(bytes) }
        case .silence: try await Self.unlessBusy { try await recording.save() }
        case .end: break reading
        }
      }
      return try await recording.finish()
    } catch let error as SnippetStoreError
      where recording.byteCount == 0 && error.code == .unsupportedContent
    {
      try await recording.cancel()
      throw EmptyRecordingError()
    } catch let error as any StatusError {
      throw LeftRecordingError(cause: error)
    }
  }

  /// Carries on while another program writes: what has come is kept, and saved with what comes next.
  private static func unlessBusy(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as SnippetStoreError {
      guard error.code == .busy else { throw error }
    }
  }

  private func recoverAll(of store: SnippetStore, in context: CommandContext) async throws {
    var failedCount = 0
    for row in try await store.recordings() where !row.isInProgress {
      try context.interrupts.throwIfRequested()
      do {
        if row.byteCount == 0 {
          try await store.discardRecording(row.id)
        } else {
          let snippet = try await context.cancellable { [kind] in
            try await store.finishRecording(row.id, kind: kind)
          }
          try printSnippet(snippet, context.console)
        }
      } catch let error as SnippetStoreError
        where [.unsupportedContent, .damaged].contains(error.code)
      {
        // It keeps no other from being recovered.
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

  private func printRow(_ row: RecordingRow, _ console: Console) throws {
    if output.isJSON {
      var object: JSONObject = [
        "recording": .integer(row.id.rawValue),
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

/// Nothing came from standard input.
struct EmptyRecordingError: StatusError {
  var status: ExitStatus { .badInput }
  var message: String { "nothing came from standard input" }
  var hint: String? { "Nothing was changed." }
}

/// The recording could not go on to its end; what was saved of it is left.
struct LeftRecordingError: StatusError {
  let cause: any StatusError

  var status: ExitStatus { cause.status }
  var message: String { cause.message }

  // What the cause suggests is for a call that changes all or nothing.
  var hint: String? {
    switch (cause as? SnippetStoreError)?.code {
    case .unsupportedContent:
      "What came is still there, see `snip record --list`. With --kind it is kept whatever it is."
    case .notFound: cause.hint
    case .diskFull: "Free some space. \(Self.way)"
    default: Self.way
    }
  }

  private static let way =
    "What was saved until then is still there: `snip record --recover` makes a snippet of it."
}

/// Some of what was left could not be made a snippet.
struct UnrecoveredError: StatusError {
  let count: Int

  var status: ExitStatus { .failure }
  var message: String { "could not recover \(count) of the recordings; they are still there" }
  var hint: String? {
    "`snip record --recover --kind voice` keeps them whatever they are, --discard throws them away."
  }
}
