import Foundation
package import SnippetStorage
import TerminalKit

extension EmptinessReason {
  /// The reason, with advice where there is any.
  package var sentence: String {
    switch self {
    case .storeIsEmpty: "No snippets here. `snip add` or `snip import PATH` brings some."
    case .trashIsEmpty: "Nothing here is in the trash."
    case .allInTrash(let count):
      "Nothing found: what there is, \(count.counted("snippet")), is in the trash. See --trash."
    case .noSuchTag(let tag, let nearest):
      "Nothing found: there is no tag “\(TerminalText(tag))”."
        + (nearest.map { " Did you mean “\(TerminalText($0))”?" } ?? "")
    case .nothingMeets(let condition):
      "Nothing found: no snippet meets the condition \(TerminalText(Self.words(condition)))."
    case .nothingMeetsAll:
      "Nothing found: each condition leaves some snippets, and all together leave none."
    case .wordIsTag(let tag):
      "Nothing found: “\(TerminalText(tag))” is a tag. Write it as "
        + "\(TerminalText(SearchQuery.tag(tag).text))."
    case .wordsNotFound(longTextCount: 0): "Nothing found."
    case .wordsNotFound(let count):
      "Nothing found. Of \(count.counted("long text")), only the first 4 MiB were searched."
    }
  }

  /// A condition as a person writes it: its text has a moment in UTC, which means the same anywhere.
  private static func words(_ condition: SearchQuery) -> String {
    guard let match = condition.text.wholeMatch(of: /(after:|before:)(.+Z)/),
      let date = try? Date(String(match.2), strategy: .iso8601)
    else { return condition.text }
    let local = DateText.short(date).replacing(" ", with: "T")
    return "\(match.1)\(local.hasSuffix("T00:00") ? String(local.dropLast("T00:00".count)) : local)"
  }
}
