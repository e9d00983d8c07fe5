import Foundation
import SnippetLoading
import SnippetStorage
import TerminalKit

/// A place on the screen that shows a snippet, and is reused all the time.
///
/// Its presenter sets its content; it draws that into lines and keeps them until something changes.
/// There is one type for each kind of snippet, since each draws its content in its own way.
@MainActor
class RowView {
  /// Called when the view looks different.
  var changeHandler: (() -> Void)?

  var title = "" { didSet { noteChange(title != oldValue) } }
  var text = "" { didSet { noteChange(text != oldValue) } }
  var tags = "" { didSet { noteChange(tags != oldValue) } }
  /// The snippet's dates.
  var dates: RowDates? { didSet { if dates != oldValue { putDate() } } }
  /// The key of the list's order, which decides on the date that is shown.
  var dateKey = SnippetOrder.Key.created { didSet { if dateKey != oldValue { putDate() } } }
  /// The date that is shown.
  private(set) var date = "" { didSet { noteChange(date != oldValue) } }
  var number = "" { didSet { noteChange(number != oldValue) } }
  /// The number of the state on show.
  var revision: Int64 = 0 { didSet { noteChange(revision != oldValue) } }
  var isPinned = false { didSet { noteChange(isPinned != oldValue) } }
  /// The kind of content, in a word.
  var format = "" { didSet { noteChange(format != oldValue) } }
  /// The pixel size or playing time; empty where neither is known.
  var facts = "" { didSet { noteChange(facts != oldValue) } }
  /// A word or two for irregular content; empty for other content.
  var flaw = "" { didSet { noteChange(flaw != oldValue) } }
  var byteCount = "" { didSet { noteChange(byteCount != oldValue) } }
  var state = LoadState<LoadedBlob>.idle { didSet { noteChange(state != oldValue) } }
  /// Whether the row is marked, so that keys act on it although it is not selected.
  var isMarked = false { didSet { noteChange(isMarked != oldValue) } }
  /// The search and the style of its matches; `nil` without a search.
  var marks: MatchMarks? { didSet { noteChange(marks != oldValue) } }
  /// The part of the text with the match.
  var excerpt: MarkedText? { didSet { noteChange(excerpt != oldValue) } }

  /// Retries a load that failed.
  var retryHandler: (() -> Void)?

  private var drawn: (layout: RowLayout, selection: FrameStyle?, lines: [FrameLine])?

  required init() {}

  /// The lines of the row.
  ///
  /// - Parameters:
  ///   - layout: The layout of rows.
  ///   - selection: The style of the title of the row that keys act on; `nil` for another row.
  ///   - drawing: Draws pictures.
  /// - Returns: As many lines as a row has.
  func lines(
    _ layout: RowLayout,
    selection: FrameStyle?,
    drawing: any PictureDrawing
  ) -> [FrameLine] {
    if let drawn, drawn.layout == layout, drawn.selection == selection { return drawn.lines }
    let lines = draw(layout, selection: selection, drawing: drawing)
    drawn = (layout, selection, lines)
    return lines
  }

  /// Whether the row begins with a picture box.
  var hasBox: Bool { true }

  /// The lines below the title.
  ///
  /// - Parameters:
  ///   - columns: The available columns.
  ///   - count: The most lines.
  ///   - style: The style of the lines.
  /// - Returns: At most that many lines.
  func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] { [] }

  /// The content of the picture box.
  func boxLines(_ size: BoxSize, drawing: any PictureDrawing) -> [FrameLine] {
    if case .loaded(let blob) = state, let lines = drawing.lines(of: blob, in: size) {
      return lines
    }
    return FactsBox(size: size, words: [format, facts], sign: sign).lines
  }

  /// All visible content, for a box that has no other text beside it.
  ///
  /// - Parameters:
  ///   - size: The cells of the box.
  ///   - drawing: Draws pictures.
  /// - Returns: At most as many lines as the box has.
  func contentLines(_ size: BoxSize, drawing: any PictureDrawing) -> [FrameLine] {
    boxLines(size, drawing: drawing)
  }

  /// A sign that tells why the blob is missing.
  var sign: String {
    switch state {
    case .idle, .loaded: ""
    case .loading(let progress): progress.error == nil ? "…" : "?"
    case .failed: "!"
    }
  }

  /// The reason why there is no blob; `nil` where there is one, or may be.
  var failure: String? {
    guard case .failed(let error) = state else { return nil }
    return Self.words(for: error)
  }

  /// The reason why there is no blob yet, even while another attempt follows; `nil` where none has
  /// failed.
  var trouble: String? {
    guard case .loading(let progress) = state else { return failure }
    return progress.error.map(Self.words)
  }

  private static func words(for error: LoadError) -> String {
    "Not loaded: \(TerminalText(error.cause, lines: .folded))."
  }

  private func putDate() {
    date = dates.map { DateText.short($0.date(of: dateKey)) } ?? ""
  }

  private func noteChange(_ isChanged: Bool) {
    guard isChanged else { return }
    drawn = nil
    changeHandler?()
  }
}

