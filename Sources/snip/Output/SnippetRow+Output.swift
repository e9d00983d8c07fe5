import Foundation
import SnippetBase
import SnippetStorage
import TerminalKit

extension SnippetRow {
  /// The row as JSON.
  ///
  /// The fields are a contract: some may be added, none renamed or removed.
  var json: JSONObject {
    var object: JSONObject = [
      "id": .integer(id.rawValue),
      "uuid": .string(uuid.uuidString.lowercased()),
      "kind": .string(kind.name),
      "title": .string(title),
      "preview": .string(preview),
      "createdAt": .string(createdAt.iso8601Milliseconds),
      "modifiedAt": .string(modifiedAt.iso8601Milliseconds),
      "byteCount": .integer(byteCount),
      "tags": .array(tags.map(JSONValue.string)),
      "pinned": .bool(isPinned),
      "mediaType": .string(mediaType),
      "revision": .integer(revision),
    ]
    object["pixelWidth"] = facts.pixelWidth.map { .integer(Int64($0)) }
    object["pixelHeight"] = facts.pixelHeight.map { .integer(Int64($0)) }
    object["duration"] = facts.duration.map { .number(($0 / .milliseconds(1)).rounded() / 1000) }
    object["sampleRate"] = facts.sampleRate.map { .integer(Int64($0)) }
    object["channelCount"] = facts.channelCount.map { .integer(Int64($0)) }
    object["deletedAt"] = deletedAt.map { .string($0.iso8601Milliseconds) }
    return object
  }

  /// What a table shows of the media: the size in pixels or the playing time.
  var factsText: String {
    if let width = facts.pixelWidth, let height = facts.pixelHeight { return "\(width)×\(height)" }
    if let duration = facts.duration { return DurationText(duration).description }
    return ""
  }

  /// How a recording was made, such as `44100 Hz, stereo`; empty where nothing is known of it.
  var soundText: String {
    let channels = facts.channelCount.map { count in
      count == 1 ? "mono" : count == 2 ? "stereo" : "\(count) channels"
    }
    return [facts.sampleRate.map { "\($0) Hz" }, channels].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// What a table shows of the content: the title, the tags, and of a text what the title leaves
  /// out.
  ///
  /// - Parameter excerpt: What to show of the content; the default is its beginning.
  /// - Returns: The summary on one line.
  func summary(with excerpt: SearchExcerpt? = nil) -> String {
    let content = excerpt?.text ?? preview
    let rest = content.hasPrefix(title) ? content.dropFirst(title.count) : content[...]
    let parts = [
      title,
      tags.map { "#" + $0 }.joined(separator: " "),
      rest.trimmingCharacters(in: .whitespaces),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

/// Prints rows, as a table or as JSON lines.
struct RowPrinter {
  let console: Console
  let isJSON: Bool
  /// What was looked for; it stands out on a terminal.
  var query = SearchQuery("")

  /// Prints rows under a headline.
  ///
  /// - Parameters:
  ///   - rows: The rows, in the order to be printed.
  ///   - excerpts: What to show of their texts; by default their beginnings.
  /// - Throws: ``ConsoleError``
  func print(
    _ rows: [SnippetRow],
    excerpts: [SnippetID: SearchExcerpt] = [:]
  ) throws(ConsoleError) {
    if isJSON {
      for row in rows {
        var object = row.json
        object["excerpt"] = excerpts[row.id].map { .string($0.text) }
        try console.output.writeLine(object)
      }
      return
    }
    guard !rows.isEmpty else { return }
    let width = console.output.device.fittingWidth ?? .max
    let columns = RowColumn.all.filter { $0.minimumLineWidth <= width }
    var table = Table(columns: columns.map(\.column))
    for row in rows { table.append(columns.map { $0.text(row, excerpts[row.id]) }) }
    try console.output.write(table, lastColumnHighlights: query.matches)
  }
}

/// A column in a table of rows.
private struct RowColumn: Sendable {
  let column: TableColumn
  /// The columns of the narrowest terminal that has room for this one beside the snippets.
  var minimumLineWidth = 0
  let text: @Sendable (SnippetRow, SearchExcerpt?) -> String

  static let all = [
    RowColumn(column: TableColumn("ID", alignment: .trailing)) { row, _ in row.id.description },
    RowColumn(column: TableColumn("KIND")) { row, _ in row.kind.name + (row.isPinned ? " *" : "") },
    RowColumn(column: TableColumn("CREATED"), minimumLineWidth: 54) { row, _ in
      DateText.short(row.createdAt)
    },
    RowColumn(column: TableColumn("SIZE", alignment: .trailing), minimumLineWidth: 62) { row, _ in
      ByteCountText(row.byteCount).description
    },
    RowColumn(column: TableColumn("MEDIA", alignment: .trailing), minimumLineWidth: 72) { row, _ in
      row.factsText
    },
    RowColumn(column: TableColumn("SNIPPET", sizing: .flexible(minimum: 20))) { row, excerpt in
      TerminalText(row.summary(with: excerpt)).description
    },
  ]
}
