extension String {
  /// Breaks the text into lines that fit into a number of columns.
  ///
  /// Lines break at spaces, which are dropped, and between wide characters, but not before closing
  /// punctuation. A word too long for a line is broken between characters. Line feeds also break
  /// the text; spaces at the beginning of its lines are kept. Tabs become spaces up to the next
  /// multiple of eight columns.
  ///
  /// - Parameter width: The columns of a line, at least 1. A character that is wider gets a line of
  ///   its own.
  /// - Returns: The lines, at least one.
  package func wrapped(toWidth width: Int) -> [String] {
    wrappedLines(toWidth: width).map(\.text)
  }

  /// Breaks the text into the same lines, which know their position in the text.
  ///
  /// - Parameters:
  ///   - width: The columns of a line, at least 1.
  ///   - limit: The most lines. The default is as many as the text has.
  /// - Returns: The lines, at least one unless the limit is 0.
  /// - Complexity: O(*n*), where *n* is the length of the returned lines and, without its wrapping,
  ///   of the paragraph in which they end.
  package func wrappedLines(toWidth width: Int, limit: Int = .max) -> [WrappedLine] {
    precondition(width > 0, "a line needs a column")
    var lines: [WrappedLine] = []
    var offset = 0
    var rest = self[...]
    while lines.count < limit {
      let line = rest.prefix { $0 != "\n" }
      var wrapping = LineWrapping(width: width, offset: offset)
      for piece in UnbreakablePieces(line) {
        guard lines.count + wrapping.endedCount < limit else { break }
        wrapping.append(piece)
      }
      lines += wrapping.finished().prefix(limit - lines.count)
      guard line.endIndex < rest.endIndex else { break }
      offset += line.utf8.count + 1
      rest = rest[rest.index(after: line.endIndex)...]
    }
    return lines
  }
}

extension Character {
  /// Whether a line may break at this character, which is then dropped.
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

/// A part that stays in one line: a word, a run of blanks, a wide character.
private struct UnbreakablePiece {
  let text: Substring
  let isBlank: Bool
  /// Its width in columns.
  let width: Int
}

/// The pieces of a line.
private struct UnbreakablePieces: Sequence, IteratorProtocol {
  /// Characters that must not begin a line.
  private static let closing: Set<Character> = [
    "、", "。", "，", "．", "！", "？", "：", "；", "」", "』", "）", "】", "〉", "》", "〕", "ー", "々",
  ]

  private var rest: Substring
  /// The column before the next piece, as if the line were never broken.
  private var column = 0

  init(_ line: Substring) {
    rest = line
  }

  mutating func next() -> UnbreakablePiece? {
    guard let first = rest.first else { return nil }
    let end = first.isBlank ? rest.firstIndex { !$0.isBlank } : endOfWord(startingWith: first)
    let text = rest[..<(end ?? rest.endIndex)]
    let width = first.isBlank ? blankWidth(text) : text.displayWidth
    rest = rest[text.endIndex...]
    column += width
    return UnbreakablePiece(text: text, isBlank: first.isBlank, width: width)
  }

  private func blankWidth(_ blanks: Substring) -> Int {
    blanks.utf8.reduce(0) { $0 + ($1 == 0x09 ? 8 - (column + $0) % 8 : 1) }
  }

  private func endOfWord(startingWith first: Character) -> Substring.Index? {
    let second = rest.index(after: rest.startIndex)
    if breaksAround(first) { return rest[second...].firstIndex { !Self.closing.contains($0) } }
    return rest[second...].firstIndex { $0.isBlank || breaksAround($0) }
  }

  private func breaksAround(_ character: Character) -> Bool {
    character.displayWidth == 2 && !Self.closing.contains(character)
  }
}

/// The lines made so far from pieces.
private struct LineWrapping {
  let width: Int
  /// The position of the next piece in the whole text.
  private var offset: Int
  private var lines: [WrappedLine] = []
  private var line = WrappedLine()
  private var lineWidth = 0
  /// The blanks before the next piece, with their position.
  private var pending: (piece: UnbreakablePiece, offset: Int)?

  init(width: Int, offset: Int) {
    self.width = width
    self.offset = offset
  }

  mutating func append(_ piece: UnbreakablePiece) {
    defer { offset += piece.text.utf8.count }
    if piece.isBlank {
      pending = (piece, offset)
      return
    }
    if lineWidth + (pending?.piece.width ?? 0) + piece.width > width, !line.isEmpty { endLine() }
    appendPending()
    if lineWidth + piece.width <= width {
      line.append(piece.text, from: offset)
      lineWidth += piece.width
    } else {
      appendCharacters(of: piece.text)
    }
  }

  /// The number of complete lines.
  var endedCount: Int { lines.count }

  func finished() -> [WrappedLine] { lines + [line] }

  /// Adds the blanks before a piece, but never so many that nothing fits after them.
  private mutating func appendPending() {
    guard let blanks = pending else { return }
    pending = nil
    let count = min(blanks.piece.width, max(0, width - 1 - lineWidth))
    line.append(spaces: count, for: blanks.offset..<blanks.offset + blanks.piece.text.utf8.count)
    lineWidth += count
  }

  private mutating func appendCharacters(of word: Substring) {
    var offset = offset
    for character in word {
      let characterWidth = character.displayWidth
      if lineWidth + characterWidth > width, !line.isEmpty { endLine() }
      line.append(String(character), from: offset)
      lineWidth += characterWidth
      offset += character.utf8.count
    }
  }

  private mutating func endLine() {
    lines.append(line)
    line = WrappedLine()
    lineWidth = 0
    pending = nil
  }
}
