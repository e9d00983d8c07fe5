import SnippetBase

/// Writes a terminal text, scalar by scalar.
struct TerminalTextWriter {
  private let lines: TerminalText.Lines
  private var text = ""

  /// The scalar before, if it was written as it is.
  private var previous: Unicode.Scalar?

  /// The number of marks of the last character.
  private var markCount = 0

  /// The most marks of a character.
  ///
  /// They take no columns, so any number would fit into a line. The limit is that of the
  /// Stream-Safe Text Format (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format).
  private static let maximumMarkCount = 30

  /// Whether the last scalar was a folded line end, whose run includes following spaces.
  private var isFolding = false

  /// Starts an empty text.
  init(lines: TerminalText.Lines) {
    self.lines = lines
  }

  /// Writes a scalar, or a visible replacement.
  ///
  /// - Parameters:
  ///   - scalar: The scalar.
  ///   - next: The following scalar in the source, if there is one.
  mutating func append(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
    if lines == .folded, foldsIntoSpace(scalar) { return appendFold() }
    if isFolding, scalar == " " { return }
    isFolding = false
    if lines == .kept, scalar == "\r", next == "\n" { return }
    if isMark(scalar) {
      markCount += 1
      if markCount > Self.maximumMarkCount { return appendCut() }
    } else {
      markCount = 0
    }
    if isKept(scalar, before: next) {
      text.unicodeScalars.append(scalar)
      previous = scalar
    } else {
      appendSign(for: scalar)
      previous = nil
      // Old Macs end their lines so, and what follows is written over nothing.
      if lines == .kept, scalar == "\r", let next, next != "\r" { text += "\n" }
    }
  }

  /// Writes a run of scalars that print as themselves in any context; not for folded lines.
  ///
  /// - Parameter run: Printable ASCII, tabs and line feeds.
  mutating func append(plain run: Substring) {
    guard let last = run.unicodeScalars.last else { return }
    text += run
    previous = last
    markCount = 0
  }

  /// Writes the replacement of a byte that is not part of a scalar.
  mutating func append(invalid byte: UInt8) {
    isFolding = false
    previous = nil
    markCount = 0
    text += "<\(hexadecimal(UInt32(byte), digits: 2))>"
  }

  /// Returns the text so far, without the space of a folded line end at its end.
  func finished() -> String {
    isFolding ? String(text.unicodeScalars.dropLast()) : text
  }

  /// Takes the text written since the last call; not for folded lines, where later scalars may
  /// still remove spaces.
  mutating func takeText() -> String {
    precondition(lines != .folded, "what was folded is not settled before the end")
    defer { text.removeAll(keepingCapacity: true) }
    return text
  }

  private func isKept(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    switch scalar.terminalHazard {
    case .none: true
    case .joiner: joins(previous, next, with: scalar)
    case .variationSelector: applies(scalar, to: previous)
    case .hidden: lines == .kept && (scalar == "\n" || scalar == "\t")
    }
  }

  /// Whether a joiner is meaningful between two scalars.
  private func joins(
    _ previous: Unicode.Scalar?,
    _ next: Unicode.Scalar?,
    with joiner: Unicode.Scalar
  ) -> Bool {
    guard let previous, let next else { return false }
    if previous.usesJoiners, next.usesJoiners { return true }
    let followsEmoji = previous.isEmojiSymbol || previous.value == 0xFE0F
    return joiner.value == 0x200D && followsEmoji && next.isEmojiSymbol
  }

  /// Whether a variation selector follows a scalar that can have variants.
  private func applies(_ selector: Unicode.Scalar, to base: Unicode.Scalar?) -> Bool {
    guard let base, base.terminalHazard == .none else { return false }
    if base.isASCII {
      return base.properties.isEmoji && (0xFE0E...0xFE0F).contains(selector.value)
    }
    return !base.properties.isWhitespace
  }

  private func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    let category = scalar.properties.generalCategory
    return category == .nonspacingMark || category == .enclosingMark
  }

  /// Writes one sign for all excess marks.
  private mutating func appendCut() {
    if markCount == Self.maximumMarkCount + 1 { text += "…" }
    previous = nil
  }

  private func foldsIntoSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  private mutating func appendFold() {
    while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
    previous = nil
    isFolding = true
    if !text.isEmpty { text.unicodeScalars.append(" ") }
  }

  private mutating func appendSign(for scalar: Unicode.Scalar) {
    if let picture = picture(of: scalar) { return text.unicodeScalars.append(picture) }
    text += "<U+\(hexadecimal(scalar.value, digits: 4))>"
  }

  /// Returns Unicode's picture of a C0 control character or DEL, `␀` to `␟` and `␡`.
  private func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    default: nil
    }
  }

  private func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
