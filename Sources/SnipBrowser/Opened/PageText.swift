import Foundation
import SnippetStorage
import TerminalKit

/// A text to read page by page: wrapped to a screen, with the places of search matches.
struct PageText: Sendable {
  /// A part of a line to highlight.
  private struct Mark {
    let characters: Range<String.Index>
    /// The number of the match that it belongs to.
    let match: Int
  }

  /// The lines, at least one.
  let lines: [String]
  /// The line in which each match begins, in the order of the text.
  private(set) var matchLines: [Int] = []
  /// The parts of each line to highlight.
  private var marks: [Int: [Mark]] = [:]
  /// The lines of the YAML that the text begins with.
  private var frontMatter = 0..<0

  /// Wraps a text.
  ///
  /// Wrapping a long text takes longer than a frame may.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print; line feeds end its lines.
  ///   - query: The query whose matches to highlight. The default is none.
  ///   - columns: The columns of a line, at least 1.
  init(_ text: String, query: SearchQuery? = nil, columns: Int) {
    let wrapped = text.wrappedLines(toWidth: max(1, columns))
    lines = wrapped.map(\.text)
    let end = text.utf8.distance(from: text.startIndex, to: text.endOfFrontMatter)
    if end > 0 {
      let next = wrapped.firstIndex { ($0.source?.lowerBound ?? 0) >= end }
      frontMatter = 0..<(next ?? lines.count)
    }
    guard let query else { return }
    var matches = query.matches(in: text).map { text.offsets(of: $0) }[...]
    var last: Int?
    for (number, line) in wrapped.enumerated() {
      guard let source = line.source else { continue }
      matches = matches.drop { $0.upperBound <= source.lowerBound }
      for match in matches.indices {
        guard matches[match].lowerBound < source.upperBound else { break }
        guard let characters = line.characters(showing: matches[match]) else { continue }
        // A match that continues in the next line is still one.
        if match != last { matchLines.append(number) }
        last = match
        marks[number, default: []].append(Mark(characters: characters, match: matchLines.count - 1))
      }
    }
  }

  /// A line with its highlights.
  ///
  /// - Parameters:
  ///   - number: The number of the line.
  ///   - style: The style of matches.
  ///   - current: The number of the match that stands out from the others.
  /// - Returns: The line.
  func line(_ number: Int, _ style: MatchMarks?, current: Int?) -> FrameLine {
    let text = lines[number]
    // It is for programs; people look for what comes after it.
    let ground = frontMatter.contains(number) ? FrameStyle.faint : .plain
    guard let style, let marked = marks[number] else { return FrameLine(text, ground) }
    return FrameLine(
      text[...],
      ground,
      parts: marked.lazy.map { mark in
        let ground = FrameStyle(isReversed: mark.match == current && style.color != nil)
        return (mark.characters, style.style(within: ground))
      }
    )
  }
}

extension String {
  /// The end of the YAML between two lines of three dashes that the text begins with; the beginning
  /// if there is none.
  fileprivate var endOfFrontMatter: Index {
    guard hasPrefix("---\n"), let end = range(of: "\n---\n")?.upperBound else { return startIndex }
    // Two rules with sentences between them are no YAML.
    return self[..<end].contains(":") ? end : startIndex
  }
}
