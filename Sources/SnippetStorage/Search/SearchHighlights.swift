import Foundation

/// Finds the terms of a query in a text, at the character positions of that text.
struct SearchHighlights {
  private let terms: [SearchText]
  private let text: String
  private var position: String.Index
  /// The words of the text so far, as ``SearchText`` makes them.
  ///
  /// Each piece comes from a whole character.
  private var words: [UInt8] = []
  /// For each byte of the words, the character of the text that it came from.
  private var characters: [String.Index] = []
  private var endsWord = true
  private var known: [Character: Piece] = [:]

  /// The pieces of longer characters are not cached.
  private static let usualByteCount = 64

  /// The part of the words that comes from one character.
  private struct Piece {
    let bytes: [UInt8]
    /// Whether it continues the word before it.
    let isOfWord: Bool
    /// Whether it ends the word before it; a soft hyphen has no bytes and does not.
    let isBlank: Bool
  }

  init(of terms: [SearchText], in text: String) {
    self.terms = terms
    self.text = text
    position = text.startIndex
  }

  /// Returns all matches in the order of the text; no two overlap.
  static func ranges(of terms: [SearchText], in text: String) -> [Range<String.Index>] {
    var highlights = Self(of: terms, in: text)
    highlights.read(text.count)
    return highlights.found()
  }

  /// Returns the start of the first match; the end of the text if there is none.
  static func firstPlace(of terms: [SearchText], in text: String) -> String.Index {
    guard !terms.isEmpty else { return text.endIndex }
    var highlights = Self(of: terms, in: text)
    // A term may begin in the part that was already searched.
    let overlap = (terms.map(\.words.utf8.count).max() ?? 1) - 1
    while highlights.position < text.endIndex {
      let start = max(0, highlights.words.count - overlap)
      highlights.read(4096)
      if let first = highlights.found(from: start).first { return first.lowerBound }
    }
    return text.endIndex
  }

  /// Splits the next characters into words.
  private mutating func read(_ count: Int) {
    for _ in 0..<count {
      guard position < text.endIndex else { return }
      add(text[position])
      position = text.index(after: position)
    }
  }

  private mutating func add(_ character: Character) {
    let piece = piece(of: character)
    guard !piece.bytes.isEmpty else {
      endsWord = endsWord || piece.isBlank
      return
    }
    if !words.isEmpty, endsWord || !piece.isOfWord {
      words.append(0x20)
      characters.append(position)
    }
    endsWord = !piece.isOfWord
    words += piece.bytes
    characters += repeatElement(position, count: piece.bytes.count)
  }

  private mutating func piece(of character: Character) -> Piece {
    // Comparing characters takes time quadratic in the number of their marks.
    let isUsual = character.utf8.count <= Self.usualByteCount
    if isUsual, let piece = known[character] { return piece }
    let piece = Piece(
      bytes: Array(SearchText(String(character)).words.utf8),
      // A character continues a word if it does so after a letter.
      isOfWord: !SearchText("a\(character)").words.utf8.contains(0x20),
      isBlank: SearchText("a\(character)a").words.utf8.contains(0x20)
    )
    if isUsual { known[character] = piece }
    return piece
  }

  /// Returns the matches from a byte of the words on.
  private func found(from first: Int = 0) -> [Range<String.Index>] {
    var places: [Range<Int>] = []
    for term in terms { words.addPlaces(of: Array(term.words.utf8), from: first, to: &places) }
    var ranges: [Range<String.Index>] = []
    for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = characters[place.lowerBound]
      let end = text.index(after: characters[place.upperBound - 1])
      if let last = ranges.last, start < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        ranges.append(start..<end)
      }
    }
    return ranges
  }
}

extension SearchQuery {
  /// Finds the words and phrases of the query in a text, to highlight them; excluded ones are
  /// ignored.
  ///
  /// - Parameter text: A title, a preview or any other text that is short enough to be shown.
  /// - Returns: The matching ranges, in the order of the text; no two overlap.
  /// - Complexity: O(*n* · *t*) for *n* characters and *t* terms.
  public func matches(in text: String) -> [Range<String.Index>] {
    let terms = wantedTexts()
    return terms.isEmpty ? [] : SearchHighlights.ranges(of: terms, in: text)
  }

  /// The terms that may match in a field; without one, all terms.
  func wantedTexts(in field: Field? = nil) -> [SearchText] {
    (expression?.wantedTerms ?? []).filter { field == nil || $0.field == nil || $0.field == field }
      .map(\.folded)
  }
}

extension [UInt8] {
  /// Adds the places where bytes occur; they do not overlap.
  fileprivate func addPlaces(of wanted: [UInt8], from first: Int, to places: inout [Range<Int>]) {
    guard let start = wanted.first else { return }
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var position = first
      while position + wanted.count <= bytes.count,
        let place = memchr(base + position, Int32(start), bytes.count - wanted.count - position + 1)
      {
        position = UnsafeRawPointer(place) - base
        if memcmp(place, wanted, wanted.count) == 0 {
          places.append(position..<position + wanted.count)
          position += wanted.count
        } else {
          position += 1
        }
      }
    }
  }
}
