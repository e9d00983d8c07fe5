/// How a piece of a frame stands out; no meaning ever hangs on it.
struct FrameStyle: Hashable, Sendable {
  /// A colour of 24 bits, as pictures need them.
  struct Color: Hashable, Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8
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

  /// The sequence that switches this style on where none is; empty for the plain one.
  var sequence: String {
    var parameters: [String] = []
    if isBold { parameters.append("1") }
    if isFaint { parameters.append("2") }
    if isReversed { parameters.append("7") }
    if let foreground { parameters.append("38;2;\(foreground.parameters)") }
    if let background { parameters.append("48;2;\(background.parameters)") }
    return parameters.isEmpty ? "" : "\u{1B}[\(parameters.joined(separator: ";"))m"
  }
}

extension FrameStyle.Color {
  fileprivate var parameters: String { "\(red);\(green);\(blue)" }
}
