import Yams

/// Why front matter cannot be read.
package struct FrontMatterFlaw: Error, Equatable, CustomStringConvertible {
  /// What is wrong with it.
  package var reason: String
  /// The line of the note where that was noticed, counted from 1; `nil` where none is known.
  package var line: Int?

  /// What is wrong, and where.
  package var description: String {
    line.map { "line \($0): \(reason)" } ?? reason
  }
}

extension FrontMatterFlaw {
  /// What the parser of YAML says.
  init(_ error: any Error) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      // The YAML begins below a line of dashes.
      self.init(reason: problem, line: mark.line + 1)
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(
        reason: "‘\(keys.first ?? "")’ stands there twice",
        line: context.mark.line + 1
      )
    case .reader(let problem, _, _, _): self.init(reason: problem)
    default: self.init(reason: "it is no YAML")
    }
  }
}
