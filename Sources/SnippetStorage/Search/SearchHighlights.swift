import Foundation

/// Where the terms of a query stand in a text, in the text's own characters.
struct SearchHighlights {
  private let terms: [SearchText]
  private let text: String
  private var position: String.Index
  /// The words of the text so far, as ``SearchText`` makes them, each made of whole characters.
  private var words: [UInt8] = []
  /// The character of the text that each byte of the words was made of.
  private var characters: [String.Index] = []
  private var endsWord = true
  private var known: [Character: Piece] = [:]

  /// What is made of longer characters is not remembered.
  private static let usualByteCount = 64

  /// What is made of one character.
  private struct Piece {
    let bytes: [UInt8]
    /// Whether it goes on with the word before it.
    let isOfWord: Bool
  }

  init(of terms: [SearchText], in text: String) {
    self.terms = terms
    self.text = text
    position = text.startIndex
  }

  /// All places, in the order of the text, none touching another.
  static func ranges(of terms: [SearchText], in text: String) -> [Range<String.Index>] {
    var highlights = Self(of: terms, in: text)
    highlights.read(text.count)
    return highlights.found()
  }

  /// The first place, or the end of the text where there is none.
  static func firstPlace(of terms: [SearchText], in text: String) -> String.Index {
    guard !terms.isEmpty else { return text.endIndex }
    var highlights = Self(of: terms, in: text)
    // A term may have begun in what was looked at already.
    let overlap = (terms.map(\.words.utf8.count).max() ?? 1) - 1
    while highlights.position < text.endIndex {
      let start = max(0, highlights.words.count - overlap)
      highlights.read(4096)
      if let first = highlights.found(from: start).first { return first.lowerBound }
    }
    return text.endIndex
  }

  /// Takes the next characters apart.
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
      endsWord = true
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
    // To compare characters takes a time that grows with the square of their marks.
    let isUsual = character.utf8.count <= Self.usualByteCount
    if isUsual, let piece = known[character] { return piece }
    let piece = Piece(
      bytes: Array(SearchText(String(character)).words.utf8),
      // Two characters belong to one word if they do when they stand side by side.
      isOfWord: !SearchText("a\(character)").words.utf8.contains(0x20)
    )
    if isUsual { known[character] = piece }
    return piece
  }

  /// The places from a byte of the words on.
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
  /// Finds the words and phrases in a text, to highlight them; those that are excluded are not
  /// looked for.
  ///
  /// - Parameter text: A title, a preview or any other text that is short enough to be shown.
  /// - Returns: Their ranges, in the order of the text; they do not touch.
  /// - Complexity: O(*n* · *t*) for *n* characters and *t* terms.
  public func matches(in text: String) -> [Range<String.Index>] {
    let terms = wantedTexts()
    return terms.isEmpty ? [] : SearchHighlights.ranges(of: terms, in: text)
  }

  /// What may be found, in some place or in any.
  func wantedTexts(in field: Field? = nil) -> [SearchText] {
    (expression?.wantedTerms ?? []).filter { field == nil || $0.field == nil || $0.field == field }
      .map { SearchText($0.text) }
  }
}

extension [UInt8] {
  /// Adds the places of some bytes, none of which overlaps another.
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
