import SnippetStorage
import TerminalKit

/// The grouping of snippets when their shares of a store are shown.
enum StorageGrouping: String, CaseIterable {
  case kind, tag, month
}

extension StorageUse {
  private var parts: [(String, Int64)] {
    [
      ("originals", originalByteCount), ("derivatives", derivativeByteCount),
      ("texts", textByteCount), ("search index", searchIndexByteCount),
      ("indexes", indexByteCount), ("rows", rowByteCount), ("free", freeByteCount),
    ]
  }

  /// Prints the parts of the file, then the snippets by group.
  ///
  /// - Parameters:
  ///   - grouping: The grouping of the snippets.
  ///   - output: The output.
  /// - Throws: `ConsoleError`
  func print(by grouping: StorageGrouping, to output: ConsoleStream) throws {
    var parts = Table(columns: [
      TableColumn("PART"), TableColumn("SIZE", alignment: .trailing),
      TableColumn("SHARE", alignment: .trailing),
    ])
    for (name, byteCount) in self.parts {
      let share = Double(byteCount) / Double(max(1, fileByteCount)) * 100
      parts.append([name, ByteCountText(byteCount).description, "\(Int(share.rounded()))%"])
    }
    parts.append(["file", ByteCountText(fileByteCount).description, ""])
    parts.append(["log beside it", ByteCountText(logByteCount).description, ""])
    try output.write(parts)
    try output.writeLine()
    var shares = Table(columns: [
      TableColumn(grouping.rawValue.uppercased()), TableColumn("SNIPPETS", alignment: .trailing),
      TableColumn("SIZE", alignment: .trailing),
    ])
    for (name, share) in groups(by: grouping) + [("(trash)", trash)] {
      shares.append([name, "\(share.snippetCount)", ByteCountText(share.byteCount).description])
    }
    try output.write(shares)
  }

  private func groups(
    by grouping: StorageGrouping
  ) -> [(String, StorageUse.Share)] {
    switch grouping {
    case .kind: SnippetKind.allCases.map { ($0.name, kinds[$0] ?? .init()) }
    case .tag: tags.map { ($0.name, $0.share) }
    case .month: months.map { ($0.month, $0.share) }
    }
  }

  /// The use of room for `snip info --json`; the fields are a contract.
  var json: JSONObject {
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
