import Foundation
import SnipCore
import SnippetStorage
import SnippetSync
import TerminalKit

extension SyncCommand {
  /// Prints where the store meets others.
  func tellStatus(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let status = try await StoreSync.status(of: store) else { throw NotJoinedError() }
    let output = context.console.output
    if self.output.isJSON {
      var object: JSONObject = [
        "address": .string(status.address), "repository": .string(status.repository),
        "device": .string(status.deviceName), "unsent": JSONValue(status.unsentCount),
        "unsentFiles": JSONValue(status.unsentFileCount),
        "unsentBlobs": JSONValue(status.unsentBlobCount),
        "waiting": JSONValue(status.waitingCount), "restored": .bool(status.isRestored),
      ]
      object["synchronizedAt"] = status.synchronizedAt.map { .string($0.ISO8601Format()) }
      return try output.writeLine(object)
    }
    let unsent = [
      // A log file tells its number of snippets only with the key.
      (status.unsentFileCount > 0 ? "at least " : "") + status.unsentCount.counted("snippet"),
      status.unsentBlobCount.counted("blob"),
    ]
    var fields: [(name: String, value: String)] = [
      ("place", status.address), ("repository", status.repository), ("device", status.deviceName),
      ("unsent", unsent.joined(separator: ", ")),
    ]
    if status.waitingCount > 0 {
      fields.append(("waiting", status.waitingCount.counted("snippet")))
    }
    if status.isRestored {
      fields.append(("restored", "decide what counts: snip sync --theirs, or snip sync --mine"))
    }
    let date = status.synchronizedAt.map { DateText.short($0) }
    fields.append(("up to date", date ?? "never"))
    for (name, value) in fields {
      try output.writeLine(value, label: name, labelWidth: 12)
    }
  }

  /// Prints the devices of the repository.
  func tellDevices(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard try await StoreSync.repository(of: store) != nil else { throw NotJoinedError() }
    let devices = try await StoreSync.devices(of: store)
    func shownName(_ name: String, isOwn: Bool) -> String {
      "\(TerminalText(name, lines: .folded))\(isOwn ? " (this device)" : "")"
    }
    let width =
      devices.map { shownName($0.name, isOwn: $0.isOwn).displayWidth }.max() ?? 0
    for device in devices {
      if output.isJSON {
        var object: JSONObject = [
          "name": .string(device.name), "own": .bool(device.isOwn),
          "received": .integer(device.receivedCount),
        ]
        object["sentAt"] = device.sentAt.map { .string($0.ISO8601Format()) }
        object["leftAt"] = device.leftAt.map { .string($0.ISO8601Format()) }
        try context.console.output.writeLine(object)
      } else {
        let date = (device.leftAt ?? device.sentAt).map { DateText.short($0) } ?? "never"
        let name = shownName(device.name, isOwn: device.isOwn).padded(toWidth: width)
        let event = device.leftAt == nil ? "sent" : "left"
        let isFormer = devices.contains { device.mayBeFormer(of: $0) }
        let note = isFormer ? "  (moved or copied since, or another of this name)" : ""
        try context.console.output.writeLine("\(name)  \(event) \(date)\(note)")
      }
    }
  }

  /// Checks the repository; with --repair it sends again what this store has.
  func check(in context: CommandContext) async throws {
    let sync = try await opened(in: context)
    let bar = ProgressBar(title: "Checking", on: context.console.messages)
    defer { bar.finish() }
    @Sendable func look(acceptingLoss acceptsLoss: Bool) async throws -> SyncCheck {
      try await sync.check(
        readingAll: readsAll,
        repairing: repairs,
        acceptingLoss: acceptsLoss
      ) { completed, total in
        bar.update(WorkProgress(completedCount: completed, totalCount: total))
      }
    }
    let isGiven = confirmation.isGiven
    var found = try await context.cancellable { try await look(acceptingLoss: repairs && isGiven) }
    bar.finish()
    if output.isJSON {
      try context.console.output.writeLine(found.json)
    } else {
      for line in found.lines { try context.console.output.writeLine(line) }
    }
    if let report = found.report, !report.isEmpty { tell(report, in: context) }
    var mendedCount = found.mendedCount
    if try await givesUp(found.lostLogs, in: context) {
      let faultCount = found.faults.count
      found = try await context.cancellable { try await look(acceptingLoss: true) }
      bar.finish()
      if let report = found.report, !report.isEmpty { tell(report, in: context) }
      // What was mended before is no fault any more.
      mendedCount = faultCount - (found.faults.count - found.mendedCount)
    }
    let faultCount = found.faults.count - found.mendedCount
    if mendedCount > 0 {
      var held: HeldDevicesError?
      do {
        try await synchronize(sync, in: context)
      } catch let error as HeldDevicesError {
        held = error
      }
      if !output.isJSON {
        try context.console.output.writeLine("Mended \(mendedCount.counted("fault")).")
      }
      // Where faults stay, the check says more of what to do.
      if let held, faultCount == 0 { throw held }
    }
    if faultCount > 0 {
      throw UnsoundRepositoryError(check: found, isRepaired: repairs, isRead: readsAll)
    }
  }

