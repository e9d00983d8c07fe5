/// How a piece of a frame stands out; no meaning ever hangs on it.
struct FrameStyle: Hashable, Sendable {
  /// A colour, as pictures need them.
  enum Color: Hashable, Sendable {
    /// One of the palette of 256, the first sixteen of which every user has in their own tones.
    case palette(UInt8)
    case direct(red: UInt8, green: UInt8, blue: UInt8)
  }

  var isBold = false
  var isFaint = false
  /// Whether the colours of text and ground are exchanged.
  var isReversed = false
  /// The colour of the text; `nil` is that of the terminal.
  var foreground: Color?
  /// The colour of the ground; `nil` is that of the terminal.
  var background: Color?

  static let plain = FrameStyle()
  static let bold = FrameStyle(isBold: true)
  static let faint = FrameStyle(isFaint: true)
  static let reversed = FrameStyle(isReversed: true)

  /// The sequence that switches this style on where another one is; empty where it is on already.
  ///
  /// - Parameter former: The style that is on. The default is the plain one.
  /// - Returns: The sequence.
  func sequence(after former: FrameStyle = .plain) -> String {
    guard self != former else { return "" }
    var (parameters, former) = ([String](), former)
    // Attributes and colours of the terminal come back by switching all off only.
    if former.isBold && !isBold || former.isFaint && !isFaint || former.isReversed && !isReversed
      || former.foreground != nil && foreground == nil
      || former.background != nil && background == nil
    {
      former = .plain
      parameters.append("0")
    }
    if isBold, !former.isBold { parameters.append("1") }
    if isFaint, !former.isFaint { parameters.append("2") }
    if isReversed, !former.isReversed { parameters.append("7") }
    if let foreground, foreground != former.foreground {
      parameters.append(foreground.parameters(isGround: false))
    }
    if let background, background != former.background {
      parameters.append(background.parameters(isGround: true))
    }
    return "\u{1B}[\(parameters.joined(separator: ";"))m"
  }
}

extension FrameStyle.Color {
  fileprivate func parameters(isGround: Bool) -> String {
    switch self {
    case .palette(let number) where number < 8: "\((isGround ? 40 : 30) + Int(number))"
    case .palette(let number) where number < 16: "\((isGround ? 92 : 82) + Int(number))"
    case .palette(let number): "\(isGround ? 48 : 38);5;\(number)"
    case .direct(let red, let green, let blue):
      "\(isGround ? 48 : 38);2;\(red);\(green);\(blue)"
    }
  }
}
