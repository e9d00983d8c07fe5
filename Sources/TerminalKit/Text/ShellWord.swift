/// A text quoted for a shell as one word, safe to print.
///
/// There are no quotes if none are needed. Characters that would control the terminal or mislead
/// its reader are written as numbers, in the quotes that bash, zsh and ksh have for them.
package struct ShellWord: Hashable, Sendable, CustomStringConvertible {
  /// The word, ready to type.
  package let description: String

  /// Quotes any text.
  package init(_ text: String) {
    if !text.isEmpty, text.utf8.allSatisfy(Self.isPlain) {
      description = text
    } else if TerminalText(text).description == text {
      // Byte by byte: a quote with a combining mark is another character to Swift, but still a
      // quote to a shell.
      let escaped = text.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
      description = "'" + String(decoding: escaped, as: UTF8.self) + "'"
    } else {
      description = "$'" + text.utf8.map(Self.escaped).joined() + "'"
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "'"): "\\'"
    case UInt8(ascii: "\\"): "\\\\"
    case 0x20..<0x7F: String(UnicodeScalar(byte))
    // Three octal digits never absorb the next character, as hexadecimal ones do.
    default:
      "\\" + String(repeating: "0", count: byte < 8 ? 2 : byte < 64 ? 1 : 0)
        + String(byte, radix: 8)
    }
  }
}
