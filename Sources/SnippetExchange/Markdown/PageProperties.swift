import Foundation
import Yams

extension FrontMatterValues {
  /// Reads the properties at the beginning of a page of Logseq: lines such as `tags:: a, [[two
  /// words]]`; `nil` if there are none.
  init?(ofPage text: Substring) {
    var fields: [(Node, Node)] = []
    var found: Set<String> = []
    var rest = text
    // Most notes have none, and making an expression takes longer than reading a short note.
    let first = text.prefix { !$0.isNewline }
    let colon = UInt8(ascii: ":")
    guard zip(first.utf8, first.utf8.dropFirst()).contains(where: { $0 == (colon, colon) }) else {
      return nil
    }
    // Made once: each expression is translated before it first matches, which takes longer than that.
    // The properties of a page may stand in its first block, and one may say nothing.
    let property = #/\s*(?:- )?(\p{L}[\w.\/-]*)::(?!\S)/#
    while let end = rest.firstIndex(where: \.isNewline) ?? (rest.isEmpty ? nil : rest.endIndex) {
      let line = rest[..<end]
      guard let match = line.prefix(1_000).prefixMatch(of: property) else { break }
      let name = match.output.1.lowercased()
      let value = line[match.range.upperBound...]
      if found.insert(name).inserted {
        fields.append((Node(name), Self.node(value, of: name)))
      }
      rest = end < rest.endIndex ? rest[rest.index(after: end)...] : ""
    }
    if fields.isEmpty { return nil }
    self.init(Node.Mapping(fields))
  }

  private static func node(_ value: Substring, of name: String) -> Node {
    if tagKeys.contains(name) { return Node(names(in: value).map { Node($0) }) }
    let text = value.trimmingCharacters(in: .whitespaces)
    // A date is a link to the page of its day.
    let isLink = text.hasPrefix("[[") && text.hasSuffix("]]")
    return Node(isLink ? String(text.dropFirst(2).dropLast(2)) : text)
  }

  /// Returns the names in a list: `a, #b #[[two words]], [[c]]`.
  private static func names(in value: Substring) -> [String] {
    let link = #/#?\[\[([^\[\]]+)\]\]|#([^\s#,\[\]]+)/#
    let links = value.matches(of: link)
    let words = value.replacing(link, with: ",").split(separator: ",")
    return links.map { String($0.output.1 ?? $0.output.2 ?? "") }
      + words.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
