import SnippetStorage
import TerminalKit

/// A picture or a waveform over the whole screen.
struct PictureView {
  /// The snippet, as it was when the view was made.
  var row: SnippetRow
  /// The title, safe to print.
  var title: String
  /// The facts of the snippet in one line, safe to print.
  var summary: String
  /// The news of the snippet since then, such as that it is gone, safe to print.
  var notice = ""
  /// The picture on show.
  var drawn: PictureOpening.Drawn

  /// The cells for a picture: all but two lines.
  static func room(_ size: ScreenSize) -> BoxSize {
    BoxSize(columns: size.columns, lines: max(1, size.lines - 2))
  }

  /// The frame.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - message: The message about the last action, in place of the title.
  ///   - place: The content, as far as it decides on the keys.
  /// - Returns: The frame.
  func frame(_ size: ScreenSize, message: String, _ place: OpenedPlace) -> Frame {
    let room = Self.room(size)
    let shown = drawn.lines.centered(in: room)
    let note = TerminalText(row.preview, lines: .folded).description
    let words = (note.isEmpty ? summary : "\(note)  \(summary)").truncated(toWidth: size.columns)
    let space = max(0, (size.columns - words.displayWidth) / 2)
    let line = FrameLine(String(repeating: " ", count: space) + words, .faint)
    let heading = notice.isEmpty ? title : "! \(notice)  \(title)"
    let status = OpenedStatus(heading: message.isEmpty ? heading : message, place: place)
      .line(columns: size.columns)
    // If the screen has changed, pixels wait for the next drawing.
    let picture = drawn.pixels.flatMap { pixels -> FramePicture? in
      guard drawn.room == room, size.lines >= 3 else { return nil }
      return FramePicture(
        line: max(0, (room.lines - pixels.size.lines) / 2),
        column: max(0, (room.columns - pixels.size.columns) / 2),
        size: pixels.size,
        pixels: pixels.pixels
      )
    }
    return Frame(
      size: size,
      lines: size.lines < 3 ? shown : shown + [line, status],
      picture: picture
    )
  }
}