/// The dates of a snippet.
struct RowDates: Equatable {
  let created: Date
  let modified: Date
  /// The time at which it was moved to the trash; `nil` if it is not there.
  let deleted: Date?

  init(_ row: SnippetRow) {
    (created, modified, deleted) = (row.createdAt, row.modifiedAt, row.deletedAt)
  }

  /// The date by which a list is ordered; that of creation for an order by anything else.
  func date(of key: SnippetOrder.Key) -> Date {
    switch key {
    case .modified: modified
    case .deleted: deleted ?? created
    case .created, .title, .size: created
    }
  }
}

/// The row of a text, with two lines of it from edge to edge, since no picture will come.
final class TextRowView: RowView {
  override var hasBox: Bool { false }

  override func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] {
    content(count: columns * count * 2)
      .beginning(columns: columns, count: count, style, marks)
  }

  override func contentLines(_ size: BoxSize, drawing: any PictureDrawing) -> [FrameLine] {
    (excerpt ?? wholeText).beginning(columns: size.columns, count: size.lines, .plain, marks)
      .map { $0.truncated(toWidth: size.columns) }
  }

  /// As much of the text as was loaded, with its own line breaks.
  private var wholeText: MarkedText {
    guard let loaded else { return shortText }
    let safe = TerminalText(String(loaded), lines: .kept).description
    return marks?.marked(safe) ?? MarkedText(safe)
  }

  /// The visible part of the text.
  private func content(count: Int) -> MarkedText {
    if let excerpt { return excerpt.dropping(title, .twoBlanks) }
    guard let loaded else { return shortText }
    return MarkedText(TerminalText(String(loaded.prefix(count)), lines: .folded).description)
  }

  /// The beginning of the text as the row has it, or the reason why the text is missing.
  private var shortText: MarkedText {
    failure.map { MarkedText($0) } ?? MarkedText(text).dropping(title, .blanks)
  }

  /// As much of the text as was loaded, without the part that the title repeats; `nil` if nothing was.
  private var loaded: Substring? {
    guard case .loaded(let blob) = state, let text = blob.content(as: String.self) else {
      return nil
    }
    let visible = text.withoutFrontMatter(isCut: true)
    let rest = visible.dropping(title: title, lineEnds: .kept)
    return rest.startIndex > visible.startIndex ? rest.drop(while: \.isWhitespace) : rest
  }
}

extension RowView {
  /// The lines of a picture or a recording: its facts, below the beginning of its note if it has one.
  fileprivate func lines(
    _ facts: String,
    columns: Int,
    count: Int,
    _ style: FrameStyle
  ) -> [FrameLine] {
    let facts = FrameLine(failure ?? facts, style)
    guard failure == nil, !text.isEmpty || excerpt != nil else { return [facts] }
    let note = (excerpt ?? MarkedText(text)).beginning(columns: columns, count: 1, style, marks)
    return Array((note + [facts]).prefix(count))
  }
}

/// The row of a picture.
final class ImageRowView: RowView {
  override func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] {
    let size = facts.isEmpty ? "size not known" : facts + " pixels"
    return lines("\(format) image, \(size)", columns: columns, count: count, style)
  }
}

/// The row of a recording.
final class VoiceRowView: RowView {
  override func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] {
    let time = facts.isEmpty ? "playing time not known" : facts
    return lines("\(format) recording, \(time)", columns: columns, count: count, style)
  }
}
