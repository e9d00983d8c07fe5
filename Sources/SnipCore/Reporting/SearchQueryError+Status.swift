package import SnippetStorage
import TerminalKit

extension SearchQueryError: StatusError {
  package var status: ExitStatus { .usage }
  package var message: String { "could not read the query: \(reason)" }
  package var hint: String? { advice }

  /// The number of columns of a long query to show before the mistake.
  private static let columnsBefore = 50

  /// The query, with marks under the wrong part.
  package var details: [String] {
    func shown(_ text: Substring) -> String { TerminalText(String(text)).description }
    var before = shown(query[..<place.lowerBound])
    if before.displayWidth > Self.columnsBefore {
      before = "…" + String(before.suffix(Self.columnsBefore / 2))
    }
    var wrong = shown(query[place])
    if wrong.displayWidth > Self.columnsBefore {
      wrong = String(wrong.prefix(Self.columnsBefore / 2)) + "…"
    }
    let rest = query[place.upperBound...]
    let behind =
      shown(rest.prefix(Self.columnsBefore)) + (rest.count > Self.columnsBefore ? "…" : "")
    return [
      "  \(before)\(wrong)\(behind)",
      "  " + String(repeating: " ", count: before.displayWidth)
        + String(repeating: "^", count: max(1, wrong.displayWidth)),
    ]
  }
}
