import TOMLKit
import Yams

extension Node {
  /// Reads the fields of front matter in TOML as if they were YAML; `nil` if there are none.
  ///
  /// - Throws: The reason if it is not TOML.
  init?(toml text: String) throws(FrontMatterFlaw) {
    if let flaw = TOMLTableNames.flaw(in: text) { throw flaw }
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
    self.init(table)
  }

  private init(_ table: TOMLTable) {
    // In the order of the keys, so that two readings are equal.
    let pairs = table.sorted { $0.0 < $1.0 }.map { (Node($0.0), Node($0.1)) }
    self = .mapping(Mapping(pairs))
  }

  private init(_ value: any TOMLValueConvertible) {
    if let table = value.table {
      self.init(table)
    } else if let array = value.array {
      self = .sequence(Sequence(array.map { Node($0) }))
    } else if let text = value.string {
      // A text that looks like another value is a text nevertheless.
      self = .scalar(Scalar(text, Tag(.str), .doubleQuoted))
    } else {
      self = .scalar(Scalar(value.debugDescription))
    }
  }
}
