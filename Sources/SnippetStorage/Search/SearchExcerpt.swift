/// The part of a text that matches a query.
public struct SearchExcerpt: Sendable, Hashable {
  /// The part on one line, with two blanks where a line ends and … where something is left out.
  public let text: String
  /// The ranges of the terms in it, in order; no two overlap.
  public let matches: [Range<String.Index>]

  /// Cuts out the part around the first term, with at most `length` characters of the text.
  init(of query: SearchQuery, in text: String, length: Int) {
    let terms = query.wantedTexts(in: .text)
    let place = SearchHighlights.firstPlace(of: terms, in: text)
    let found = place < text.endIndex ? place : text.startIndex
    // Show the context: a third of the length comes before the first term.
    var start =
      text.index(found, offsetBy: -length / 3, limitedBy: text.startIndex) ?? text.startIndex
    if start > text.startIndex,
      let blank = text[start..<found].firstIndex(where: \.isWhitespace)
    {
      start = text.index(after: blank)
    }
    let end = text.index(start, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
    let lines = text[start..<end].split(whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    var line = lines.filter { !$0.isEmpty }.joined(separator: "  ")
    if start > text.startIndex { line = "… " + line }
    if end < text.endIndex { line += " …" }
    self.text = line
    matches = terms.isEmpty ? [] : SearchHighlights.ranges(of: terms, in: line)
  }
}
