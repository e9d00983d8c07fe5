@testable import TerminalKit

extension FuzzTarget {
  /// Takes apart what a terminal sends, in whatever pieces it comes.
  ///
  /// The first byte is the size of the pieces.
  static let keys = FuzzTarget("keys") { bytes in
    var input = FuzzBytes(bytes)
    let pieceByteCount = Int(input.byte()) + 1
    let rest = Array(input.rest)

    var decoder = KeyDecoder()
    let atOnce = decoder.decode(rest) + decoder.decodeRest()
    var other = KeyDecoder()
    var inPieces: [TerminalEvent] = []
    for start in stride(from: 0, to: rest.count, by: pieceByteCount) {
      inPieces += other.decode(rest[start..<min(rest.count, start + pieceByteCount)])
    }
    inPieces += other.decodeRest()

    try require(atOnce == inPieces, "in pieces of \(pieceByteCount): \(inPieces), not \(atOnce)")
    try require(atOnce.count <= rest.count, "a byte is one event at most")
    for case .paste(let text) in atOnce {
      try require(text.unicodeScalars.count <= 1 << 16, "a paste is bounded")
    }
  }
}
