@testable import SnippetStorage

extension FuzzTarget {
  /// Folds a text in pieces, as in one.
  ///
  /// The first byte says how far into a piece the text begins.
  static let folding = FuzzTarget("folding") { bytes in
    var input = FuzzBytes(bytes)
    let letters = String(repeating: "a", count: 256 - Int(input.byte()))
    let text = letters + input.text()

    let pieces = Array(TextFolding(text))

    // Each is looked at once: composing takes a time that grows with the square of the length.
    let longest = pieces.map(\.unicodeScalars.count).max() ?? 0
    try require(longest <= 18 * 1024 + 256, "a piece has \(longest) code points")
    guard isUsual(text) else { return }
    let (inPieces, inOne) = (pieces.joined(), TextFolding.folded(text))
    try require(
      inPieces.utf8.elementsEqual(inOne.utf8),
      "in pieces \(inPieces.debugDescription), in one \(inOne.debugDescription)"
    )
  }

  /// Whether a text has a place to cut in time, as any that somebody writes.
  private static func isUsual(_ text: String) -> Bool {
    var (markCount, joinedCount) = (0, 0)
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      markCount = properties.canonicalCombiningClass == .notReordered ? 0 : markCount + 1
      joinedCount = scalar.isASCII ? 0 : joinedCount + 1
      if markCount > 32 || joinedCount > 512 { return false }
    }
    return true
  }
}
