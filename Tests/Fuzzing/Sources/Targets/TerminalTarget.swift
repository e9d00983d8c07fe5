import Foundation

@testable import TerminalKit

extension FuzzTarget {
  /// Makes text visible that would act on a terminal, in every way it is printed.
  ///
  /// The first byte is the width of a line and the size of pieces.
  static let terminal = FuzzTarget("terminal") { bytes in
    var input = FuzzBytes(bytes)
    let width = Int(input.byte() % 40) + 1
    let rest = input.rest
    let text = String(decoding: rest, as: UTF8.self)

    for lines in [TerminalText.Lines.visible, .kept, .folded] {
      for shown in [TerminalText(text, lines: lines), TerminalText(bytes: rest, lines: lines)] {
        try requireVisible(shown.description, keepsLines: lines == .kept)
        let again = TerminalText(shown.description, lines: lines)
        try require(again == shown, "making it visible twice changes nothing: \(shown)")
      }
    }
    let kept = TerminalText(bytes: rest, lines: .kept).description
    var pieces = TerminalTextPieces()
    var joined = ""
    for start in stride(from: rest.startIndex, to: rest.endIndex, by: width) {
      joined += pieces.next(bytes: rest[start..<min(rest.endIndex, start + width)])
    }
    joined += pieces.finish()
    try require(joined.utf8.elementsEqual(kept.utf8), "pieces are \(joined), the whole is \(kept)")

    try requireLayout(of: kept, width)
    try requireLayout(of: TerminalText(text, lines: .folded).description, width)
    try requireWord(text)
    try requireJSON(text)
  }

  private static func requireVisible(
    _ text: String,
    keepsLines: Bool
  ) throws(BrokenRule) {
    let isVisible = text.unicodeScalars.allSatisfy {
      !isMisleading($0) || keepsLines && ($0 == "\n" || $0 == "\t")
    }
    try require(isVisible, "nothing acts on the terminal: \(text.debugDescription)")
  }

  private static func requireLayout(of text: String, _ width: Int) throws(BrokenRule) {
    let lines = text.wrapped(toWidth: width)
    for line in lines {
      try require(
        line.displayWidth <= width || line.count == 1,
        "\(width) columns have no room for \(line.debugDescription)"
      )
    }
    let signs = lines.joined().unicodeScalars.filter { $0 != " " }
    let allSigns = text.unicodeScalars.filter { !" \n\t".unicodeScalars.contains($0) }
    try require(signs.elementsEqual(allSigns), "wrapping loses nothing of \(text.debugDescription)")
    guard let line = lines.first else { return }
    let short = line.truncated(toWidth: width / 2)
    try require(short.displayWidth <= width / 2, "it is cut to \(width / 2) columns: \(short)")
    let filled = short.padded(toWidth: width)
    try require(filled.displayWidth == width, "it is filled to \(width) columns: \(filled)")
  }

  private static func requireJSON(_ text: String) throws {
    let line = JSONValue.string(text).line
    try requireVisible(line, keepsLines: false)
    let value = try JSONDecoder().decode(String.self, from: Data(line.utf8))
    try require(value.utf8.elementsEqual(text.utf8), "JSON says \(value), not \(text)")
  }

  private static func requireWord(_ text: String) throws(BrokenRule) {
    let word = ShellWord(text).description
    try requireVisible(word, keepsLines: false)
    try require(read(shellWord: word).elementsEqual(text.utf8), "a shell reads \(word) as \(text)")
  }

  /// What a shell takes a word for: plain, in quotes, or in quotes with escapes.
  private static func read(shellWord word: String) -> [UInt8] {
    guard word.utf8.starts(with: "$'".utf8) else { return read(quoted: word.utf8) }
    var bytes: [UInt8] = []
    var rest = word.utf8.dropFirst(2).dropLast()
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(3)
      if let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 8), digits.count == 3 {
        bytes.append(number)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(rest.popFirst() ?? byte)
      }
    }
    return bytes
  }

  /// What stands in quotes, and the signs outside of them that are escaped.
  private static func read(quoted word: String.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    var isQuoted = false
    var rest = word[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "'"): isQuoted.toggle()
      case UInt8(ascii: "\\") where !isQuoted: bytes.append(rest.popFirst() ?? byte)
      default: bytes.append(byte)
      }
    }
    // A word that does not end takes in what follows it.
    return isQuoted ? [] : bytes
  }
}
