import TOMLKit
import Yams

extension Node {
  /// Reads the fields of front matter in TOML as if they were YAML; `nil` if there are none.
  ///
  /// - Throws: The reason if it is not TOML.
  init?(toml text: String) throws(FrontMatterFlaw) {
    if let flaw = TOMLCheck.flaw(in: text) { throw flaw }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch {
      guard let error = error as? TOMLParseError else {
        throw FrontMatterFlaw(reason: "it is not TOML")
      }
      // The TOML begins after a line of plus signs.
      throw FrontMatterFlaw(reason: error.description, line: error.source.begin.line + 1)
    }
    guard !table.isEmpty else { return nil }
    self.init(tomlTable: table)
  }

  private init(tomlTable table: TOMLTable) {
    // An iteration over the table itself would look each name up, and trap at one with a zero byte.
    let pairs = zip(table.keys, table.values).map { (Node($0), Node(tomlValue: $1)) }
    self = .mapping(Mapping(pairs))
  }

  private init(tomlValue value: any TOMLValueConvertible) {
    if let table = value.table {
      self.init(tomlTable: table)
    } else if let array = value.array {
      self = .sequence(Sequence(array.map { Node(tomlValue: $0) }))
    } else if let text = value.string {
      // A text that looks like another value is a text nevertheless.
      self = .scalar(Scalar(text, Tag(.str), .doubleQuoted))
    } else if let moment = value.dateTime, moment.offset == nil {
      // The description gives it the zone UTC.
      self = .scalar(Scalar(String(moment.debugDescription.prefix { $0 != "Z" })))
    } else {
      self = .scalar(Scalar(value.debugDescription))
    }
  }
}
