import ArgumentParser
import SnippetBase
import SnippetStorage
import TerminalKit

struct SQLCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Run read-only SQL.",
    usage: "snip sql <sql> [options]",
    discussion: """
      The views snippets, texts, blobs, small_blobs and tags are made for people.

      Examples:
        snip sql 'SELECT * FROM snippets LIMIT 5'
        snip sql --json 'SELECT kind, count(*) AS count FROM snippets GROUP BY kind'
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("One or more statements.", valueName: "sql"))
  var sql: String

  func run(in context: CommandContext) async throws {
    let store = try await store.openForReading(in: context)
    let stream = context.console.output
    var pending: (columns: [String], table: Table)?
    try store.query(sql) { columns, values in
      if output.isJSON {
        try stream.writeLine(Self.json(columns, values))
        return
      }
      if pending?.columns != columns {
        if let table = pending?.table { try stream.write(table) }
        pending = (columns, Table(columns: Self.columns(columns)))
      }
      pending?.table.append(values.map { TerminalText(Self.text($0)).description })
    }
    if let table = pending?.table { try stream.write(table) }
  }

  private static func columns(_ names: [String]) -> [TableColumn] {
    names.enumerated().map { place, name in
      let sizing: TableColumn.Sizing =
        place == names.count - 1 ? .flexible(minimum: 10) : .fitted
      return TableColumn(TerminalText(name).description, sizing: sizing)
    }
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text
    case .bytes(let data): "\(ByteCountText(Int64(data.count))): \(data.prefix(16).hexadecimal)"
    }
  }

  private static func json(_ columns: [String], _ values: [SQLValue]) -> JSONObject {
    var object = JSONObject()
    for (column, value) in zip(columns, values) {
      object[freeName(column, in: object)] =
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .number(number)
        case .text(let text): .string(text)
        case .bytes(let data): .string(data.hexadecimal)
        }
    }
    return object
  }

  /// The name of a column, with a number behind it where an earlier column has the same name.
  private static func freeName(_ column: String, in object: JSONObject) -> String {
    guard object[column] != nil else { return column }
    let number = (1...).first { object["\(column):\($0)"] == nil }
    return "\(column):\(number ?? 0)"
  }
}
