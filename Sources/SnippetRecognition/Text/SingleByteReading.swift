/// A text as read in one single-byte encoding.
struct SingleByteReading {
  // The limits for odd pairs, because texts contain misprints and formulas.
  private static let maximumOddShare = 0.01
  private static let maximumOddCount = 2
  // The fewest letters of a language that does not use Latin ones.
  private static let minimumForeignLetterCount = 4
  // The cost of an odd pair, as the logarithm of a likelihood, and of an unusual one.
  private static let oddCost = 3.0
  private static let unusualCost = 1.5
  // The average likelihood of a character in a text of some language, and the deviation allowed to
  // a short text. Measured on texts in the right and in wrong encodings.
  private static let minimumAverageLikelihood = -3.35
  private static let averageDeviation = 1.2
  private static let ukrainianLetters = Set("ґєіїҐЄІЇ".unicodeScalars)

  /// The encoding.
  let encoding: TextEncoding
  /// The characters beyond ASCII, by byte.
  let characters: [UInt8: Unicode.Scalar]
  /// The logarithm of the characters' likelihood in the best fitting language.
  let likelihood: Double
  /// Whether no pair of characters is odd.
  let isRegular: Bool

  /// Reads a text; `nil` if it resembles no language.
  init?(_ pairs: [(first: UInt8, second: UInt8, count: Int)], _ encoding: TextEncoding) {
    let table = SingleByteTable.table(of: encoding)
    var counts: [Unicode.Scalar: Int] = [:]
    var characters: [UInt8: Unicode.Scalar] = [:]
    var (pairCount, oddCount, unusualCount, crowdedCount) = (0, 0, 0, 0)
    for (first, second, count) in pairs {
      guard let left = table[first], let right = table[second],
        TextCharacters.areAllowed(left), TextCharacters.areAllowed(right)
      else { return nil }
      let pair = CharacterPair(left, right)
      pairCount += count
      if pair.isOdd { oddCount += count }
      if pair.isFinalCapital || pair.isMisplacedRune { unusualCount += count }
      if pair.isCrowded { crowdedCount += count }
      // Each character is the first of exactly one pair.
      guard first >= 0x80 else { continue }
      characters[first] = left
      counts[left.lowercased, default: 0] += count
    }
    let letterCount = counts.reduce(0) { $1.key.isLetter ? $0 + $1.value : $0 }
    let foreignCount = counts.reduce(0) { $1.key.script == .latin ? $0 : $0 + $1.value }
    guard
      oddCount <= max(Self.maximumOddCount, Int(Double(pairCount) * Self.maximumOddShare)),
      foreignCount == 0 || foreignCount >= Self.minimumForeignLetterCount,
      // Only Western texts have nothing but signs beyond ASCII, as the quotes in English ones.
      letterCount > 0 || [.windows1252, .iso8859Part15, .macintosh].contains(encoding),
      // Without the letters that Russian lacks, a text is the same in the encoding of Russian.
      encoding != .koi8U || characters.values.contains(where: Self.ukrainianLetters.contains),
      // Languages in Latin letters rarely have two neighbouring letters beyond ASCII.
      crowdedCount * 2 <= letterCount
    else { return nil }

    let fits = Alphabet.alphabets(of: encoding).map { $0.likelihood(of: counts) }
    let best = fits.max() ?? -.infinity
    let count = Double(counts.values.reduce(0, +))
    let slack = Self.averageDeviation / count.squareRoot()
    guard best >= (Self.minimumAverageLikelihood - slack) * count else { return nil }
    self.encoding = encoding
    self.characters = characters
    isRegular = oddCount == 0
    likelihood =
      best - Self.oddCost * Double(oddCount)
      - Self.unusualCost * Double(unusualCount)
  }
}

/// Two neighbouring characters, at least one of them beyond ASCII.
private struct CharacterPair {
  // Signs that do not touch a word; other encodings have letters in their place.
  private static let signs = Set("¤¦¨¬¯±¸¹²³¶¼½¾×÷‰ˆ˜ƒªº".unicodeScalars)
  // A word may end with a raised number, but not where a question begins.
  private static let signsBehindWords = signs.subtracting("²³ªº".unicodeScalars).union(
    "¡¿".unicodeScalars
  )

  private let left: Unicode.Scalar
  private let right: Unicode.Scalar

  init(_ left: Unicode.Scalar, _ right: Unicode.Scalar) {
    self.left = left
    self.right = right
  }

  /// Whether the pair occurs in no language.
  var isOdd: Bool {
    switch (left.isLetter, right.isLetter) {
    case (true, true):
      // The last sigma of a word has a form of its own.
      left == "ς" || left.script != right.script
        || (left.properties.isLowercase && right.properties.isUppercase)
    case (false, true):
      Self.signs.contains(left) || left.isLineDrawing || left.isDigit && right.value >= 0x80
    case (true, false):
      left.value >= 0x80 && right.isDigit
        || Self.signsBehindWords.contains(right) || right.isLineDrawing
    case (false, false):
      false
    }
  }

  /// Whether a word ends with a capital beyond ASCII, or is nothing but one.
  var isFinalCapital: Bool {
    left.value >= 0x80 && left.properties.isUppercase && !right.isLetter
  }

  /// Whether a thorn stands within a word or an eth begins one; in Turkish, other letters stand in
  /// their place.
  var isMisplacedRune: Bool {
    left.isLetter && right == "þ" || !left.isLetter && right == "ð"
  }

  /// Whether both are Latin letters beyond ASCII.
  var isCrowded: Bool {
    left.value >= 0x80 && right.value >= 0x80 && left.isLetter && right.isLetter
      && left.script == .latin && right.script == .latin
  }
}

private enum Script {
  case latin
  case greek
  case cyrillic
  case hebrew
  case arabic
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool {
    // The two ordinal signs count as alphabetic, but follow words and numbers.
    properties.isAlphabetic && self != "ª" && self != "º"
  }

  fileprivate var script: Script {
    switch value {
    case 0x0370...0x03FF: .greek
    case 0x0400...0x04FF: .cyrillic
    case 0x0590...0x05FF: .hebrew
    case 0x0600...0x06FF: .arabic
    default: .latin
    }
  }

  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var isLineDrawing: Bool { (0x2500...0x25FF).contains(value) }

  fileprivate var lowercased: Unicode.Scalar {
    properties.lowercaseMapping.unicodeScalars.first ?? self
  }
}
