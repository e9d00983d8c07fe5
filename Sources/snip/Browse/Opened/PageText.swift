import SnippetStorage
import TerminalKit

/// A text as it is read page by page: wrapped to a screen, with the places of what was looked for.
struct PageText: Sendable {
  /// The lines, at least one.
  private(set) var lines: [String] = []
  /// The line in which each place begins, in the order of the text.
  private(set) var matchLines: [Int] = []
  /// The number in the whole text of the place that was noted last.
  private var lastMatch: Int?
  /// What is to stand out in a line, in characters, with the number of the place that it is of.
  private var marks: [Int: [(characters: Range<Int>, match: Int)]] = [:]

  /// Wraps a text.
  ///
  /// A long one takes longer than a frame may.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print; line feeds end its lines.
  ///   - query: What to look for in it. The default is nothing.
  ///   - columns: The columns of a line, at least 1.
  init(_ text: String, query: SearchQuery? = nil, columns: Int) {
    let matches = query?.matches(in: text) ?? []
    guard !matches.isEmpty else {
      lines = text.wrapped(toWidth: max(1, columns))
      return
    }
    var wrapped: [String] = []
    var finder = MatchWalk(text: text, matches: matches[...])
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      finder.position = paragraph.startIndex
      for line in String(paragraph).wrapped(toWidth: max(1, columns)) {
        for (offset, character) in line.enumerated() {
          guard let match = finder.match(of: character) else { continue }
          note(match, at: offset, line: wrapped.count)
        }
        wrapped.append(line)
      }
    }
    lines = wrapped
  }

  private mutating func note(_ match: Int, at offset: Int, line: Int) {
    if match != lastMatch { matchLines.append(line) }
    lastMatch = match
    let place = matchLines.count - 1
    var found = marks[line] ?? []
    if let last = found.last, last.match == place, last.characters.upperBound == offset {
      found[found.count - 1].characters = last.characters.lowerBound..<offset + 1
    } else {
      found.append((offset..<offset + 1, place))
    }
    marks[line] = found
  }

  /// A line as it is shown.
  ///
  /// - Parameters:
  ///   - number: The number of the line.
  ///   - style: How what was looked for stands out.
  ///   - current: The number of the place that stands out from the others.
  /// - Returns: The line.
  func line(_ number: Int, _ style: MatchMarks?, current: Int?) -> FrameLine {
    guard let style, let marked = marks[number] else { return FrameLine(lines[number]) }
    var line = FrameLine()
    var rest = lines[number][...]
    var offset = 0
    for mark in marked {
      line.append(String(rest.prefix(mark.characters.lowerBound - offset)))
      rest = rest.dropFirst(mark.characters.lowerBound - offset)
      let ground = FrameStyle(isReversed: mark.match == current && style.color != nil)
      line.append(String(rest.prefix(mark.characters.count)), style.style(within: ground))
      rest = rest.dropFirst(mark.characters.count)
      offset = mark.characters.upperBound
    }
    line.append(String(rest))
    return line
  }
}

/// Finds the characters of wrapped lines in the text that they were made of: blanks were left out
/// where lines break, and put in where tabs were.
private struct MatchWalk {
  /// How far ahead a character is looked for that is not where it should be.
  private static let reach = 16

  let text: String
  /// The places that are not behind.
  var matches: ArraySlice<Range<String.Index>>
  var position: String.Index

  init(text: String, matches: ArraySlice<Range<String.Index>>) {
    self.text = text
    self.matches = matches
    position = text.startIndex
  }

  /// The number of the place that the next character of a line is of.
  mutating func match(of character: Character) -> Int? {
    if character != " " {
      while position < text.endIndex, text[position] == " " || text[position] == "\t" {
        position = text.index(after: position)
      }
      // A mark that joined a blank is another character without it.
      if position < text.endIndex, text[position] != character,
        let next = text[position...].prefix(Self.reach).firstIndex(of: character)
      {
        position = next
      }
    }
    guard position < text.endIndex, text[position] == character else { return nil }
    while let first = matches.first, first.upperBound <= position { matches.removeFirst() }
    defer { position = text.index(after: position) }
    return matches.first?.contains(position) == true ? matches.startIndex : nil
  }
}
