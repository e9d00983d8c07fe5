import SnippetStorage
import TerminalKit

/// A picture or a waveform over the whole screen.
struct PictureView {
  /// The snippet.
  let id: SnippetID
  /// What it is, safe to print.
  let title: String
  /// All that is known of it, safe to print.
  let facts: String
  /// The same in a line.
  let summary: String
  /// What is on show.
  var drawn: PictureOpening.Drawn

  /// The cells that there are for a picture: all but those of two lines.
  static func room(_ size: ScreenSize) -> BoxSize {
    BoxSize(columns: size.columns, lines: max(1, size.lines - 2))
  }

  /// The frame.
  func frame(_ size: ScreenSize) -> Frame {
    let shown = drawn.lines.centered(in: Self.room(size))
    let space = max(0, (size.columns - summary.displayWidth) / 2)
    let line = FrameLine(String(repeating: " ", count: space) + summary, .faint)
    let keys = "  i facts  q back"
    var status = FrameLine(
      " \(title)".truncated(toWidth: max(0, size.columns - keys.displayWidth)),
      .reversed
    )
    status.append(keys, .reversed)
    return Frame(size: size, lines: size.lines < 3 ? shown : shown + [line, status])
  }
}
