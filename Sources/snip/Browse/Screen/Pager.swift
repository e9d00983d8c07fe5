import SnippetStorage
import TerminalKit

/// A text over the whole screen, with keys to page through it.
struct Pager {
  /// Why something else is not shown in its place.
  struct Failure {
    /// The snippet.
    let id: SnippetID
    /// The reason, safe to print.
    let reason: String
  }

  /// What the text is, safe to print.
  let title: String
  /// The paragraphs of the text, safe to print.
  let text: String
  /// The text, wrapped to the screen.
  private var lines: [String] = []
  /// What can be tried again; `nil` when this is all there is to show.
  let failure: Failure?
  private var columns = 0
  /// The uppermost line on screen.
  private(set) var first = 0

  /// Shows a text.
  ///
  /// - Parameters:
  ///   - title: What it is, safe to print.
  ///   - text: The text, safe to print; line feeds end its lines.
  ///   - failure: Why something else is not shown in its place. The default is that nothing failed.
  init(title: String, text: String, failure: Failure? = nil) {
    self.title = title
    self.text = text
    self.failure = failure
  }

  /// Wraps the text to a screen.
  mutating func fit(_ size: ScreenSize) {
    if columns != size.columns {
      columns = size.columns
      lines = text.wrapped(toWidth: max(1, size.columns))
    }
    first = min(first, lastFirst(size))
  }

  /// Scrolls.
  mutating func move(by count: Int, in size: ScreenSize) {
    let (sum, isTooMuch) = first.addingReportingOverflow(count)
    first = min(max(0, isTooMuch ? lastFirst(size) : sum), lastFirst(size))
  }

  /// The lines of a page: all but one for the status.
  static func height(_ size: ScreenSize) -> Int { max(1, size.lines - 1) }

  private func lastFirst(_ size: ScreenSize) -> Int {
    max(0, lines.count - Self.height(size))
  }

  /// The frame.
  func frame(_ size: ScreenSize) -> Frame {
    let height = Self.height(size)
    var shown = lines.dropFirst(first).prefix(height).map { FrameLine($0) }
    while shown.count < height { shown.append(FrameLine()) }
    let end = min(lines.count, first + height)
    let place = lines.count > height ? "  \(first + 1)–\(end) of \(lines.count)" : ""
    let heading = failure.map { " ! \(title): \($0.reason)" } ?? " \(title)"
    let keys = failure == nil ? "  q back" : "  R try again  q back"
    // The keys are left out where there is no room, but not those that are told nowhere else.
    let room = size.columns - place.displayWidth - (failure == nil ? 0 : keys.displayWidth)
    var status = FrameLine(heading.truncated(toWidth: max(0, room)) + place, .reversed)
    status.append(keys, .reversed)
    return Frame(size: size, lines: size.lines == 1 ? shown : shown + [status])
  }
}
