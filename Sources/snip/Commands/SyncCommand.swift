import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import SnippetSync
import TerminalKit

struct SyncCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Bring the stores of several devices together, over a folder or a bucket.",
    usage: "snip sync [join <place>|status|devices|check|key|leave] [options]",
    discussion: """
      Devices edit apart and come together in a repository: a folder that another program \
      synchronizes (Syncthing, iCloud, a USB stick), or an S3 bucket. Everything in it is \
      encrypted. Nothing is lost: where two devices edited the same text, both stay, the older \
      one with the tag “conflict”. It asks before much is removed here, and --yes allows it. \
      --watch does not ask but ends, unless --yes allows what waits when it starts.

      `join` makes a repository in an empty place and keeps its key in a file; another device needs \
      a copy of that file, and `key` prints the key. A folder with other files is refused. The credentials of S3 are those in \
      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in ~/.aws.

      `status` shows what is not sent yet, what was received and waits to be merged, and \
      whether a restore waits for a choice; `devices` shows which devices take part or have \
      left. Of the JSON, “unsent” counts one snippet for each of “unsentFiles”, which may have \
      more.

      `leave` takes this store out; the snippets stay here and there. The other devices list \
      this one as left, if the place can be reached and the store was neither moved nor \
      restored. A store that joins the same repository again takes part as if it had been away \
      for a while. With --forget it joins as a new one, and snippets that others have deleted \
      come back.

      `check` verifies that the repository has all that its devices sent, and with --read opens \
      every object. --repair sends again what this store has. Log files of another device that it \
      has not received can be given up: --repair asks, and without a terminal does so with --yes. \
      The other devices then send all they have once more. The JSON has “entries” with --read; “unread” counts \
      objects that could not be read, and “lost” log files that can be given up.

      Examples:
        snip sync join ~/Sync/snippets --name laptop
        snip sync join ~/Sync/snippets --name phone --key 3f2a91c0.key
        snip sync join s3://notes/me --endpoint http://10.0.0.1:8333
        snip sync
        snip sync --watch
        snip sync status --json | jq .unsent
        snip sync check --read
      """
  )

  static let handlesInterrupts = true

  /// The things that the command does besides synchronizing.
  enum Action: String, ExpressibleByArgument, CaseIterable {
    case join, status, devices, check, key, leave
  }

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var confirmation: ConfirmationOptions

  @Argument(help: "What to do; to synchronize by default.")
  var action: Action?

  @Argument(help: "For join: the folder, or s3://bucket/prefix.", completion: .directory)
  var place: String?

  @Option(
    help: ArgumentHelp(
      "For join: the name of this device. (default: the name of the machine)",
      valueName: "name"
    )
  )
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The file with the key. (default: in your data directory)",
      valueName: "file"
    ),
    completion: .file()
  )
  var key: String?

  @Option(
    help: ArgumentHelp("For join: the S3 servers, separated by commas.", valueName: "urls")
  )
  var endpoint: String?

  @Option(help: ArgumentHelp("For join: the S3 region.", valueName: "region"))
  var region: String?

  @Flag(name: .customLong("watch"), help: "Keep synchronizing until Ctrl-C.")
  var watches = false

  @Flag(name: .customLong("read"), help: "For check: read and decrypt every object.")
  var readsAll = false

  @Flag(name: .customLong("repair"), help: "For check: send again what is missing or damaged.")
  var repairs = false

  @Flag(
    name: .customLong("forget"),
    help: "For leave: also forget what is known of the repository."
  )
  var forgets = false

  @Flag(help: "After a restore: receive what other devices have edited since the backup.")
  var theirs = false

  @Flag(help: "After a restore: make all devices agree with the backup.")
  var mine = false

  func validate() throws {
    guard !(theirs && mine) else { throw ValidationError("Choose --theirs or --mine.") }
    guard action == nil || !(theirs || mine) else {
      throw ValidationError("--theirs and --mine are for synchronizing.")
    }
    guard action == .check || !(readsAll || repairs) else {
      throw ValidationError("Only check takes --read and --repair.")
    }
    guard action == .leave || !forgets else { throw ValidationError("Only leave takes --forget.") }
    guard (action == .join) == (place != nil) else {
      throw ValidationError(
        action == .join ? "Name the place: snip sync join PLACE." : "Only join takes a place."
      )
    }
    // The URL of an empty path is the current folder, which would become a repository.
    guard place != "" else { throw ValidationError("The place is empty.") }
    guard action == nil || !watches else { throw ValidationError("--watch goes alone.") }
  }

  func run(in context: CommandContext) async throws {
    switch action {
    case .join: try await join(in: context)
    case .status: try await tellStatus(in: context)
    case .devices: try await tellDevices(in: context)
    case .check: try await check(in: context)
    case .key: try await tellKey(in: context)
    case .leave: try await leave(in: context)
    case nil: try await synchronize(in: context)
    }
  }
}

