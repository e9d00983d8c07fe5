import SnippetStorage
import TerminalKit

/// A text over the whole screen, with keys to page through it.
struct Pager {
  /// The reason why the text replaces something that could not be shown.
  struct Failure {
    /// The snippet.
    let id: SnippetID
    /// The reason, safe to print.
    let reason: String
  }

  /// The most bytes that are wrapped between two frames: a megabyte takes some 200 ms.
  private static let shortByteCount = 16 << 10

  /// The title, safe to print.
  let title: String
  /// The paragraphs of the text, safe to print.
  let text: String
  /// The failure that can be retried; `nil` when this text is all there is to show.
  let failure: Failure?
  /// The snippet whose text or facts it shows, as it was when they were read; `nil` for help.
  var row: SnippetRow?
  /// Whether it shows the facts of the snippet instead of its text.
  var showsFacts = false
  /// The news of the snippet since then, such as that it is gone, safe to print.
  var notice = ""
  /// The keys that answer the question it asks, each with a word; `nil` if it asks none.
  let answers: String?
  /// The search and the style of its matches.
  let marks: MatchMarks?
  /// The text, wrapped to the screen.
  private var page = PageText("", columns: 1)
  private var columns = 0
  /// The uppermost line on screen.
  private(set) var first = 0
  /// The number of the match that the user went to; `nil` before the first.
  private(set) var match: Int?

  /// Shows a text.
  ///
  /// - Parameters:
  ///   - title: The title, safe to print.
  ///   - text: The text, safe to print; line feeds end its lines.
  ///   - row: The snippet that it belongs to. The default is none.
  ///   - marks: The search and the style of its matches. The default is none.
  ///   - failure: The failure that the text replaces. The default is none.
  ///   - answers: The keys that answer the question it asks. The default is that it asks none.
  init(
    title: String,
    text: String,
    row: SnippetRow? = nil,
    marks: MatchMarks? = nil,
    failure: Failure? = nil,
    answers: String? = nil
  ) {
    self.title = title
    self.text = text
    self.row = row
    self.marks = marks
    self.failure = failure
    self.answers = answers
  }

  /// Wraps the text to a screen of another width, and keeps about the same part of it on the
  /// screen.
  mutating func fit(_ size: ScreenSize) {
    if columns != size.columns {
      put(PageText(text, query: marks?.query, columns: size.columns), columns: size.columns)
    }
    stay(within: size)
  }

  /// Whether wrapping the text to a screen takes longer than a frame may.
  func takesLong(toFit size: ScreenSize) -> Bool {
    columns != size.columns && text.utf8.count > Self.shortByteCount
  }

  /// Takes over the wrapped lines of the same text; ignores those of another one.
  mutating func takeLines(of fitted: Pager) {
    guard fitted.columns != columns, fitted.text == text else { return }
    put(fitted.page, columns: fitted.columns)
  }

  /// Scrolls back to the existing lines if necessary.
  mutating func stay(within size: ScreenSize) {
    first = min(first, lastFirst(size))
  }

  private mutating func put(_ page: PageText, columns: Int) {
    let share = Double(first) / Double(max(1, self.page.lines.count))
    self.columns = columns
    self.page = page
    first = Int(share * Double(page.lines.count))
  }

  /// Continues at the place where a former state of the same text was.
  mutating func goOn(from former: Pager, in size: ScreenSize) {
    first = min(former.first, lastFirst(size))
    if let number = former.match, number < page.matchLines.count { match = number }
  }

  // MARK: - Moving

  /// Scrolls.
  mutating func move(by count: Int, in size: ScreenSize) {
    let (sum, isTooMuch) = first.addingReportingOverflow(count)
    first = min(max(0, isTooMuch ? lastFirst(size) : sum), lastFirst(size))
  }

  /// Moves as a key for paging does.
  ///
  /// - Returns: Whether the key is one.
  mutating func move(by key: Key, in size: ScreenSize) -> Bool {
    let page = Self.height(size)
    switch key {
    case .down, .character("j"): move(by: 1, in: size)
    case .up, .character("k"): move(by: -1, in: size)
    case .pageDown, .control("f"): move(by: page, in: size)
    case .character(" ") where row?.kind != .voice: move(by: page, in: size)
    case .pageUp, .character("b"), .control("b"): move(by: -page, in: size)
    case .home, .character("g"): move(by: -.max, in: size)
    case .end, .character("G"): move(by: .max, in: size)
    default: return false
    }
    return true
  }

  /// Goes to the next or previous match, and from the last one to the first.
  ///
  /// - Returns: Whether there is a match.
  mutating func moveToMatch(isForward: Bool, in size: ScreenSize) -> Bool {
    let places = page.matchLines
    guard !places.isEmpty else { return false }
    let next: Int
    if let match, (first..<first + Self.height(size)).contains(places[match]) {
      next = (match + (isForward ? 1 : places.count - 1)) % places.count
    } else if isForward {
      // After paging, the search continues from the visible page.
      next = places.firstIndex { $0 >= first } ?? 0
    } else {
      next = places.lastIndex { $0 < first + Self.height(size) } ?? places.count - 1
    }
    match = next
    if !(first..<first + Self.height(size)).contains(places[next]) {
      first = min(max(0, places[next] - Self.height(size) / 4), lastFirst(size))
    }
    return true
  }

  /// The lines of a page: all but one for the status.
  static func height(_ size: ScreenSize) -> Int { max(1, size.lines - 1) }

  private func lastFirst(_ size: ScreenSize) -> Int {
    max(0, page.lines.count - Self.height(size))
  }

  // MARK: - Drawing

  /// The frame.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - message: The message about the last action, in place of the title.
  /// - Returns: The frame.
  func frame(_ size: ScreenSize, message: String) -> Frame {
    let height = Self.height(size)
    let end = min(page.lines.count, first + height)
    var shown = (first..<end).map { page.line($0, marks, current: match) }
    while shown.count < height { shown.append(FrameLine()) }
    return Frame(size: size, lines: size.lines == 1 ? shown : shown + [status(size, message, end)])
  }

  private func status(_ size: ScreenSize, _ message: String, _ end: Int) -> FrameLine {
    let count = page.lines.count
    var place = count > Self.height(size) ? "  \(first + 1)–\(end) of \(count)" : ""
    if let match { place += "  match \(match + 1)/\(page.matchLines.count)" }
    var heading = failure.map { " ! \(title): \($0.reason)" } ?? " \(title)"
    if !notice.isEmpty { heading = " ! \(notice)  " + title }
    if !message.isEmpty { heading = " " + message }
    let keys = answers ?? (failure == nil ? "  q back" : "  R try again  q back")
    // The keys are left out where there is no room, unless they are shown nowhere else.
    let isNeeded = failure != nil || answers != nil
    let room = size.columns - place.displayWidth - (isNeeded ? keys.displayWidth : 0)
    var line = FrameLine(heading.truncated(toWidth: max(0, room)) + place, .reversed)
    line.append(keys, .reversed)
    return line
  }
}
