/// Text that a terminal shows and never obeys.
///
/// Whatever comes from a user's data (titles, previews, paths, texts of errors) goes through this
/// type on its way to a terminal. Characters that would control the terminal or mislead the reader
/// are replaced by something that can be seen:
///
/// - C0 control characters and DEL by their pictures: ESC is `␛`, a line feed is `␊`, DEL is `␡`;
/// - all others by their number, as `less` does: `<U+009B>`, `<U+202E>`, `<U+FEFF>`;
/// - bytes that are not UTF-8 by their value: `<E9>`.
///
/// Of the marks of a character the first 30 are kept, and `…` stands for the others. A zero-width
/// joiner stays between two emoji and between letters of scripts that spell with it,
/// a variation selector stays behind the one character it can apply to. Everything else, right to
/// left text included, is left alone. The replacement is for reading: it cannot be undone, and
/// making a text visible twice changes nothing.
package struct TerminalText: Hashable, Sendable, CustomStringConvertible {
  /// What becomes of the characters that end lines and of tabs.
  package enum Lines: Sendable {
    /// Shown as pictures, like every other control character.
    case visible

    /// Line feed and tab are kept, and a carriage return before a line feed is dropped: for texts
    /// of many lines.
    case kept

    /// Each run of them, with the spaces around it, becomes one space: for previews on one line.
    case folded
  }

  /// The text, safe to print.
  package let description: String

  /// Makes a text visible.
  ///
  /// - Parameters:
  ///   - text: Any text.
  ///   - lines: What becomes of line ends and tabs. The default is to show them as pictures.
  package init(_ text: String, lines: Lines = .visible) {
    // Letters of Latin and their signs, all of which print as themselves.
    guard
      text.unicodeScalars.contains(where: {
        !(0x20...0x7E ~= $0.value || 0xA1..<0x300 ~= $0.value && $0.value != 0xAD)
      })
    else {
      description = text
      return
    }
    var writer = TerminalTextWriter(lines: lines)
    var scalars = text.unicodeScalars.makeIterator()
    var upcoming = scalars.next()
    while let scalar = upcoming {
      upcoming = scalars.next()
      writer.append(scalar, before: upcoming)
    }
    description = writer.finished()
  }

  /// Makes bytes visible that should be UTF-8 and may not be, such as the name of a file.
  ///
  /// - Parameters:
  ///   - bytes: Any bytes.
  ///   - lines: What becomes of line ends and tabs. The default is to show them as pictures.
  package init(bytes: some Sequence<UInt8>, lines: Lines = .visible) {
    var writer = TerminalTextWriter(lines: lines)
    var pieces = UTF8Pieces(bytes)
    var upcoming = pieces.next()
    while let piece = upcoming {
      upcoming = pieces.next()
      switch piece {
      case .scalar(let scalar): writer.append(scalar, before: upcoming?.scalar)
      case .invalid(let byte): writer.append(invalid: byte)
      }
    }
    description = writer.finished()
  }
}
