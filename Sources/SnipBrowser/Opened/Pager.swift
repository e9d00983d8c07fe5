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
  /// The title and the facts above the text; empty where there is no room for them.
  private var head: [FrameLine] = []
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

  /// Shows a page of keys.
  init(_ help: KeyHelp) {
    self.init(title: help.title, text: help.text)
  }

  /// Wraps the text to a screen of another width, and keeps about the same part of it on the
  /// screen.
  mutating func fit(_ size: ScreenSize) {
    let columns = Self.columns(size)
    if self.columns != columns {
      put(PageText(text, query: marks?.query, columns: columns), columns: columns)
    }
    putHead(in: size)
    stay(within: size)
  }

  /// Whether wrapping the text to a screen takes longer than a frame may.
  func takesLong(toFit size: ScreenSize) -> Bool {
    columns != Self.columns(size) && text.utf8.count > Self.shortByteCount
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
    let share = Double(first) / Double(max(1, lineCount))
    self.columns = columns
    self.page = page
    first = Int(share * Double(lineCount))
  }

  /// Puts the title and the facts above the text, which scroll with it.
  private mutating func putHead(in size: ScreenSize) {
    guard size.lines >= Self.leastLinesForHead else {
      head = []
      return
    }
    let heading = marks?.marked(title) ?? MarkedText(title)
    var lines = beginsWithTitle ? [] : heading.beginning(columns: columns, count: 4, .bold, marks)
    if let row, !showsFacts, failure == nil {
      lines += row.summary.wrapped(toWidth: columns).map { FrameLine($0, .faint) }
    }
    head = [FrameLine()] + lines + [FrameLine()]
  }

  /// Whether the text shows the title by itself, as that of a note without a title of its own.
  private var beginsWithTitle: Bool {
    guard row != nil else { return false }
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    return line.drop { $0 == "#" }.drop { $0 == " " } == title
  }

  private var lineCount: Int { head.count + page.lines.count }

  /// The lines in which matches begin, counted from the head.
  private var matchLines: [Int] { page.matchLines.map { $0 + head.count } }

  /// Whether a search has matches to go to.
  var hasMatches: Bool { !page.matchLines.isEmpty }

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
    let places = matchLines
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

  // MARK: - The column of text

  /// The most columns of a line that are read with ease.
  static let mostColumns = 90
  /// The least columns of a screen with margins.
  private static let leastColumnsForMargins = 40
  /// The least lines of a screen with a head above the text.
  private static let leastLinesForHead = 8

  /// The columns of a line of text.
  private static func columns(_ size: ScreenSize) -> Int {
    guard size.columns >= leastColumnsForMargins else { return max(1, size.columns) }
    return min(mostColumns, size.columns - 6)
  }

  /// The columns before a line, which put the text in the middle of the screen.
  private static func margin(_ size: ScreenSize) -> Int { (size.columns - columns(size)) / 2 }

  /// The lines of a page: all but one for the status.
  static func height(_ size: ScreenSize) -> Int { max(1, size.lines - 1) }

  private func lastFirst(_ size: ScreenSize) -> Int {
    max(0, lineCount - Self.height(size))
  }

  // MARK: - Drawing

  /// The frame.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - message: The message about the last action, in place of the title.
  ///   - place: The content, as far as it decides on the keys.
  /// - Returns: The frame.
  func frame(_ size: ScreenSize, message: String, _ place: OpenedPlace) -> Frame {
    let height = Self.height(size)
    let margin = String(repeating: " ", count: Self.margin(size))
    let end = min(lineCount, first + height)
    var shown = (first..<end).map { number in
      let content = self.line(number)
      guard content.width > 0 else { return content }
      var line = FrameLine(margin)
      line.append(content)
      return line
    }
    while shown.count < height { shown.append(FrameLine()) }
    if let column = PlaceBar.column(on: size) {
      let bar = PlaceBar(first: first, shown: height, of: lineCount, lines: height)
      shown = shown.beside(bar, atColumn: column)
    }
    guard size.lines > 1 else { return Frame(size: size, lines: shown) }
    let status = status(message, end, isLong: lineCount > height, place)
    return Frame(size: size, lines: shown + [status.line(columns: size.columns)])
  }

  private func line(_ number: Int) -> FrameLine {
    number < head.count ? head[number] : page.line(number - head.count, marks, current: match)
  }

  private func status(
    _ message: String,
    _ end: Int,
    isLong: Bool,
    _ place: OpenedPlace
  ) -> OpenedStatus {
    var position = isLong ? "  \(first + 1)–\(end) of \(lineCount)" : ""
    if let match { position += "  match \(match + 1)/\(page.matchLines.count)" }
    var heading = failure.map { "! \(title): \($0.reason)" } ?? title
    if !notice.isEmpty { heading = "! \(notice)  \(title)" }
    if !message.isEmpty { heading = message }
    return OpenedStatus(
      heading: heading,
      position: position,
      place: place,
      answers: answers,
      isTitle: failure == nil && notice.isEmpty && message.isEmpty
    )
  }
}
