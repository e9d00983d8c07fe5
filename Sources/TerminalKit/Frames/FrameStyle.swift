/// The emphasis of a piece of a frame, which never carries meaning.
package struct FrameStyle: Hashable, Sendable {
  /// A colour, as pictures need it.
  package enum Color: Hashable, Sendable {
    /// A colour of the palette of 256; users choose the first sixteen.
    case palette(UInt8)
    case direct(red: UInt8, green: UInt8, blue: UInt8)
  }

  package var isBold = false
  package var isFaint = false
  /// Whether the colours of text and background are swapped.
  package var isReversed = false
  /// The colour of the text; `nil` is the terminal's own.
  package var foreground: Color?
  /// The colour of the background; `nil` is the terminal's own.
  package var background: Color?

  package init(
    isBold: Bool = false,
    isFaint: Bool = false,
    isReversed: Bool = false,
    foreground: Color? = nil,
    background: Color? = nil
  ) {
    self.isBold = isBold
    self.isFaint = isFaint
    self.isReversed = isReversed
    self.foreground = foreground
    self.background = background
  }

  package static let plain = FrameStyle()
  package static let bold = FrameStyle(isBold: true)
  package static let faint = FrameStyle(isFaint: true)
  package static let reversed = FrameStyle(isReversed: true)

  /// Writes the sequence that changes from another style to this one; nothing if they are equal.
  ///
  /// - Parameters:
  ///   - former: The present style.
  ///   - text: The text to append to.
  package func append(after former: FrameStyle, to text: inout String) {
    guard self != former else { return }
    var former = former
    var separator = "\u{1B}["
    func add(_ parameter: String) {
      text += separator
      text += parameter
      separator = ";"
    }
    // Only turning everything off restores the terminal's own attributes and colours.
    if former.isBold && !isBold || former.isFaint && !isFaint || former.isReversed && !isReversed
      || former.foreground != nil && foreground == nil
      || former.background != nil && background == nil
    {
      former = .plain
      add("0")
    }
    if isBold, !former.isBold { add("1") }
    if isFaint, !former.isFaint { add("2") }
    if isReversed, !former.isReversed { add("7") }
    if let foreground, foreground != former.foreground {
      foreground.addParameters(isGround: false, add)
    }
    if let background, background != former.background {
      background.addParameters(isGround: true, add)
    }
    text += "m"
  }
}

extension FrameStyle.Color {
  // Number by number, because a frame with pictures has a thousand of them.
  fileprivate func addParameters(isGround: Bool, _ add: (String) -> Void) {
    switch self {
    case .palette(let number) where number < 8: add(String((isGround ? 40 : 30) + Int(number)))
    case .palette(let number) where number < 16: add(String((isGround ? 92 : 82) + Int(number)))
    case .palette(let number):
      add(isGround ? "48;5" : "38;5")
      add(String(number))
    case .direct(let red, let green, let blue):
      add(isGround ? "48;2" : "38;2")
      add(String(red))
      add(String(green))
      add(String(blue))
    }
  }
}
