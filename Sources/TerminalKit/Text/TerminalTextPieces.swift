import SnippetBase

/// A ``TerminalText`` with its lines kept, made in pieces that may be cut anywhere.
///
/// The results, one after the other, are the terminal text of the whole.
package struct TerminalTextPieces {
  private var writer = TerminalTextWriter(lines: .kept)
  /// A piece that cannot be written before the next one is known.
  private var waiting: UTF8Pieces.Piece?
  /// The beginning of a character whose end has not arrived.
  private var cutBytes: [UInt8] = []

  /// Whether the last result ended a line.
  package private(set) var endsLine = false

  package init() {}

  /// Makes the next piece of a text visible.
  ///
  /// - Parameter piece: The next piece.
  /// - Returns: The text that is safe to print so far.
  package mutating func next(_ piece: String) -> String {
    if let first = piece.unicodeScalars.first, let last = piece.unicodeScalars.last,
      piece.utf8.allSatisfy(Self.isPlain)
    {
      // Most texts contain nothing else, and each scalar need not be checked.
      take(.scalar(first))
      writer.append(plain: piece.dropLast())
      waiting = .scalar(last)
    } else {
      for scalar in piece.unicodeScalars { take(.scalar(scalar)) }
    }
    return takeText()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) || byte == 0x0A || byte == 0x09
  }

  /// Makes the next bytes visible, which should be UTF-8 but may not be.
  ///
  /// - Parameter piece: The next bytes.
  /// - Returns: The text that is safe to print so far.
  package mutating func next(bytes piece: some Sequence<UInt8>) -> String {
    cutBytes += piece
    let cut = cutBytes.suffix(cutBytes.cutUTF8ByteCount)
    take(bytes: cutBytes.dropLast(cut.count))
    cutBytes = Array(cut)
    return takeText()
  }

  /// Makes the rest visible, which was waiting for more.
  package mutating func finish() -> String {
    take(bytes: cutBytes)
    cutBytes = []
    take(nil)
    return takeText()
  }

  private mutating func take(bytes: some Sequence<UInt8>) {
    var pieces = UTF8Pieces(bytes)
    while let piece = pieces.next() { take(piece) }
  }

  private mutating func take(_ piece: UTF8Pieces.Piece?) {
    switch waiting {
    case .scalar(let scalar): writer.append(scalar, before: piece?.scalar)
    case .invalid(let byte): writer.append(invalid: byte)
    case nil: break
    }
    waiting = piece
  }

  private mutating func takeText() -> String {
    let text = writer.takeText()
    if let last = text.unicodeScalars.last { endsLine = last == "\n" }
    return text
  }
}
