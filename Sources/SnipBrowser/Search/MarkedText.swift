import SnippetLoading
import TerminalKit

/// A text with its search matches.
struct MarkedText: Hashable, Sendable {
  /// The text, safe to print.
  let text: String
  /// The matches in it, in order; no two touch.
  let matches: [Range<String.Index>]
  /// The start of the visible part.
  private var start: String.Index

  /// Makes a text.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - matches: The matches. The default is none.
  init(_ text: String, matches: [Range<String.Index>] = []) {
    self.text = text
    self.matches = matches
    start = text.startIndex
  }

  /// The text without its beginning, if that repeats another text.
  ///
  /// - Parameters:
  ///   - title: The text shown elsewhere.
  ///   - lineEnds: The way in which this text tells where a line ends.
  /// - Returns: The rest.
  func dropping(_ title: String, _ lineEnds: LineEnds) -> MarkedText {
    let end = text.dropping(title: title, lineEnds: lineEnds).startIndex
    guard end > text.startIndex else { return self }
    var rest = self
    rest.start = text[end...].firstIndex { !$0.isBlank } ?? text.endIndex
    return rest
  }

  /// The whole text in one line.
  ///
  /// - Parameters:
  ///   - style: The style of the rest.
  ///   - marks: The style of the matches.
  /// - Returns: The line, of any width.
  func line(_ style: FrameStyle, _ marks: MatchMarks?) -> FrameLine {
    let found = marks?.style(within: style) ?? style
    return FrameLine(
      text[start...],
      style,
      parts: matches.lazy.filter { $0.upperBound > start }
        .map { (max($0.lowerBound, start)..<$0.upperBound, found) }
    )
  }

  /// The first lines of the text, the last one with an ellipsis if there is more.
  ///
  /// - Parameters:
  ///   - columns: The columns of a line, at least 1.
  ///   - count: The most lines.
  ///   - style: The style of the rest.
  ///   - marks: The style of the matches.
  /// - Returns: At most that many lines.
  func beginning(
    columns: Int,
    count: Int,
    _ style: FrameStyle,
    _ marks: MatchMarks?
  ) -> [FrameLine] {
    guard start < text.endIndex, count > 0 else { return [] }
    // One more shows whether the text goes on.
    let limit = count < .max ? count + 1 : .max
    let wrapped = String(text[start...]).wrappedLines(toWidth: columns, limit: limit)
    var lines = wrapped.prefix(count).map { ShownLine($0, places) }
    if wrapped.count > count {
      lines[count - 1].append(ShownLine(wrapped[count], places))
      lines[count - 1].truncate(toWidth: columns)
    }
    let found = marks?.style(within: style) ?? style
    return lines.map { line in
      FrameLine(
        line.text[...],
        style,
        parts: line.places.lazy.map { (line.text.place(at: $0), found) }
      )
    }
  }

  /// The matches in the visible part, in bytes of UTF-8 from its beginning.
  private var places: some Sequence<Range<Int>> {
    let first = text.utf8.distance(from: text.startIndex, to: start)
    return matches.lazy.map { text.offsets(of: $0) }.filter { $0.upperBound > first }
      .map { max($0.lowerBound - first, 0)..<$0.upperBound - first }
  }
}

/// A line of a text with its matches, in bytes of UTF-8.
private struct ShownLine {
  private(set) var text: String
  private(set) var places: [Range<Int>] = []

  /// Takes a line, and the part of the text's matches that it shows.
  init(_ line: WrappedLine, _ places: some Sequence<Range<Int>>) {
    text = line.text
    guard let end = line.source?.upperBound else { return }
    self.places = places.lazy.prefix { $0.lowerBound < end }.compactMap { place in
      line.characters(showing: place).map { line.text.offsets(of: $0) }
    }
  }

  /// Appends the next line, with a space in place of the break.
  mutating func append(_ next: ShownLine) {
    let distance = text.utf8.count + 1
    text += " " + next.text
    places += next.places.map { $0.lowerBound + distance..<$0.upperBound + distance }
  }

  mutating func truncate(toWidth columns: Int) {
    let cut = text.truncated(toWidth: columns)
    guard cut != text else { return }
    let end = cut.utf8.count - "…".utf8.count
    text = cut
    places = places.filter { $0.lowerBound < end }.map { $0.clamped(to: 0..<max(0, end)) }
  }
}

extension Character {
  /// Whether it may be dropped at a line break.
  fileprivate var isBlank: Bool { self == " " || self == "\n" || self == "\t" }
}

extension String {
  /// The offsets of a place in bytes of UTF-8.
  func offsets(of place: Range<Index>) -> Range<Int> {
    let start = utf8.distance(from: startIndex, to: place.lowerBound)
    return start..<start + utf8.distance(from: place.lowerBound, to: place.upperBound)
  }

  /// The place at offsets in bytes of UTF-8.
  fileprivate func place(at offsets: Range<Int>) -> Range<Index> {
    let start = utf8.index(startIndex, offsetBy: offsets.lowerBound)
    return start..<utf8.index(start, offsetBy: offsets.count)
  }
}
