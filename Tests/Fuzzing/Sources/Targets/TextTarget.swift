import Foundation

@testable import SnippetRecognition

extension FuzzTarget {
  /// Decodes a text in every encoding, whole and in pieces, and makes its preview.
  ///
  /// The first byte chooses the encoding, the second the size of the pieces.
  static let text = FuzzTarget("text") { bytes in
    var input = FuzzBytes(bytes)
    let encodings = TextEncoding.allCases
    let encoding = encodings[Int(input.byte()) % encodings.count]
    let pieceByteCount = Int(input.byte()) + 1
    let rest = Array(input.rest)

    let whole = encoding.decode(rest)
    let inPieces = decodedInPieces(rest, encoding, pieceByteCount)
    try require(
      whole.utf8.elementsEqual(inPieces.utf8),
      "\(encoding) in pieces of \(pieceByteCount) says \(inPieces), not \(whole)"
    )
    try require(whole.unicodeScalars.count <= rest.count, "each character has a byte of its own")
    try require(
      whole.utf8.starts(with: encoding.decodePrefix(rest).utf8),
      "a beginning is one of the whole"
    )
    try requirePreview(of: whole)
    if let recognized = TextEncoding.recognized(in: Data(rest)) {
      let text = recognized.decode(rest)
      try require(
        rest.isEmpty || !text.isEmpty,
        "what is recognized as \(recognized) says something"
      )
      let again = TextEncoding.utf8.decode(Array(text.utf8))
      try require(
        text.hasPrefix("\u{FEFF}") || again.utf8.elementsEqual(text.utf8),
        "what was decoded is UTF-8"
      )
    }
  }

  private static func decodedInPieces(
    _ bytes: [UInt8],
    _ encoding: TextEncoding,
    _ pieceByteCount: Int
  ) -> String {
    var decoder = TextDecoder(encoding)
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
      let piece = bytes[start..<min(bytes.count, start + pieceByteCount)]
      text += piece.withUnsafeBufferPointer { decoder.decode($0, isLast: false) }
    }
    return text + decoder.finish()
  }

  private static func requirePreview(of text: String) throws(BrokenRule) {
    let beginning = TextPreview(of: text)
    for (words, limit) in [(beginning.preview, 200), (beginning.title, 80)] {
      let name = words.debugDescription
      try require(words.count <= limit, "at most \(limit) characters: \(name)")
      try require(words.unicodeScalars.count < 1000, "less than 1,000 code points: \(name)")
      try require(!words.contains { $0.isNewline }, "one line: \(name)")
      // By code points: a blank with a mark behind it is another character to Swift.
      let scalars = Array(words.unicodeScalars)
      try require(
        scalars.allSatisfy { $0 == " " || !$0.properties.isWhitespace }
          && !zip(scalars, scalars.dropFirst()).contains { $0 == " " && $1 == " " },
        "white space is one blank: \(name)"
      )
    }
    let folded = text.foldingWhiteSpace()
    try require(folded.foldingWhiteSpace() == folded, "folding twice changes nothing")
  }
}
