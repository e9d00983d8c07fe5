import TerminalKit

/// The line below what is opened: its title, and the keys that act on it.
struct OpenedStatus {
  /// The title or a message, safe to print.
  let heading: String
  /// The place in a long text; empty for none.
  var position = ""
  let place: OpenedPlace
  /// The keys that answer a question, each with a word; `nil` if none is asked.
  var answers: String?
  /// Whether the heading is the title, which leaves half of the line to the keys.
  var isTitle = false

  /// A screen that is narrower has no room for keys that are shown elsewhere.
  private static let leastColumns = 30

  /// The line, as wide as the screen; the heading is cut off where there is no room for all.
  func line(columns: Int) -> FrameLine {
    let width = heading.displayWidth
    let kept = isTitle ? min(width, columns / 2) : width
    let room = columns - kept - position.displayWidth - 4
    let hints = answers ?? "  " + KeyMap.hints(in: place, columns: room) + " "
    let isNeeded = columns >= Self.leastColumns || place.hasFailed || answers != nil
    let keys = isNeeded ? hints : ""
    let rest = columns - position.displayWidth - keys.displayWidth
    var line = FrameLine(" \(heading)".truncated(toWidth: max(0, rest)) + position, .reversed)
    let space = columns - line.width - keys.displayWidth
    line.append(String(repeating: " ", count: max(0, space)) + keys, .reversed)
    return line
  }
}
