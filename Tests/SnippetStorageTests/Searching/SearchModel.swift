import Foundation
import SnippetTestSupport

/// What search must find, by comparing plain texts: the reference for the index.
enum SearchModel {
  /// What the texts of the test are made of.
  ///
  /// Those on the left are written with blanks between words.
  private static let scripts: [(characters: [String], hasBlanks: Bool)] = [
    (["a", "b", "e", "É", "e\u{301}", "ö", "o\u{308}", "S", "T", "1", "２"], true),
    (["п", "Р", "и", "й", "и\u{306}"], true),
    (["α", "Θ", "ῆ"], true),
    (["ש", "ל", "ع", "ر", "ب"], true),
    (["牛", "乳", "東", "京", "中", "文"], false),
    (["の", "ガ", "ｶﾞ", "イ", "ド", "ﾄﾞ"], false),
    (["한", "국", "어"], false),
    (["ก", "ข", "ค", "ไ", "ม"], false),
    (["-", "+", "_", "'", "\"", "*", "(", "%", "🎂", "👩‍👩‍👧", "🇩🇪", "\u{1B}"], false),
  ]

  /// A few words in a few scripts.
  static func text(_ random: inout SeededGenerator) -> String {
    (0..<1 + random.below(8)).map { _ in word(&random) }
      .joined(separator: random.element(of: [" ", " ", "\n", "\u{3000}", ""]))
  }

  static func word(_ random: inout SeededGenerator) -> String {
    let script = random.element(of: scripts)
    return (0..<1 + random.below(5)).map { _ in random.element(of: script.characters) }.joined()
  }

  /// Something to look for: a part of a text, or any word; one or several; now and then a phrase.
  static func query(in texts: [String], _ random: inout SeededGenerator) -> String {
    let terms = (0..<1 + random.below(3)).map { _ -> String in
      guard let text = texts.randomElement(using: &random), random.chance(0.8) else {
        return word(&random)
      }
      let characters = Array(text)
      guard !characters.isEmpty else { return word(&random) }
      let start = random.below(characters.count)
      let part = String(characters[start..<min(characters.count, start + 1 + random.below(6))])
      return random.chance(0.2) ? "\"\(part.replacing("\"", with: ""))\"" : part
    }
    return terms.joined(separator: " ")
  }

  /// Whether a snippet with these texts must be found.
  static func matches(_ query: String, in texts: [String]) -> Bool {
    let terms = terms(of: query).map(compared).filter { !$0.isEmpty }
    guard !terms.isEmpty else { return false }
    let texts = texts.map(compared)
    return terms.allSatisfy { term in
      texts.contains { $0.range(of: term, options: .literal) != nil }
    }
  }

  /// A text without what makes no difference: case, accents, width, and the blanks beside
  /// everything but the letters and digits of scripts that need them.
  private static func compared(_ text: String) -> String {
    let alike = folded(text)
    let words = Set(
      scripts.filter(\.hasBlanks).flatMap(\.characters).flatMap { folded($0).unicodeScalars }
    )
    var result = String.UnicodeScalarView()
    var isAfterBlank = false
    for scalar in alike.unicodeScalars {
      if scalar.properties.isWhitespace {
        isAfterBlank = true
        continue
      }
      if isAfterBlank, let last = result.last, words.contains(last), words.contains(scalar) {
        result.append(" ")
      }
      isAfterBlank = false
      result.append(scalar)
    }
    return String(result)
  }

  private static func folded(_ text: String) -> String {
    text.precomposedStringWithCompatibilityMapping.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: nil
    )
    .precomposedStringWithCanonicalMapping
  }

  /// The terms of a query: what is between blanks, or fills two double quotes.
  private static func terms(of query: String) -> [String] {
    var terms: [String] = []
    var rest = Substring(query)
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard !rest.isEmpty else { return terms }
      if let match = rest.prefixMatch(of: /"([^"]+)"(?=\s|$)/) {
        terms.append(String(match.1))
        rest = rest[match.range.upperBound...]
      } else {
        let term = rest.prefix { !$0.isWhitespace }
        terms.append(String(term))
        rest = rest.dropFirst(term.count)
      }
    }
  }
}