  /// Asks whether to give up log files that no repair can mend.
  ///
  /// Only a person can know that they are not just late, so a script has to say so with --yes.
  private func givesUp(
    _ lost: [SyncCheck.LostLogs],
    in context: CommandContext
  ) async throws -> Bool {
    let isAsked = context.input.isTerminal && context.console.messages.device.isTerminal
    guard repairs, isAsked, !lost.isEmpty, !confirmation.isGiven, !output.isJSON else {
      return false
    }
    do {
      try await confirmation.require(
        "\(lost.map(\.words).joined(separator: " ")) Give up what is lost?",
        in: context
      )
      return true
    } catch is NotConfirmedError {
      // The rest is mended, and the fault stays.
      return false
    }
  }

  /// Prints the key of the repository.
  func tellKey(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    guard let joined = try await StoreSync.repository(of: store) else { throw NotJoinedError() }
    guard let key = try keyText(of: joined.identity, in: context) else {
      throw MissingKeyError(repository: joined.identity)
    }
    if output.isJSON { return try context.console.output.writeLine(["key": .string(key)]) }
    try context.console.output.writeLine(key)
  }
}

extension SyncDevice {
  /// Whether another device of its name has sent later, as one does that was copied or moved from it.
  fileprivate func mayBeFormer(of other: SyncDevice) -> Bool {
    !isOwn && leftAt == nil && name == other.name
      && sentAt ?? .distantPast < other.sentAt ?? (other.isOwn ? .distantFuture : .distantPast)
  }
}

extension SyncCheck.LostLogs {
  /// The words for what is lost, and for where it can still be mended; names come from other devices.
  fileprivate var words: String {
    let device = name.isEmpty ? "another device" : "“\(name)”"
    let date = sentAt.map { ", which last sent on \(DateText.short($0))," } ?? ""
    var words = """
      \(count.counted("log file")) of \(device)\(date) \(count == 1 ? "is" : "are") lost, or still \
      arriving.
      """
    let others = receivers.map { "“\($0)”" }.joined(separator: ", ")
    if !others.isEmpty { words += " Received by \(others): mend it there." }
    words += " If \(device) still exists, mend it there: snip sync check --repair."
    return "\(TerminalText(words, lines: .folded))"
  }
}

/// Objects of the repository are missing or damaged; one fault may name several.
private struct UnsoundRepositoryError: StatusError {
  let check: SyncCheck
  let isRepaired: Bool
  /// Whether all objects were read; without that, a repair does not find those that were altered.
  let isRead: Bool
  var status: ExitStatus { .failure }
  var message: String {
    let count = check.faults.count - check.mendedCount
    return "the repository has \(count.counted("fault"))"
  }
  var hint: String? {
    // No other device can mend what this one may not read.
    if check.mendedCount == 0 {
      let closed = check.faults.first { ![.damaged, .wrongKey].contains($0.code) }
      if let advice = closed?.recoverySuggestion { return "\(advice) Then check again." }
    }
    let command = "snip sync check \(isRead ? "--read --repair" : "--repair")"
    if let hindrance = check.hindrance { return "\(hindrance) Then repair again: \(command)" }
    if isRepaired {
      let advice = "Check on the other devices too: each can send only what its own store has."
      guard check.lostLogCount > 0 else { return advice }
      return """
        \(advice) If none has the \(check.lostLogCount == 1 ? "log file" : "log files"), give up what is \
        lost: \(command) --yes
        """
    }
    return check.isMendable
      ? """
      Files may still be arriving. If that does not help, \(command) sends again what this store has.
      """
      : """
      Files may still be arriving. If that does not help, mend it on the device that sent it: \(command). \
      If that device is gone, do so on one that had received it.
      """
  }
}
