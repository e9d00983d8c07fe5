extension String {
  /// Breaks this text into lines that fit into a number of columns.
  ///
  /// Lines break at spaces, which are dropped there, and between wide characters, though not before
  /// closing punctuation. A word that is too long for a line is broken between characters. Line
  /// feeds in the text break it as well; spaces at the beginning of its lines are kept. Tabs
  /// become spaces up to the next column that is a multiple of eight.
  ///
  /// - Parameter width: The columns of a line, at least 1. A character that is wider stands alone
  ///   in its line.
  /// - Returns: The lines, at least one.
  package func wrapped(toWidth width: Int) -> [String] {
    precondition(width > 0, "a line needs a column")
    return split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { line in
        var wrapping = LineWrapping(width: width)
        for piece in UnbreakablePieces(line.expandingTabs) { wrapping.append(piece) }
        return wrapping.finished()
      }
  }
}

extension Substring {
  /// This line with spaces in the place of tabs.
  fileprivate var expandingTabs: Substring {
    guard utf8.contains(0x09) else { return self }
    var (line, width) = ("", 0)
    for character in self {
      let shown =
        character == "\t" ? String(repeating: " ", count: 8 - width % 8) : String(character)
      line += shown
      width += shown.displayWidth
    }
    return line[...]
  }
}

/// The pieces of a line that stay together: words, runs of spaces, wide characters.
private struct UnbreakablePieces: Sequence, IteratorProtocol {
  /// Characters that must not begin a line.
  private static let closing: Set<Character> = [
    "、", "。", "，", "．", "！", "？", "：", "；", "」", "』", "）", "】", "〉", "》", "〕", "ー", "々",
  ]

  private var rest: Substring

  init(_ line: Substring) {
    rest = line
  }

  mutating func next() -> Substring? {
    guard let first = rest.first else { return nil }
    let end = first == " " ? rest.firstIndex { $0 != " " } : endOfWord(startingWith: first)
    let piece = rest[..<(end ?? rest.endIndex)]
    rest = rest[piece.endIndex...]
    return piece
  }

  private func endOfWord(startingWith first: Character) -> Substring.Index? {
    let second = rest.index(after: rest.startIndex)
    if breaksAround(first) { return rest[second...].firstIndex { !Self.closing.contains($0) } }
    return rest[second...].firstIndex { $0 == " " || breaksAround($0) }
  }

  private func breaksAround(_ character: Character) -> Bool {
    character.displayWidth == 2 && !Self.closing.contains(character)
  }
}

/// The lines made so far out of pieces.
private struct LineWrapping {
  let width: Int
  private var lines: [String] = []
  private var line = ""
  private var lineWidth = 0
  private var pendingSpaces: Substring = ""

  init(width: Int) {
    self.width = width
  }

  mutating func append(_ piece: Substring) {
    if piece.first == " " {
      pendingSpaces = piece
      return
    }
    let pieceWidth = piece.displayWidth
    if lineWidth + pendingSpaces.count + pieceWidth > width, !line.isEmpty { endLine() }
    line += pendingSpaces.prefix(max(0, width - 1 - lineWidth))
    lineWidth += min(pendingSpaces.count, max(0, width - 1 - lineWidth))
    pendingSpaces = ""
    for character in piece { append(character) }
  }

  func finished() -> [String] { lines + [line] }

  private mutating func append(_ character: Character) {
    let characterWidth = character.displayWidth
    if lineWidth + characterWidth > width, !line.isEmpty { endLine() }
    line.append(character)
    lineWidth += characterWidth
  }

  private mutating func endLine() {
    lines.append(line)
    line = ""
    lineWidth = 0
    pendingSpaces = ""
  }
}
