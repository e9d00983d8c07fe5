import Yams

/// The reason why front matter, or a value in it, cannot be read.
package struct FrontMatterFlaw: Error, Equatable, CustomStringConvertible {
  /// The mistake.
  package var reason: String
  /// The line of the note, counted from 1; `nil` if it is unknown.
  package var line: Int?
  /// Whether only one value is ignored.
  package var isOfOneValue = false

  /// The mistake and its place.
  package var description: String {
    line.map { "line \($0): \(reason)" } ?? reason
  }
}

extension FrontMatterFlaw {
  /// Converts an error of the YAML parser.
  init(_ error: any Error) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      // The YAML begins after a line of dashes.
      self.init(reason: problem, line: mark.line + 1)
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(
        reason: "‘\(keys.first ?? "")’ appears twice",
        line: context.mark.line + 1
      )
    case .reader(let problem, _, _, _): self.init(reason: problem)
    default: self.init(reason: "it is not YAML")
    }
  }
}
