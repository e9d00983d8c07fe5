import SnippetLoading
import SnippetStorage
import TerminalKit

/// A place on the screen that shows a snippet, used again for ever.
///
/// Its presenter tells it what to show; it draws that into lines and keeps them until something of
/// it differs. There is one type for each kind of snippet, since each draws its content in its own
/// way.
@MainActor
class RowView {
  /// Called when something on show differs.
  var changeHandler: (() -> Void)?

  var title = "" { didSet { noteChange(title != oldValue) } }
  var text = "" { didSet { noteChange(text != oldValue) } }
  var tags = "" { didSet { noteChange(tags != oldValue) } }
  var date = "" { didSet { noteChange(date != oldValue) } }
  var number = "" { didSet { noteChange(number != oldValue) } }
  /// The number of the state that is on show.
  var revision: Int64 = 0 { didSet { noteChange(revision != oldValue) } }
  var isPinned = false { didSet { noteChange(isPinned != oldValue) } }
  /// What kind of content it is, in a word.
  var format = "" { didSet { noteChange(format != oldValue) } }
  /// Pixel size or playing time; empty where neither is known.
  var facts = "" { didSet { noteChange(facts != oldValue) } }
  var byteCount = "" { didSet { noteChange(byteCount != oldValue) } }
  var state = LoadState.idle { didSet { noteChange(state != oldValue) } }
  /// Whether keys act on it although it is not selected.
  var isMarked = false { didSet { noteChange(isMarked != oldValue) } }
  /// How that stands out which was looked for; `nil` without a search.
  var marks: MatchMarks? { didSet { noteChange(marks != oldValue) } }
  /// The part of the text in which it was found.
  var excerpt: MarkedText? { didSet { noteChange(excerpt != oldValue) } }

  /// Makes another attempt to load what could not be loaded.
  var retryHandler: (() -> Void)?

  private var drawn: (layout: RowLayout, isSelected: Bool, lines: [FrameLine])?

  required init() {}

  /// The lines of the row.
  ///
  /// - Parameters:
  ///   - layout: How rows are laid out.
  ///   - isSelected: Whether it is the row that keys act on.
  ///   - drawing: Draws pictures.
  /// - Returns: As many lines as a row has.
  func lines(
    _ layout: RowLayout,
    isSelected: Bool,
    drawing: any PictureDrawing
  ) -> [FrameLine] {
    if let drawn, drawn.layout == layout, drawn.isSelected == isSelected { return drawn.lines }
    let lines = draw(layout, isSelected: isSelected, drawing: drawing)
    drawn = (layout, isSelected, lines)
    return lines
  }

  /// What stands below the title.
  ///
  /// - Parameters:
  ///   - columns: The columns that there are.
  ///   - count: The most lines.
  ///   - style: The style of the lines.
  /// - Returns: At most that many lines.
  func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] { [] }

  /// What stands in the picture box.
  func boxLines(_ size: BoxSize, drawing: any PictureDrawing) -> [FrameLine] {
    if case .loaded(let blob) = state, let lines = drawing.lines(of: blob, in: size) {
      return lines
    }
    return FactsBox(size: size, words: [format, facts], sign: sign).lines
  }

  /// All that there is to see in a box that has no other text beside it.
  ///
  /// - Parameters:
  ///   - size: The cells of the box.
  ///   - drawing: Draws pictures.
  /// - Returns: At most as many lines as the box has.
  func contentLines(_ size: BoxSize, drawing: any PictureDrawing) -> [FrameLine] {
    boxLines(size, drawing: drawing)
  }

  /// What tells of the blob that is not there.
  var sign: String {
    switch state {
    case .idle, .loaded: ""
    case .loading(let progress): progress.failure == nil ? "…" : "?"
    case .failed: "!"
    }
  }

  /// Why there is no blob; `nil` where there is, or may be.
  var failure: String? {
    guard case .failed(let failure) = state else { return nil }
    return Self.words(for: failure)
  }

  /// Why there is no blob yet, also while another attempt is to follow; `nil` where none has
  /// failed.
  var trouble: String? {
    guard case .loading(let progress) = state else { return failure }
    return progress.failure.map(Self.words)
  }

  private static func words(for failure: LoadFailure) -> String {
    "Not loaded: \(TerminalText(failure.error.cause, lines: .folded))."
  }

  private func noteChange(_ isChanged: Bool) {
    guard isChanged else { return }
    drawn = nil
    changeHandler?()
  }
}

/// A row of a text: two lines of it.
final class TextRowView: RowView {
  override func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] {
    // What the title says is left out.
    content(count: columns * count * 2).dropping(title)
      .beginning(columns: columns, count: count, style, marks)
  }

  override func contentLines(_ size: BoxSize, drawing: any PictureDrawing) -> [FrameLine] {
    // What the title says is left out.
    let whole = excerpt ?? wholeText.dropping(title)
    return whole.beginning(columns: size.columns, count: size.lines, .plain, marks)
      .map { $0.truncated(toWidth: size.columns) }
  }

  /// As much of the text as was loaded, in its own lines.
  private var wholeText: MarkedText {
    guard failure == nil, case .loaded(let blob) = state,
      let text = blob.content(as: String.self)
    else { return MarkedText(failure ?? text) }
    let safe = TerminalText(text, lines: .kept).description
    return marks?.marked(safe) ?? MarkedText(safe)
  }

  /// What there is to show of the text.
  private func content(count: Int) -> MarkedText {
    if let excerpt { return excerpt }
    if let failure { return MarkedText(failure) }
    guard case .loaded(let blob) = state, let beginning = blob.content(as: String.self) else {
      return MarkedText(text)
    }
    return MarkedText(TerminalText(String(beginning.prefix(count)), lines: .folded).description)
  }

  override func boxLines(_ size: BoxSize, drawing: any PictureDrawing) -> [FrameLine] {
    // No frame: there is no picture to come.
    let words = ["", format, facts, sign].prefix(size.lines)
    return words.map { word in
      var line = FrameLine(" " + word.truncated(toWidth: size.columns - 1), .faint)
      line.pad(toWidth: size.columns)
      return line
    }
  }
}

/// A row of a picture.
final class ImageRowView: RowView {
  override func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] {
    let size = facts.isEmpty ? "size not known" : facts + " pixels"
    return [failure ?? size, "\(format) image"].prefix(count).map { FrameLine($0, style) }
  }
}

/// A row of a recording.
final class VoiceRowView: RowView {
  override func bodyLines(columns: Int, count: Int, _ style: FrameStyle) -> [FrameLine] {
    let time = facts.isEmpty ? "playing time not known" : facts + " playing time"
    return [failure ?? time, "\(format) recording"].prefix(count).map { FrameLine($0, style) }
  }
}
