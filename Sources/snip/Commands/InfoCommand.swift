import ArgumentParser
import Foundation
import SnipCore
import SnippetStorage
import TerminalKit

struct InfoCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show where the store is, how much it holds, and what takes up its room.",
    usage: "snip info [options]",
    discussion: """
      The parts add up to the size of the file. The snippets of a kind, tag or month have the size \
      of their contents; bytes that several of them share count for each.

      Examples:
        snip info
        snip info --by tag
        snip info --json | jq .storageUse.derivatives
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp("What to group the snippets by.", valueName: "group")
  )
  var grouping = StorageGrouping.kind

  func run(in context: CommandContext) async throws {
    let location = try store.location(in: context)
    let store = try await store.openForReading(in: context)
    let information = try await store.information()
    let use = try await store.storageUse()
    let shared = SharedFolder(holding: location.url)
    if output.isJSON {
      var json = information.json(at: location, shared)
      json["storageUse"] = .object(use.json)
      try context.console.output.writeLine(json)
    } else {
      for (name, value) in information.lines(at: location, shared) {
        try context.console.output.writeLine(value, label: name)
      }
      try context.console.output.writeLine()
      try use.print(by: grouping, to: context.console.output)
    }
  }
}

extension StoreInformation {
  fileprivate func json(at location: StoreLocation, _ shared: SharedFolder?) -> JSONObject {
    var kinds = JSONObject()
    for kind in SnippetKind.allCases { kinds[kind.name] = JSONValue(snippetCounts[kind] ?? 0) }
    return [
      "store": .string(location.url.path),
      "schemaVersion": JSONValue(schemaVersion),
      "snippets": JSONValue(snippetCounts.values.reduce(0, +)),
      "kinds": .object(kinds),
      "trash": JSONValue(trashCount),
      "tags": JSONValue(tagCount),
      "blobs": JSONValue(blobCount),
      "blobBytes": .integer(blobByteCount),
      "captures": JSONValue(captureCount),
      "fileBytes": .integer(fileByteCount),
      "logBytes": .integer(logByteCount),
      "freeBytes": .integer(freeByteCount),
      "sqliteVersion": .string(sqliteVersion),
      "sqliteHasLogResetBug": .bool(sqliteHasLogResetBug),
      "sharedBy": shared.map { .string($0.service) } ?? .null,
    ]
  }

  fileprivate func lines(
    at location: StoreLocation,
    _ shared: SharedFolder?
  ) -> [(String, String)] {
    let kinds = SnippetKind.allCases.map { "\(snippetCounts[$0] ?? 0) \($0.name)" }
    let risk =
      sqliteHasLogResetBug
      ? "; before 3.51.3: another program that writes and checkpoints at the same instant can "
        + "damage the file (snip itself keeps clear of it)" : ""
    let left = "\(captureCount) not finished; `snip capture --list` shows them"
    let captures = captureCount == 0 ? [] : [("captured", left)]
    let risks = shared.map { [("risk", $0.warning)] } ?? []
    return [("store", "\(location.url.path) (\(location.reason))")] + risks + [
      ("snippets", "\(snippetCounts.values.reduce(0, +)): \(kinds.joined(separator: ", "))"),
      ("trash", "\(trashCount)"),
      ("tags", "\(tagCount)"),
      ("blobs", "\(blobCount), \(ByteCountText(blobByteCount))"),
    ] + captures + [
      (
        "file",
        """
        \(ByteCountText(fileByteCount)), \(ByteCountText(freeByteCount)) of it free; \
        log \(ByteCountText(logByteCount))
        """
      ),
      ("schema", "version \(schemaVersion)"),
      ("sqlite", sqliteVersion + risk),
    ]
  }
}

extension StorageGrouping: ExpressibleByArgument {}
