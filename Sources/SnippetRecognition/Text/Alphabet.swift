import Foundation

/// The letters beyond ASCII that a language uses, with their likelihoods.
struct Alphabet: Sendable {
  // Logarithms of the likelihood of other characters: punctuation of all languages, signs of some
  // texts, letters found only in foreign names, and everything else.
  private static let punctuationLikelihood = -3.0
  private static let signLikelihood = -4.5
  private static let strangerLikelihood = -7.6
  private static let punctuation = Set("\u{A0}\u{AD}‘’‚“”„´‹›«»–—…•·§©°€£¿¡ªº،؛؟".unicodeScalars)
  private static let signs = Set("®™±×²³µ½¼¾¥¢†№¶".unicodeScalars)

  private let likelihoods: [Unicode.Scalar: Double]

  /// Makes an alphabet of lower-case letters, most frequent first.
  private init(_ letters: String) {
    let scalars = Array(letters.unicodeScalars)
    // Letter frequencies roughly follow this law; languages differ in the order.
    let weights = scalars.indices.map { 1 / Double($0 + 2) }
    let total = weights.reduce(0, +)
    likelihoods = Dictionary(
      zip(scalars, weights.map { log($0 / total) }),
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the logarithm of the likelihood of characters in a text in this language, from the
  /// number of each character beyond ASCII, in lower case.
  func likelihood(of counts: [Unicode.Scalar: Int]) -> Double {
    // In a fixed order, so that a text always gets the same result to the last bit.
    counts.sorted { $0.key < $1.key }.reduce(0) { $0 + likelihood(of: $1.key) * Double($1.value) }
  }

  private func likelihood(of character: Unicode.Scalar) -> Double {
    if let likelihood = likelihoods[character] { return likelihood }
    if Self.punctuation.contains(character) { return Self.punctuationLikelihood }
    return Self.signs.contains(character) ? Self.signLikelihood : Self.strangerLikelihood
  }

  /// Returns the alphabets of the languages that are written in an encoding; none for encodings
  /// with more than one byte per character.
  static func alphabets(of encoding: TextEncoding) -> [Alphabet] {
    switch encoding {
    case .windows1252, .iso8859Part15, .ibm850, .macintosh: western
    case .windows1250, .iso8859Part2: central
    case .windows1254, .ibm857: turkish
    case .windows1251, .iso8859Part5, .macCyrillic: russian + cyrillic
    case .koi8R, .ibm866: russian
    case .koi8U: ukrainian
    case .windows1253, .iso8859Part7: greek
    case .windows1255, .ibm862: hebrew
    case .windows1256: arabic
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

  // Beyond ASCII, “i” stands for its capital, which has a dot.
  private static let turkish = [Alphabet("ışüğçöiâîû")]

  private static let greek = [Alphabet("αοτιενρσκηπςυμλίόάγέδήωχθύφβώξζψϊΐϋΰ")]

  private static let hebrew = [Alphabet("יוהלארתבשמנםעדחקפטגכסןצזךףץ")]

  private static let arabic = [
    Alphabet("اليمنوترعبدسفهكقحجأةشصطخذىضإزثءئغظآؤ"),
    Alphabet("ایرندمهتوبسشکزلگخفقعجپحآصطچضژغظثذئء"),  // Persian
  ]

  private static let russian = [Alphabet("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё")]

  private static let ukrainian = [Alphabet("оанивіертслкдумпязьгбчхцжйюїєшщфґ")]

  private static let cyrillic =
    ukrainian + [
      Alphabet("аоеиятнрсвдлкпмзугбъчцжшйхщьюф"),  // Bulgarian
      Alphabet("аоеинсртјкувдмлпгзбњшчжцхљћђфџ"),  // Serbian
    ]
}
