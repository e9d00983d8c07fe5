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
    usage: "snip sync [join <place> | status | devices | key | leave] [options]",
    discussion: """
      Devices edit apart and come together in a repository: a folder that another program \
      synchronizes (Syncthing, iCloud, a USB stick), or a bucket of S3. Everything in it is \
      encrypted. Nothing is lost: where two devices edited the same text, both stay, the older one \
      with the tag “conflict”.

      `join` makes a repository in an empty place and keeps its key in a file; another device needs \
      a copy of that file. The keys of S3 are those of AWS_ACCESS_KEY_ID and \
      AWS_SECRET_ACCESS_KEY, or of ~/.aws.

      Examples:
        snip sync join ~/Sync/snippets --name laptop
        snip sync join ~/Sync/snippets --name phone --key 3f2a91c0.key
        snip sync join s3://notes/me --endpoint http://10.0.0.1:8333
        snip sync
        snip sync --watch
        snip sync status --json | jq .unsent
      """
  )

  static let handlesInterrupts = true

  /// The things that the command does besides synchronizing.
  enum Action: String, ExpressibleByArgument, CaseIterable {
    case join, status, devices, key, leave
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
    help: ArgumentHelp("For join: the servers of S3, separated by commas.", valueName: "urls")
  )
  var endpoint: String?

  @Option(help: ArgumentHelp("For join: the region of S3.", valueName: "region"))
  var region: String?

  @Flag(name: .customLong("watch"), help: "Synchronize on and on, until Ctrl-C.")
  var watches = false

  func validate() throws {
    guard (action == .join) == (place != nil) else {
      throw ValidationError(
        action == .join ? "Name the place: snip sync join PLACE." : "Only join takes a place."
      )
    }
    guard action == nil || !watches else { throw ValidationError("--watch goes alone.") }
  }

  func run(in context: CommandContext) async throws {
    switch action {
    case .join: try await join(in: context)
    case .status: try await tellStatus(in: context)
    case .devices: try await tellDevices(in: context)
    case .key: try await tellKey(in: context)
    case .leave: try await leave(in: context)
    case nil: try await synchronize(in: context)
    }
  }
}

// MARK: - Joining

extension SyncCommand {
  private func join(in context: CommandContext) async throws {
    let place = try SyncPlace(
      place ?? "",
      endpoints: endpoint,
      region: region,
      environment: context.environment,
      folder: context.folder
    )
    let store = try await store.open(in: context)
    // Only where a person makes a repository: a disk that is not mounted must not look like an empty
    // one later.
    if key == nil { try place.makeFolder() }
    let repository = try await StoreSync.repository(by: place.carrier)
    let messages = context.console.messages
    let address = TerminalText(place.address, lines: .folded)
    messages.writeLine(
      repository.map { "Joining the repository \($0.prefix(8)) in \(address)." }
        ?? "There is no repository in \(address) yet: making one."
    )
    let sync = try await StoreSync.join(
      store,
      by: place.carrier,
      at: place.address,
      as: name ?? ProcessInfo.processInfo.hostName,
      key: keyText(of: repository, in: context)
    )
    if let joined = try await StoreSync.status(of: store)?.repository {
      let file = try SyncKeyFile(of: joined, in: context)
      try file.write(sync.key, of: joined)
      messages.writeLine("The key is in \(file.url.path): keep a copy elsewhere.")
    }
    try await synchronize(sync, in: context)
  }

  /// The key of a repository: that of the option, else the one that this user keeps.
  private func keyText(of repository: String?, in context: CommandContext) throws -> String? {
    if let key {
      return try SyncKeyFile(URL(fileURLWithPath: key, relativeTo: context.folder)).read()
    }
    guard let repository else { return nil }
    let file = try SyncKeyFile(of: repository, in: context)
    return file.isThere ? try file.read() : nil
  }
}

// MARK: - Synchronizing

extension SyncCommand {
  private func synchronize(in context: CommandContext) async throws {
    let sync = try await opened(in: context)
    guard watches else { return try await synchronize(sync, in: context) }
    // That all is up to date is said once, not at each look.
    let isQuiet = Lock(false)
    try await context.cancellable {
      await sync.run { event in
        switch event {
        case .synchronized(let report):
          let wasQuiet = isQuiet.withLock { isQuiet in
            defer { isQuiet = true }
            return isQuiet && report.isEmpty
          }
          guard !wasQuiet else { return }
          if !report.isEmpty { tell(report, in: context) }
          context.console.messages.writeLine("Up to date \(DateText.short(.now))")
        case .failed(let error, let delay):
          isQuiet.withLock { $0 = false }
          context.console.messages.writeLine(
            "\(error) Trying again in \(delay.components.seconds) s."
          )
        }
      }
    }
  }

