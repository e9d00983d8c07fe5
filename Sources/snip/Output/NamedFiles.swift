/// The files that an import has to name, by outcome and reason: the first few by name and the
/// others by number, so that a hundred thousand leave the totals on the screen.
struct NamedFiles {
  private struct Heading: Hashable {
    let outcome: String
    let reason: String
  }

  private var headings: [Heading] = []
  private var files: [Heading: (named: [String], count: Int)] = [:]

  private static let namedCount = 20

  /// Whether an output in JSON has those that are not named here.
  var areAllInJSON = true

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - file: Its name, with further details.
  ///   - outcome: Its outcome.
  ///   - reason: The reason of the outcome.
  mutating func add(_ file: String, _ outcome: String, because reason: String) {
    let heading = Heading(outcome: outcome, reason: reason)
    if files[heading] == nil { headings.append(heading) }
    files[heading, default: ([], 0)].count += 1
    if files[heading, default: ([], 0)].named.count < Self.namedCount {
      files[heading]?.named.append(file)
    }
  }

  /// A line for each outcome and reason, followed by one for each file.
  var lines: [String] {
    headings.flatMap { heading in
      let (named, count) = files[heading] ?? ([], 0)
      let advice = areAllInJSON ? ": --json names all" : ""
      let rest = count > named.count ? ["  and \(count - named.count) more\(advice)"] : []
      return ["\(heading.outcome) \(count): \(heading.reason)"] + named.map { "  \($0)" } + rest
    }
  }
}
