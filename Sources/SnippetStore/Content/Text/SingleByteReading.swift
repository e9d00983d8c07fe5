/// What a text says when it is read in one encoding of one byte per character.
struct SingleByteReading {
  // The most, of a hundred pairs of characters, that may be of a sort no language has.
  private static let maximumOddPercentage = 3
  // The logarithm of how likely the letters are, on average, in a text of no language.
  private static let minimumAverageLikelihood = -4.2

  /// The encoding.
  let encoding: TextEncoding
  /// The characters beyond ASCII, by byte.
  private(set) var characters: [UInt8: Unicode.Scalar] = [:]
  /// The logarithm of how likely the letters are in the best fitting language.
  private(set) var likelihood = 0.0

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - pairs: The pairs of bytes in the text.
  ///   - encoding: The encoding to read it in.
  /// - Returns: `nil` when no language looks like that.
  init?(_ pairs: BytePairCounts, _ encoding: TextEncoding) {
    self.encoding = encoding
    let table = SingleByteTable.table(of: encoding)
    var letters: [Unicode.Scalar: Int] = [:]
    var characters: [UInt8: Unicode.Scalar] = [:]
    var (pairCount, oddCount, crowdedCount, strayCount) = (0, 0, 0, 0)
    pairs.forEach { first, second, count in
      guard let left = table[first], let right = table[second],
        TextCharacters.areAllowed(left), TextCharacters.areAllowed(right)
      else { return strayCount += 1 }
      let pair = CharacterPair(left, right)
      pairCount += count
      if pair.isOdd { oddCount += count }
      if pair.isCrowded { crowdedCount += count }
      // Each character is the first of exactly one pair.
      guard first >= 0x80 else { return }
      characters[first] = left
      if left.properties.isAlphabetic { letters[left.lowercased, default: 0] += count }
    }
    let letterCount = letters.values.reduce(0, +)
    guard strayCount == 0, oddCount * 100 <= pairCount * Self.maximumOddPercentage,
      // Languages in Latin letters rarely have two together that are not ASCII.
      crowdedCount * 3 <= letterCount
    else { return nil }
    self.characters = characters
    guard letterCount > 0 else { return }
    let fits = Alphabet.alphabets(of: encoding).map { alphabet in
      letters.reduce(0) { $0 + alphabet[$1.key] * Double($1.value) }
    }
    likelihood = fits.max() ?? -.infinity
    guard likelihood >= Self.minimumAverageLikelihood * Double(letterCount) else { return nil }
  }
}

/// Two neighbouring characters, of which at least one is not ASCII.
private struct CharacterPair {
  // Signs that stand at no word: what other encodings have letters for.
  private static let signs = Set("¤¦¨¬¯±´¸¹²³¶¼½¾×÷‰ˆ˜ƒ".unicodeScalars)
  private static let openingSigns = Set("¡¿".unicodeScalars)

  private let left: Unicode.Scalar
  private let right: Unicode.Scalar

  init(_ left: Unicode.Scalar, _ right: Unicode.Scalar) {
    self.left = left
    self.right = right
  }

  /// Whether no language has the two side by side.
  var isOdd: Bool {
    let (leftIsLetter, rightIsLetter) = (left.isLetter, right.isLetter)
    if leftIsLetter, rightIsLetter {
      return left.isCyrillic != right.isCyrillic
        || (left.properties.isLowercase && right.properties.isUppercase)
    }
    if rightIsLetter { return Self.signs.contains(left) || left.isLineDrawing }
    if leftIsLetter {
      return Self.signs.contains(right) && !"²³´".unicodeScalars.contains(right)
        || Self.openingSigns.contains(right) || right.isLineDrawing
    }
    return false
  }

  /// Whether both are Latin letters beyond ASCII.
  var isCrowded: Bool {
    left.value >= 0x80 && right.value >= 0x80 && left.isLetter && right.isLetter
      && !left.isCyrillic && !right.isCyrillic
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool {
    // The two ordinal signs count as alphabetic, but stand behind words and numbers.
    properties.isAlphabetic && self != "ª" && self != "º"
  }

  fileprivate var isCyrillic: Bool { (0x0400...0x04FF).contains(value) }

  fileprivate var isLineDrawing: Bool { (0x2500...0x25FF).contains(value) }

  fileprivate var lowercased: Unicode.Scalar {
    properties.lowercaseMapping.unicodeScalars.first ?? self
  }
}
