import ArgumentParser
import Foundation
import SnipCore
import SnippetStorage
import TerminalKit

struct InfoCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show where the store is and how much it holds.",
    usage: "snip info [options]",
    discussion: """
      Examples:
        snip info
        snip info --json | jq .snippets
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  func run(in context: CommandContext) async throws {
    let location = try store.location(in: context)
    let store = try await store.openForReading(in: context)
    let information = try await store.information()
    let shared = SharedFolder(holding: location.url)
    if output.isJSON {
      try context.console.output.writeLine(information.json(at: location, shared))
    } else {
      for (name, value) in information.lines(at: location, shared) {
        try context.console.output.writeLine(value, label: name)
      }
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
