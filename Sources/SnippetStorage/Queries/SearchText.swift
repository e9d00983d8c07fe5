/// A text in the form that search compares: folded to one case, without accents, in one width, and
/// split into words by blanks.
///
/// A run of letters and digits is a word. Every other sign is a word of its own, and so is every
/// character of a script that is written without blanks or whose words take endings; in those, any
/// part of a text can be found. Queries are split in the same way, so a text contains a term
/// exactly if ``words`` contains the words of the term.
struct SearchText: Hashable, Sendable {
  /// The version of these rules; an index made by another version is rebuilt.
  static let rules = 4

  /// The words, with one blank between two of them.
  ///
  /// There is no other white space, and no ASCII control character.
  let words: String

  init(_ text: String) {
    words = Self.words(of: text)
  }

  /// Joins texts so that no term matches across two of them: between them stands a word that no
  /// term contains.
  init(apart texts: [String]) {
    words = texts.map(Self.words).filter { !$0.isEmpty }.joined(separator: " \(Self.border) ")
  }

  /// A full-width comma, which folding would have made narrow.
  private static let border = "\u{FF0C}"

  var isEmpty: Bool { words.isEmpty }

  // MARK: - Taking apart

  private static func words(of text: String) -> String {
    var text = text
    return text.withUTF8(words)
  }

  private static func words(of text: UnsafeBufferPointer<UInt8>) -> String {
    var splitter = Splitter(capacity: text.count)
    splitter.add(text)
    return splitter.finish()
  }

  /// The role of a folded character among words.
  static func role(of scalar: Unicode.Scalar) -> FoldedScalars.Fold.Role {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: .word
    case 0x09...0x0D, 0x20: .blank
    case ..<0x80: .sign
    default: scalar.properties.isWhitespace ? .blank : scalar.isOfWord ? .word : .sign
    }
  }

  /// Collects words.
  private struct Splitter {
    private var folds = FoldedScalars.taken()
    private var bytes: [UInt8] = []
    private var isInWord = false

    init(capacity: Int) {
      bytes.reserveCapacity(capacity + capacity / 4)
    }

    /// Returns the words, after all texts were added.
    consuming func finish() -> String {
      folds.giveBack()
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Folds a text and adds it.
    ///
    /// The fold of a character that stands alone is looked up; characters that join others are
    /// folded together.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
      var position = 0
      // The fold of the character at the position, if it is known, and the end of the character.
      var known: (fold: FoldedScalars.Fold, end: Int)?
      while position < text.count {
        if known == nil, addPlainLetters(of: text, from: &position) { continue }
        let start = position
        let fold: FoldedScalars.Fold
        if let known {
          (fold, position) = known
        } else {
          fold = folds.fold(of: Self.scalar(in: text, at: &position))
        }
        known = nil
        var isJoined = false
        // No ASCII character joins the one before it.
        if position < text.count, text[position] >= 0x80 {
          var end = position
          let next = folds.fold(of: Self.scalar(in: text, at: &end))
          isJoined = next.joinsBefore
          known = (next, end)
        }
        if !isJoined, fold.role != .several {
          add(fold)
          continue
        }
        known = nil
        skipJoined(in: text, from: &position)
        for piece in TextFolding(String(decoding: text[start..<position], as: UTF8.self)) {
          for scalar in piece.unicodeScalars { add(FoldedScalars.Fold(CollectionOfOne(scalar))) }
        }
      }
    }

    /// Adds consecutive letters and digits of ASCII, which most texts mostly consist of; returns
    /// whether there are any that nothing can join.
    private mutating func addPlainLetters(
      of text: UnsafeBufferPointer<UInt8>,
      from position: inout Int
    ) -> Bool {
      var end = position
      while end < text.count, Self.isPlainLetter(text[end]) { end += 1 }
      // The next character may join the last of them.
      if end < text.count, text[end] >= 0x80 { end -= 1 }
      guard end > position else { return false }
      if !isInWord, !bytes.isEmpty { bytes.append(0x20) }
      isInWord = true
      let letters = UnsafeBufferPointer(rebasing: text[position..<end])
      // The bit that makes a letter lowercase; digits have it.
      bytes.append(contentsOf: letters.lazy.map { $0 | 0x20 })
      position = end
      return true
    }

    private static func isPlainLetter(_ byte: UInt8) -> Bool {
      (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
    }

    /// The number of consecutive characters standing alone that ends a joined stretch.
    private static let aloneCount = 8

    /// Skips to where several characters stand alone.
    ///
    /// A long joined stretch, as in Thai, is folded faster as a whole than character by character.
    private mutating func skipJoined(
      in text: UnsafeBufferPointer<UInt8>,
      from position: inout Int
    ) {
      var (next, aloneCount) = (position, 0)
      while next < text.count {
        if folds.fold(of: Self.scalar(in: text, at: &next)).joinsBefore {
          aloneCount = 0
        } else if aloneCount == Self.aloneCount {
          return
        } else {
          aloneCount += 1
        }
        position = next
      }
    }

    private mutating func add(_ fold: FoldedScalars.Fold) {
      switch fold.role {
      case .nothing, .several: return
      case .blank: isInWord = false
      case .word, .sign:
        if !bytes.isEmpty, !isInWord || fold.role == .sign { bytes.append(0x20) }
        isInWord = fold.role == .word
        var rest = fold.bytes
        for _ in 0..<fold.byteCount {
          bytes.append(UInt8(truncatingIfNeeded: rest))
          rest >>= 8
        }
      }
    }

    /// Decodes a character and moves past it; a string only holds complete ones.
    private static func scalar(
      in text: UnsafeBufferPointer<UInt8>,
      at position: inout Int
    ) -> UInt32 {
      func next() -> UInt32 {
        defer { position += 1 }
        return UInt32(text[position])
      }
      let first = next()
      if first < 0x80 { return first }
      let second = first << 6 | next() & 0x3F
      if first < 0xE0 { return second & 0x7FF }
      let third = second << 6 | next() & 0x3F
      return first < 0xF0 ? third & 0xFFFF : (third << 6 | next() & 0x3F) & 0x1F_FFFF
    }
  }
}

extension Unicode.Scalar {
  /// Whether a character outside ASCII belongs to a word that is set apart by blanks.
  fileprivate var isOfWord: Bool {
    switch value {
    // Thai and Lao; Tibetan; Myanmar; old letters of Hangul; Khmer.
    case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: return false
    // Kana and Han up to Hangul with all in between; compatibility and rare characters.
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
