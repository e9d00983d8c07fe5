/// A text as search compares it: words made alike in case, accents and width, and set apart by
/// blanks.
///
/// A run of letters and digits is a word. Every other sign is one of its own, and so is every
/// character of a script that writes without blanks, or whose words take endings: of those, any
/// part of a text may be looked for. Since a query is taken apart in the same way, a text holds a
/// term just when ``words`` holds the term's words as they stand.
struct SearchText: Hashable, Sendable {
  /// The version of these rules; an index made by others is made anew.
  static let rules = 2

  /// The words with one blank between two of them; no other white space and no control characters of
  /// ASCII.
  let words: String

  init(_ text: String) {
    words = Self.words(of: text)
  }

  var isEmpty: Bool { words.isEmpty }

  // MARK: - Taking apart

  private static func words(of text: String) -> String {
    var text = text
    let ascii = text.withUTF8 { bytes -> String? in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      var splitter = Splitter(capacity: bytes.count)
      for byte in bytes { splitter.add(ascii: byte) }
      return splitter.words
    }
    if let ascii { return ascii }
    var splitter = Splitter(capacity: text.utf8.count)
    for piece in TextFolding(text) {
      for scalar in piece.unicodeScalars { splitter.add(scalar) }
    }
    return splitter.words
  }

  /// Collects words.
  private struct Splitter {
    private var bytes: [UInt8] = []
    private var isInWord = false

    init(capacity: Int) {
      bytes.reserveCapacity(capacity + capacity / 4)
    }

    var words: String { String(decoding: bytes, as: UTF8.self) }

    mutating func add(ascii byte: UInt8) {
      switch byte {
      case 0x61...0x7A, 0x30...0x39: addToWord(byte)
      case 0x41...0x5A: addToWord(byte | 0x20)
      case 0x09...0x0D, 0x20: isInWord = false
      case 0x21...0x7E: addAlone(CollectionOfOne(byte))
      // Its picture in place of a control character: the index ends a text at NUL.
      default: addAlone([0xE2, 0x90, byte == 0x7F ? 0xA1 : 0x80 | byte])
      }
    }

    mutating func add(_ scalar: Unicode.Scalar) {
      if scalar.isASCII { return add(ascii: UInt8(truncatingIfNeeded: scalar.value)) }
      if scalar.properties.isWhitespace {
        isInWord = false
      } else if scalar.isOfWord {
        addToWord(contentsOf: UTF8.encode(scalar))
      } else {
        addAlone(UTF8.encode(scalar))
      }
    }

    private mutating func addToWord(_ byte: UInt8) {
      if !isInWord, !bytes.isEmpty { bytes.append(0x20) }
      isInWord = true
      bytes.append(byte)
    }

    private mutating func addToWord(contentsOf sign: UTF8.EncodedScalar?) {
      guard let sign else { return }
      if !isInWord, !bytes.isEmpty { bytes.append(0x20) }
      isInWord = true
      bytes.append(contentsOf: sign)
    }

    private mutating func addAlone(_ sign: (some Sequence<UInt8>)?) {
      guard let sign else { return }
      if !bytes.isEmpty { bytes.append(0x20) }
      isInWord = false
      bytes.append(contentsOf: sign)
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character, not of ASCII, is part of a word that blanks set apart.
  fileprivate var isOfWord: Bool {
    switch value {
    // Thai and Lao; Tibetan; Myanmar; Hangul, old letters; Khmer.
    case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: return false
    // Kana and Han up to Hangul, with all that is between them; the compatible and the rare ones.
    case 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF: return false
    case 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFF: return false
    default: break
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default:
      return false
    }
  }
}
