import TerminalKit

/// The part of a list or of a text that is on the screen, as a thumb in a column beside it.
struct PlaceBar: Hashable, Sendable {
  /// The character of the thumb.
  static let thumb = "▐"

  /// The least columns of a screen with a bar at its edge.
  private static let leastScreen = 40

  /// The lines that the thumb covers; empty if everything is on the screen.
  let covered: Range<Int>

  /// Finds the place of the thumb.
  ///
  /// It reaches the upper end only at the start and the lower end only at the end, where there are
  /// lines enough.
  ///
  /// - Parameters:
  ///   - first: The number of what is uppermost on the screen, from 0.
  ///   - shown: How much is on the screen.
  ///   - count: How much there is.
  ///   - lines: The lines of the bar.
  init(first: Int, shown: Int, of count: Int, lines: Int) {
    guard shown > 0, count > shown, lines > 0 else {
      covered = 0..<0
      return
    }
    let length = min(max(1, Int(Double(lines) * Double(shown) / Double(count))), lines)
    let room = lines - length
    let last = count - shown
    var start = Int((Double(room) * Double(first) / Double(last)).rounded())
    if room > 1, first > 0 { start = max(1, start) }
    if room > 1, first < last { start = min(room - 1, start) }
    start = min(max(0, start), room)
    covered = start..<start + length
  }
}

extension PlaceBar {
  /// The column of the bar at the edge of a screen; `nil` if the screen is too narrow for one.
  static func column(on size: ScreenSize) -> Int? {
    size.columns >= leastScreen ? size.columns - 1 : nil
  }
}

extension [FrameLine] {
  /// These lines with the thumb of a bar at a column.
  func beside(_ bar: PlaceBar, atColumn column: Int) -> [FrameLine] {
    enumerated().map { number, line in
      guard bar.covered.contains(number) else { return line }
      var line = line.truncated(toWidth: column)
      line.pad(toWidth: column)
      line.append(PlaceBar.thumb, .faint)
      return line
    }
  }
}
