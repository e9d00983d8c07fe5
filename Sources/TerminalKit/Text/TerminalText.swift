/// Text that a terminal shows and never obeys.
///
/// All user data (titles, previews, paths, texts of errors) goes through this type on its way to a
/// terminal. Characters that would control the terminal or mislead the reader are replaced by
/// visible ones:
///
/// - C0 control characters and DEL by their pictures: ESC is `␛`, a line feed is `␊`, DEL is `␡`;
/// - all others by their number, as in `less`: `<U+009B>`, `<U+202E>`, `<U+FEFF>`;
/// - bytes that are not UTF-8 by their value: `<E9>`.
///
/// The first 30 marks of a character are kept, and `…` stands for the others. A zero-width joiner
/// stays between two emoji and between letters of scripts that spell with it; a variation selector
/// stays after a character to which it can apply. Everything else, including right-to-left text, is
/// unchanged. The replacement is for reading: it cannot be undone, and applying it twice changes
/// nothing more.
package struct TerminalText: Hashable, Sendable, CustomStringConvertible {
  /// The treatment of line ends and tabs.
  package enum Lines: Sendable {
    /// Shown as pictures, like other control characters.
    case visible

    /// Line feeds and tabs are kept, and a carriage return before a line feed is dropped; another one
    /// is shown and ends a line too: for texts of many lines.
    case kept

    /// Each run of them, with surrounding spaces, becomes one space: for previews on one line.
    case folded
  }

  /// The text, safe to print.
  package let description: String

  /// Makes a text visible.
  ///
  /// - Parameters:
  ///   - text: Any text.
  ///   - lines: The treatment of line ends and tabs. By default they are shown as pictures.
  package init(_ text: String, lines: Lines = .visible) {
    // These all print as themselves.
    guard text.latinWidth == nil else {
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

  /// Makes bytes visible that should be UTF-8 but may not be, such as the name of a file.
  ///
  /// - Parameters:
  ///   - bytes: Any bytes.
  ///   - lines: The treatment of line ends and tabs. By default they are shown as pictures.
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
