import Foundation

/// The letters beyond ASCII that a language uses, with how likely each is.
struct Alphabet: Sendable {
  // For letters that a language has only in foreign names.
  private static let strangerLikelihood = log(0.0005)

  private let likelihoods: [Unicode.Scalar: Double]

  /// Orders the letters of a language.
  ///
  /// - Parameter letters: The lower-case letters, the most frequent first.
  private init(_ letters: String) {
    let scalars = Array(letters.unicodeScalars)
    // Letters follow about this law; the order is what tells languages apart.
    let weights = scalars.indices.map { 1 / Double($0 + 2) }
    let total = weights.reduce(0, +)
    likelihoods = Dictionary(
      zip(scalars, weights.map { log($0 / total) }),
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The logarithm of how likely a letter is among those beyond ASCII.
  ///
  /// - Parameter letter: The letter in lower case.
  subscript(letter: Unicode.Scalar) -> Double {
    likelihoods[letter] ?? Self.strangerLikelihood
  }

  /// The alphabets of the languages that are written in an encoding.
  ///
  /// - Parameter encoding: The encoding; for one of more bytes there are none.
  static func alphabets(of encoding: TextEncoding) -> [Alphabet] {
    switch encoding {
    case .windows1252: western
    case .windows1250, .iso8859Part2: central
    case .windows1254: turkish
    case .windows1251: russian + cyrillic
    case .koi8R: russian
    default: []
    }
  }

  private static let western = [
    Alphabet("éàèêçâîôùûëïœüæÿ"),  // French
    Alphabet("üäößéàè"),  // German
    Alphabet("óíáéñúüç"),  // Spanish
    Alphabet("ãçáéíóõêúâàôü"),  // Portuguese
    Alphabet("àèòùìéîó"),  // Italian
    Alphabet("äåöéüà"),  // Swedish and Finnish
    Alphabet("åøæéöüóòô"),  // Danish and Norwegian
    Alphabet("áíðóéþúæöý"),  // Icelandic
    Alphabet("ëéïèüöóê"),  // Dutch
    Alphabet("àóéèíçòúïü"),  // Catalan
    Alphabet("äõüöšž"),  // Estonian
    Alphabet("ëç"),  // Albanian
    Alphabet("éöüáóíäñåøçèãßëúêôàæâîïõòûùýðþœšžì"),  // Names of many countries
  ]

  private static let central = [
    Alphabet("łęąóśżćńź"),  // Polish
    Alphabet("íáěéřčžšýůúťóňď"),  // Czech
    Alphabet("áíéčžýúťšľňôóďäĺŕ"),  // Slovak
    Alphabet("áéöóőíüúű"),  // Hungarian
    Alphabet("čšžćđ"),  // Croatian and Slovene
    Alphabet("ăîţşâ"),  // Romanian
  ]

  private static let turkish = [Alphabet("ışüğçöâîû")]

  private static let russian = [Alphabet("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё")]

  private static let cyrillic = [
    Alphabet("оанивіертслкдумпязьгбчхцжйюїєшщфґ"),  // Ukrainian
    Alphabet("аоеиятнрсвдлкпмзугбъчцжшйхщьюф"),  // Bulgarian
    Alphabet("аоеинсртјкувдмлпгзбњшчжцхљћђфџ"),  // Serbian
  ]
}