extension SyncCommand {
  fileprivate func synchronize(in context: CommandContext) async throws {
    let sync = try await opened(in: context)
    if mine {
      try await confirmation.require(
        "Undo on all devices what was edited since the backup?",
        in: context
      )
    }
    if mine || theirs { try await sync.settleRestore(keepingBackup: mine) }
    guard watches else { return try await synchronize(sync, in: context) }
    // That all is up to date, or what is not, is said once, not at each look.
    let last = Lock<String?>(nil)
    let end = Lock<SyncError?>(nil)
    try await context.cancellable {
      await sync.run(allowingManyRemovals: confirmation.isGiven) { event in
        switch event {
        case .synchronized(let report):
          let held = HeldDevicesError(report: report).hint ?? ""
          let state = "\(report.unreadBlobCount) \(report.waitingCount) \(held)"
          let wasSaid = last.withLock { last in
            defer { last = state }
            return last == state
          }
          guard !wasSaid || report.hasNews else { return }
          // For programs each report is a line, and words are for failures alone.
          if output.isJSON || !report.isEmpty { tell(report, in: context) }
          if !report.held.isEmpty {
            let error = HeldDevicesError(report: report)
            context.console.messages.writeLine("\(error.message)\n\(held)")
          } else if !output.isJSON {
            context.console.messages.writeLine("Up to date \(DateText.short(.now))")
          }
        case .failed(let error, let delay):
          last.withLock { $0 = nil }
          context.console.messages.writeLine(
            """
            \(TerminalText("\(error)", lines: .folded)) Trying again in \(delay.components.seconds) s.
            """
          )
        case .ended(let error): end.withLock { $0 = error }
        }
      }
    }
    if let error = end.withLock(\.self) { throw error }
  }

  /// Synchronizes once, and prints the work.
  func synchronize(_ sync: StoreSync, in context: CommandContext) async throws {
    let report: SyncReport
    do {
      report = try await synchronize(sync, confirmation.isGiven, in: context)
    } catch let error as SyncError where error.code == .manyRemovals && context.input.isTerminal {
      try await confirmation.require(
        "Other devices have removed much: here \(error.reason). Go on?",
        in: context
      )
      report = try await synchronize(sync, true, in: context)
    }
    tell(report, in: context)
    if !report.held.isEmpty { throw HeldDevicesError(report: report) }
  }

  private func synchronize(
    _ sync: StoreSync,
    _ allowsManyRemovals: Bool,
    in context: CommandContext
  ) async throws -> SyncReport {
    let bar = ProgressBar(title: "Synchronizing", on: context.console.messages)
    defer { bar.finish() }
    return try await context.cancellable {
      try await sync.synchronize(allowingManyRemovals: allowsManyRemovals) { report in
        bar.update(report.progress)
      }
    }
  }

  /// Opens the synchronization of a store that has joined.
  func opened(in context: CommandContext) async throws -> StoreSync {
    let store = try await store.openForChanging(in: context)
    guard let joined = try await StoreSync.repository(of: store) else { throw NotJoinedError() }
    return try await opened(store, joined, in: context)
  }

  /// Opens the synchronization of a store whose repository is known.
  func opened(
    _ store: SnippetStore,
    _ joined: (address: String, identity: String),
    in context: CommandContext
  ) async throws -> StoreSync {
    let place = try SyncPlace(
      joined.address,
      environment: context.environment,
      folder: context.folder
    )
    let key = try keyText(of: joined.identity, in: context)
    guard let key else { throw MissingKeyError(repository: joined.identity) }
    return try await StoreSync(store, by: place.carrier, key: key)
  }

  /// Prints the work of a synchronization.
  func tell(_ report: SyncReport, in context: CommandContext) {
    let console = context.console
    if output.isJSON {
      try? console.output.writeLine(report.json)
    } else {
      for line in report.lines { try? console.output.writeLine(line) }
    }
    // The next may be long in coming.
    try? console.output.flush()
  }
}

/// The store has not joined a repository.
struct NotJoinedError: StatusError {
  var status: ExitStatus { .failure }
  var message: String { "the store has not joined a repository" }
  var hint: String? { "snip sync join PLACE" }
}

/// The key of a repository is not where it is kept.
struct MissingKeyError: StatusError {
  let repository: String
  var status: ExitStatus { .noStore }
  var message: String { "the key of the repository \(repository.prefix(8)) is missing" }
  var hint: String? {
    "`snip sync key` prints it on a device that has joined; name a file with it by --key FILE."
  }
}

/// Something that devices sent could not be read; everything else was done.
struct HeldDevicesError: StatusError {
  let report: SyncReport
  var status: ExitStatus { .failure }
  var message: String { "could not read all that \(report.held.count.counted("device")) sent" }
  var hint: String? {
    // Names come from other devices, and must not look like lines of their own.
    report.held.map { device in
      let words = device.name.isEmpty ? device.reason : "\(device.name): \(device.reason)"
      return "\(TerminalText(words, lines: .folded))"
    }
    .joined(separator: "\n")
  }
}
