/// A line of a wrapped text, which knows its position in the text.
package struct WrappedLine: Sendable {
  /// A part of the line that is contiguous in the text.
  private struct Run {
    /// The range in the line, in bytes of UTF-8.
    var line: Range<Int>
    /// The range in the whole text, in bytes of UTF-8.
    var source: Range<Int>

    /// Whether each byte stands for one of the text.
    var isLiteral: Bool { line.count == source.count }

    /// Returns the part of the line that shows a part of the text; blanks count as a whole.
    func shown(_ place: Range<Int>) -> Range<Int>? {
      guard source.overlaps(place) else { return nil }
      guard isLiteral else { return line }
      let shown = source.clamped(to: place)
      let distance = line.lowerBound - source.lowerBound
      return shown.lowerBound + distance..<shown.upperBound + distance
    }
  }

  /// The displayed line.
  package private(set) var text = ""
  private var runs: [Run] = []

  var isEmpty: Bool { text.isEmpty }

  /// The range of the line in the whole text, in bytes of UTF-8; `nil` if it shows nothing.
  package var source: Range<Int>? {
    guard let first = runs.first, let last = runs.last else { return nil }
    return first.source.lowerBound..<last.source.upperBound
  }

  /// Appends text unchanged.
  mutating func append(_ piece: some StringProtocol, from offset: Int) {
    let end = text.utf8.count
    text += piece
    let count = text.utf8.count - end
    append(Run(line: end..<end + count, source: offset..<offset + count))
  }

  /// Appends the spaces that stand for blanks.
  mutating func append(spaces count: Int, for source: Range<Int>) {
    guard count > 0 else { return }
    let end = text.utf8.count
    text += String(repeating: " ", count: count)
    append(Run(line: end..<end + count, source: source))
  }

  /// Appends a run, merging it with the last one if there is no gap.
  private mutating func append(_ run: Run) {
    guard let last = runs.last, last.isLiteral, run.isLiteral,
      last.source.upperBound == run.source.lowerBound
    else { return runs.append(run) }
    runs[runs.count - 1].line = last.line.lowerBound..<run.line.upperBound
    runs[runs.count - 1].source = last.source.lowerBound..<run.source.upperBound
  }

  /// Finds the part of this line that shows a part of the text.
  ///
  /// Linear in the length of the line.
  ///
  /// - Parameter place: The range in the whole text, in bytes of UTF-8.
  /// - Returns: The whole characters of ``text`` that show it; `nil` if the line shows nothing of
  ///   it.
  package func characters(showing place: Range<Int>) -> Range<String.Index>? {
    let shown = runs.compactMap { $0.shown(place) }
    guard let first = shown.first, let last = shown.last else { return nil }
    // A mark that joins the preceding character is included with it.
    let start = text.utf8.index(text.startIndex, offsetBy: first.lowerBound)
    let end = text.utf8.index(text.startIndex, offsetBy: last.upperBound)
    return text.characterBoundary(before: start)..<text.characterBoundary(behind: end)
  }
}

extension String {
  /// Returns the start of the character at a position.
  fileprivate func characterBoundary(before place: Index) -> Index {
    place == endIndex ? place : index(before: index(after: place))
  }

  /// Returns the end of the character at a position.
  fileprivate func characterBoundary(behind place: Index) -> Index {
    let start = characterBoundary(before: place)
    return start == place ? place : index(after: start)
  }
}
