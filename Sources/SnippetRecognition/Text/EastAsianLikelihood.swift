import Foundation

/// The likelihood of a text in an East Asian encoding.
///
/// The common characters of a language make up half of a text and more. Nearly all others are among
/// those that the national standard puts first, for everyday use.
extension MultiByteCheck {
  // The parts of a text that are common and everyday characters, and the number of the characters
  // that are everyday ones and of those beyond them.
  private var shares: (common: Double, everyday: Double, everydayCount: Double, restCount: Double) {
    switch encoding {
    case .eucKR: (0.75, 0.24, 2500, 6000)
    case .eucJP, .shiftJIS: (0.7, 0.27, 3300, 4000)
    case .big5: (0.5, 0.47, 5600, 8000)
    default: (0.5, 0.47, 3800, 20_000)
    }
  }

  // A letter of ASCII that belongs to a character is no letter of its own.
  private static var plainLetterGain: Double { 3 }
  private static var minimumFamiliarShare: Double { 0.9 }
  private static var minimumCharacterCount: Int { 2 }

  /// The logarithm of the likelihood of the characters beyond ASCII.
  var likelihood: Double {
    let (common, everyday, everydayNumber, restNumber) = shares
    let commonNumber = Double(max(1, CommonCharacters.characters(of: encoding).count))
    let rest = 1 - common - everyday
    let restCount = characterCount - commonCount - everydayCount
    var likelihood = Double(plainTrailCount) * Self.plainLetterGain
    likelihood += Double(commonCount) * log(common / commonNumber)
    likelihood += Double(everydayCount) * log(everyday / everydayNumber)
    likelihood += Double(restCount) * log(rest / restNumber)
    return likelihood
  }

  /// Whether nearly all characters are common or everyday ones.
  var isFamiliar: Bool {
    characterCount >= Self.minimumCharacterCount
      && Double(commonCount + everydayCount) >= Double(characterCount) * Self.minimumFamiliarShare
  }
}

extension TextEncoding {
  /// Whether two bytes are a sign or an everyday character, by the rows of the national standard.
  func isEveryday(_ lead: UInt8, _ trail: UInt8) -> Bool {
    switch self {
    case .gb18030: trail >= 0xA1 && (lead == 0xA1 || lead == 0xA3 || (0xB0...0xD7).contains(lead))
    case .eucKR: trail >= 0xA1 && (lead == 0xA1 || lead == 0xA3 || (0xB0...0xC8).contains(lead))
    case .eucJP: [0xA1, 0xA3, 0xA4, 0xA5].contains(lead) || (0xB0...0xCF).contains(lead)
    case .shiftJIS: (0x81...0x83).contains(lead) || (0x88...0x97).contains(lead)
    case .big5: (0xA1...0xC6).contains(lead)
    default: false
    }
  }
}
