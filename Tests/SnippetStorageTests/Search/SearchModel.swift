import Foundation
import SnippetStorage
import SnippetTestSupport

/// A snippet as the model of search knows it.
struct SearchedSnippet {
  var title: String
  var tags: [String]
  var body: String
  var isPinned = false
  var createdAt = Date(timeIntervalSince1970: 0)
  var isInTrash = false

  /// What words are found in.
  func texts(_ field: SearchQuery.Field?) -> [String] {
    switch field {
    case .title: [title]
    case .tags: tags
    case .text: [body]
    case nil: [title, body] + tags
    }
  }
}

/// A query beside what it means, by the plain reading of a tree.
indirect enum ModelQuery {
  case words(String, SearchQuery.Field?)
  case phrase(String, SearchQuery.Field?)
  case tag(String)
  case kind(SnippetKind)
  case pinned
  case madeFrom(Date)
  case madeBefore(Date)
  case sizeFrom(Int64)
  case sizeTo(Int64)
  case not(ModelQuery)
  case both(ModelQuery, ModelQuery)
  case either(ModelQuery, ModelQuery)

  /// The same, built in Swift.
  var query: SearchQuery {
    switch self {
    case .words(let text, let field): .words(text, in: field)
    case .phrase(let text, let field): .phrase(text, in: field)
    case .tag(let tag): .tag(tag)
    case .kind(let kind): .kind(kind)
    case .pinned: .isPinned
    case .madeFrom(let date): .created(from: date)
    case .madeBefore(let date): .created(before: date)
    case .sizeFrom(let size): .size(atLeast: size)
    case .sizeTo(let size): .size(atMost: size)
    case .not(let inner): !inner.query
    case .both(let first, let second): first.query && second.query
    case .either(let first, let second): first.query || second.query
    }
  }

  /// Whether a snippet is asked for; `nil` where nothing is asked.
  func isTrue(of snippet: SearchedSnippet) -> Bool? {
    switch self {
    case .words(let text, let field):
      SearchModel.words(of: text).reduce(nil) { found, word in
        Self.join(found, SearchModel.holds(word, in: snippet.texts(field))) { $0 && $1 }
      }
    case .phrase(let text, let field): SearchModel.holds(text, in: snippet.texts(field))
    case .tag(let tag):
      snippet.tags.contains { ($0.lowercased() + "/").hasPrefix(tag.lowercased() + "/") }
    case .kind(let kind): kind == .text
    case .pinned: snippet.isPinned
    case .madeFrom(let date): snippet.createdAt >= date
    case .madeBefore(let date): snippet.createdAt < date
    case .sizeFrom(let size): snippet.body.utf8.count >= size
    case .sizeTo(let size): snippet.body.utf8.count <= size
    case .not(let inner): inner.isTrue(of: snippet).map { !$0 }
    case .both(let first, let second):
      Self.join(first.isTrue(of: snippet), second.isTrue(of: snippet)) { $0 && $1 }
    case .either(let first, let second):
      Self.join(first.isTrue(of: snippet), second.isTrue(of: snippet)) { $0 || $1 }
    }
  }

  private static func join(
    _ first: Bool?,
    _ second: Bool?,
    _ joined: (Bool, Bool) -> Bool
  ) -> Bool? {
    guard let first, let second else { return first ?? second }
    return joined(first, second)
  }

  /// Any tree, of words that stand in some texts now and then.
  static func random(
    in texts: [String],
    depth: Int = 3,
    _ random: inout SeededGenerator
  ) -> ModelQuery {
    func inner(_ random: inout SeededGenerator) -> ModelQuery {
      Self.random(in: texts, depth: depth - 1, &random)
    }
    switch random.below(depth > 0 ? 14 : 8) {
    case 0...3:
      return .words(SearchModel.part(of: texts, &random), SearchModel.field(&random))
    case 4: return .phrase(SearchModel.part(of: texts, &random), SearchModel.field(&random))
    case 5: return .tag(SearchModel.tag(&random))
    case 6:
      return random.chance(0.5) ? .pinned : .kind(random.element(of: SnippetKind.allCases))
    case 7:
      let date = SearchModel.date(&random)
      let size = Int64(random.below(30))
      return random.element(
        of: [.madeFrom(date), .madeBefore(date), .sizeFrom(size), .sizeTo(size)]
      )
    case 8, 9: return .not(inner(&random))
    case 10, 11: return .either(inner(&random), inner(&random))
    default: return .both(inner(&random), inner(&random))
    }
  }
}

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

  /// A part of a text, or any word.
  static func part(of texts: [String], _ random: inout SeededGenerator) -> String {
    guard let text = texts.randomElement(using: &random), random.chance(0.8) else {
      return word(&random)
    }
    let characters = Array(text)
    guard !characters.isEmpty else { return word(&random) }
    let start = random.below(characters.count)
    return String(characters[start..<min(characters.count, start + 1 + random.below(6))])
  }

  /// A tag that a few snippets carry.
  static func tag(_ random: inout SeededGenerator) -> String {
    random.element(of: ["Home", "two words", "レシピ", "-x", "a\"b", "OR"])
  }

  static func date(_ random: inout SeededGenerator) -> Date {
    Date(timeIntervalSince1970: Double(random.below(6) * 86_400_000 + random.below(3)) / 1000)
  }

  static func field(_ random: inout SeededGenerator) -> SearchQuery.Field? {
    random.chance(0.6) ? nil : random.element(of: SearchQuery.Field.allCases)
  }

  /// What is between blanks.
  static func words(of text: String) -> [String] {
    text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init)
  }

  /// Whether a term is in one of some texts; `nil` for one that has nothing that makes a
  /// difference.
  static func holds(_ term: String, in texts: [String]) -> Bool? {
    let term = compared(term)
    guard !term.isEmpty else { return nil }
    return texts.contains { compared($0).range(of: term, options: .literal) != nil }
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
    text.replacing("’", with: "'").precomposedStringWithCompatibilityMapping.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: nil
    )
    .precomposedStringWithCanonicalMapping
  }
}