  private func synchronize(_ sync: StoreSync, in context: CommandContext) async throws {
    let report = try await context.cancellable {
      try await sync.synchronize(allowingManyRemovals: confirmation.isGiven)
    }
    tell(report, in: context)
    if !report.held.isEmpty { throw HeldDevicesError(report: report) }
  }

  private func opened(in context: CommandContext) async throws -> StoreSync {
    let store = try await store.openForChanging(in: context)
    guard let status = try await StoreSync.status(of: store) else {
      throw NotJoinedError()
    }
    let place = try SyncPlace(
      status.address,
      environment: context.environment,
      folder: context.folder
    )
    let key = try keyText(of: status.repository, in: context)
    guard let key else { throw MissingKeyError(repository: status.repository) }
    return try await StoreSync(store, by: place.carrier, key: key)
  }

  private func tell(_ report: SyncReport, in context: CommandContext) {
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

// MARK: - Looking and leaving

extension SyncCommand {
  private func tellStatus(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let status = try await StoreSync.status(of: store) else { throw NotJoinedError() }
    let output = context.console.output
    if self.output.isJSON {
      var object: JSONObject = [
        "address": .string(status.address), "repository": .string(status.repository),
        "device": .string(status.deviceName), "unsent": JSONValue(status.unsentCount),
        "unsentBlobs": JSONValue(status.unsentBlobCount),
      ]
      object["synchronizedAt"] = status.synchronizedAt.map { .string($0.ISO8601Format()) }
      return try output.writeLine(object)
    }
    let unsent = [
      status.unsentCount.counted("snippet"), status.unsentBlobCount.counted("blob"),
    ]
    for (name, value) in [
      ("place", status.address), ("repository", status.repository), ("device", status.deviceName),
      ("unsent", unsent.joined(separator: ", ")),
      (
        "up to date",
        status.synchronizedAt.map { DateText.short($0) } ?? "never"
      ),
    ] {
      try output.writeLine(value, label: name, labelWidth: 12)
    }
  }

  private func tellDevices(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    for device in try await StoreSync.devices(of: store) {
      if output.isJSON {
        var object: JSONObject = [
          "name": .string(device.name), "own": .bool(device.isOwn),
          "received": .integer(device.receivedCount),
        ]
        object["sentAt"] = device.sentAt.map { .string($0.ISO8601Format()) }
        try context.console.output.writeLine(object)
      } else {
        let date = device.sentAt.map { DateText.short($0) } ?? "never"
        let name = TerminalText(device.name, lines: .folded)
        try context.console.output.writeLine(
          "\(name)\(device.isOwn ? " (this device)" : "")  sent \(date)"
        )
      }
    }
  }

  private func tellKey(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let status = try await StoreSync.status(of: store) else { throw NotJoinedError() }
    guard let key = try keyText(of: status.repository, in: context) else {
      throw MissingKeyError(repository: status.repository)
    }
    let line = key.split(whereSeparator: \.isNewline).last { !$0.hasPrefix("#") } ?? ""
    if output.isJSON {
      return try context.console.output.writeLine(["key": .string(String(line))])
    }
    try context.console.output.writeLine(String(line))
  }

  private func leave(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    guard let status = try await StoreSync.status(of: store) else { throw NotJoinedError() }
    try await confirmation.require(
      "Leave the repository in \(TerminalText(status.address, lines: .folded))?",
      in: context
    )
    try await StoreSync.leave(store)
    context.console.messages.writeLine("Left it. The snippets stay here, and there.")
  }
}

/// The store has not joined a repository.
private struct NotJoinedError: StatusError {
  var status: ExitStatus { .failure }
  var message: String { "the store has not joined a repository" }
  var hint: String? { "snip sync join PLACE" }
}

/// The key of a repository is not where it is kept.
private struct MissingKeyError: StatusError {
  let repository: String
  var status: ExitStatus { .noStore }
  var message: String { "the key of the repository \(repository.prefix(8)) is missing" }
  var hint: String? { "--key names a file with it." }
}

/// Some devices could not be read on; everything else was done.
private struct HeldDevicesError: StatusError {
  let report: SyncReport
  var status: ExitStatus { .failure }
  var message: String { "could not read on what \(report.held.count.counted("device")) sent" }
  var hint: String? {
    report.held.map { "\($0.name): \($0.reason)" }.joined(separator: "\n")
  }
}
