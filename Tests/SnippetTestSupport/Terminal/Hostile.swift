package import Foundation

/// Characters in texts and names that would control a terminal or mislead its reader.
package enum Hostile {
  package static let texts = [
    "\u{1B}[2J\u{1B}[31mred", "\u{1B}]0;owned\u{7}", "\u{1B}]52;c;ZXZpbA==\u{1B}\\", "\u{9B}31m",
    "\u{9D}0;owned\u{9C}", "\u{90}q\u{9C}", "over\rwritten", "back\u{8}\u{8}space", "del\u{7F}ete",
    "\u{202E}gnp.exe", "\u{2066}isolate\u{2069}", "\u{200F}mark", "\u{61C}letter",
    "zero\u{200B}width",
    "\u{FEFF}bom", "soft\u{AD}hyphen", "line\u{2028}end", "tag\u{E0041}", "bell\u{7}", "\u{E}shift",
  ]

  /// All of them on one line, as a title or the name of a file.
  package static let line = texts.joined(separator: " ")

  /// Finds the characters in some output that would control a terminal or mislead its reader.
  ///
  /// - Parameters:
  ///   - bytes: The output.
  ///   - isTerminal: Whether styles, the colours of pictures and the overwriting of the progress
  ///     line are allowed.
  /// - Returns: The names of the characters.
  package static func findings(in bytes: Data, isTerminal: Bool) -> [String] {
    guard var text = String(validating: bytes, as: UTF8.self) else { return ["not UTF-8"] }
    if isTerminal {
      for sequence in ["\u{1B}[1m", "\u{1B}[1;31m", "\u{1B}[2m", "\u{1B}[0m", "\u{1B}[K"] {
        text = text.replacingOccurrences(of: sequence, with: "")
      }
      // The colours of pictures and waveforms, which no hostile text has.
      text = text.replacing(/\x1B\[(0;)?(7;)?([34]8;2;\d+;\d+;\d+;?)+m|\x1B\[36m/, with: "")
      // The progress line starts at the beginning of its line.
      text = text.replacingOccurrences(of: "\r", with: "")
    }
    return Set(text.unicodeScalars.filter(isHazard)).sorted().map {
      "U+\(String($0.value, radix: 16, uppercase: true))"
    }
  }

  private static func isHazard(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
