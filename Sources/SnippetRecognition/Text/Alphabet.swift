import Foundation

/// The letters beyond ASCII that a language uses, with how likely each is.
struct Alphabet: Sendable {
  // Logarithms of how likely other characters are: what typesetters use in every language, signs
  // that some texts have, letters that a language has only in foreign names, and all else.
  private static let punctuationLikelihood = -3.0
  private static let signLikelihood = -4.5
  private static let strangerLikelihood = -7.6
  private static let punctuation = Set("\u{A0}\u{AD}‘’‚“”„´‹›«»–—…•·§©°€£¿¡ªº".unicodeScalars)
  private static let signs = Set("®™±×²³µ½¼¾¥¢†№¶".unicodeScalars)

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

  /// Tells how likely these characters are in a text in the language.
  ///
  /// - Parameter counts: Characters beyond ASCII in lower case, and how often each occurs.
  /// - Returns: The logarithm of the likelihood.
  func likelihood(of counts: [Unicode.Scalar: Int]) -> Double {
    // In one order always, so that one text always gets one verdict, to the last bit.
    counts.sorted { $0.key < $1.key }.reduce(0) { $0 + likelihood(of: $1.key) * Double($1.value) }
  }

  private func likelihood(of character: Unicode.Scalar) -> Double {
    if let likelihood = likelihoods[character] { return likelihood }
    if Self.punctuation.contains(character) { return Self.punctuationLikelihood }
    return Self.signs.contains(character) ? Self.signLikelihood : Self.strangerLikelihood
  }

  /// Finds the alphabets of the languages that are written in an encoding.
  ///
  /// - Parameter encoding: The encoding.
  /// - Returns: The alphabets; none for encodings of more than one byte per character.
  static func alphabets(of encoding: TextEncoding) -> [Alphabet] {
    switch encoding {
    case .windows1252: western
    case .windows1250, .iso8859Part2: central
    case .windows1254: turkish
    case .windows1251, .iso8859Part5: russian + cyrillic
    case .koi8R, .ibm866: russian
    case .windows1253, .iso8859Part7: greek
    case .windows1255: hebrew
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

  private static let greek = [Alphabet("αοτιενρσκηπςυμλίόάγέδήωχθύφβώξζψϊΐϋΰ")]

  private static let hebrew = [Alphabet("יוהלארתבשמנםעדחקפטגכסןצזךףץ")]

  private static let russian = [Alphabet("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё")]

  private static let cyrillic = [
    Alphabet("оанивіертслкдумпязьгбчхцжйюїєшщфґ"),  // Ukrainian
    Alphabet("аоеиятнрсвдлкпмзугбъчцжшйхщьюф"),  // Bulgarian
    Alphabet("аоеинсртјкувдмлпгзбњшчжцхљћђфџ"),  // Serbian
  ]
}
