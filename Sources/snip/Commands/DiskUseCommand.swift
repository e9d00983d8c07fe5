import ArgumentParser
import SnippetStorage
import TerminalKit

struct DiskUseCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "du",
    abstract: "Tell what takes up the room of the store.",
    usage: "snip du [options]",
    discussion: """
      The parts add up to the size of the file. What snippets hold by kind, tag or month is the \
      size of their contents; bytes that several share count for each.

      Examples:
        snip du
        snip du --by tag
        snip du --json | jq .derivatives
      """
  )

  /// What shares are told by.
  enum Grouping: String, CaseIterable, ExpressibleByArgument {
    case kind, tag, month
  }

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(name: .customLong("by"), help: "What to group the snippets by.")
  var grouping = Grouping.kind

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    let use = try await store.storageUse()
    if output.isJSON { return try context.console.output.writeLine(use.json) }
    try print(use, to: context.console.output)
  }

  private func print(_ use: StorageUse, to output: ConsoleStream) throws {
    var parts = Table(columns: [
      TableColumn("PART"), TableColumn("SIZE", alignment: .trailing),
      TableColumn("SHARE", alignment: .trailing),
    ])
    for (name, byteCount) in use.parts {
      let share = Double(byteCount) / Double(max(1, use.fileByteCount)) * 100
      parts.append([name, ByteCountText(byteCount).description, "\(Int(share.rounded()))%"])
    }
    parts.append(["file", ByteCountText(use.fileByteCount).description, ""])
    parts.append(["log beside it", ByteCountText(use.logByteCount).description, ""])
    try output.write(parts)
    try output.writeLine()
    var shares = Table(columns: [
      TableColumn(grouping.rawValue.uppercased()), TableColumn("SNIPPETS", alignment: .trailing),
      TableColumn("SIZE", alignment: .trailing),
    ])
    for (name, share) in groups(of: use) + [("(trash)", use.trash)] {
      shares.append([name, "\(share.snippetCount)", ByteCountText(share.byteCount).description])
    }
    try output.write(shares)
  }

  private func groups(
    of use: StorageUse
  ) -> [(String, StorageUse.Share)] {
    switch grouping {
    case .kind: SnippetKind.allCases.map { ($0.name, use.kinds[$0] ?? .init()) }
    case .tag: use.tags.map { ($0.name, $0.share) }
    case .month: use.months.map { ($0.month, $0.share) }
    }
  }
}

extension StorageUse {
  fileprivate var parts: [(String, Int64)] {
    [
      ("originals", originalByteCount), ("derivatives", derivativeByteCount),
      ("texts", textByteCount), ("search index", searchIndexByteCount),
      ("indexes", indexByteCount), ("rows", rowByteCount), ("free", freeByteCount),
    ]
  }

  fileprivate var json: JSONObject {
    var kindShares = JSONObject()
    for kind in SnippetKind.allCases {
      kindShares[kind.name] = .object((kinds[kind] ?? .init()).json)
    }
    return [
      "file": .integer(fileByteCount),
      "originals": .integer(originalByteCount),
      "derivatives": .integer(derivativeByteCount),
      "texts": .integer(textByteCount),
      "searchIndex": .integer(searchIndexByteCount),
      "indexes": .integer(indexByteCount),
      "rows": .integer(rowByteCount),
      "free": .integer(freeByteCount),
      "log": .integer(logByteCount),
      "measured": .bool(isMeasured),
      "shared": .integer(sharedByteCount),
      "trash": .object(trash.json),
      "kinds": .object(kindShares),
      "tags": .array(
        tags.map { tag in
          var object = tag.share.json
          object["tag"] = .string(tag.name)
          return .object(object)
        }
      ),
      "months": .array(
        months.map { month in
          var object = month.share.json
          object["month"] = .string(month.month)
          return .object(object)
        }
      ),
    ]
  }
}

extension StorageUse.Share {
  fileprivate var json: JSONObject {
    ["snippets": JSONValue(snippetCount), "bytes": .integer(byteCount)]
  }
}
