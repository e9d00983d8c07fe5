/// Checks, piece by piece, whether a text is in an East Asian encoding.
struct MultiByteCheck<Decoder: CharacterDecoder> {
  /// The encoding to check for.
  let encoding: TextEncoding
  /// Whether the bytes so far are valid in that encoding.
  private(set) var isWellFormed = true
  /// The decoder in its present state.
  private(set) var decoder: Decoder
  /// The number of characters beyond ASCII.
  private(set) var characterCount = 0
  /// The number of those that are common in the encoding's language.
  private(set) var commonCount = 0

  private let commonCharacters: Set<Unicode.Scalar>
  // The beginning of a character that is split between pieces.
  private var rest: [UInt8] = []

  /// Starts a check.
  init(_ encoding: TextEncoding, _ decoder: Decoder) {
    self.encoding = encoding
    self.decoder = decoder
    commonCharacters = CommonCharacters.characters(of: encoding)
  }

  /// Whether the bytes so far end between two characters.
  var isComplete: Bool { rest.isEmpty }

  /// Checks the next piece.
  mutating func check(_ piece: UnsafeBufferPointer<UInt8>) {
    guard isWellFormed else { return }
    guard !rest.isEmpty else { return checkWhole(piece) }
    let joined = rest + piece
    joined.withUnsafeBufferPointer { checkWhole($0) }
  }

  private mutating func checkWhole(_ bytes: UnsafeBufferPointer<UInt8>) {
    rest = []
    var index = 0
    while index < bytes.count {
      switch decoder.next(in: bytes, at: index) {
      case .scalar(let scalar, let byteCount):
        guard TextCharacters.areAllowed(scalar) else { return isWellFormed = false }
        if scalar.value >= 0x80 {
          characterCount += 1
          if commonCharacters.contains(scalar) { commonCount += 1 }
        }
        index += byteCount
      case .control(let byteCount):
        index += byteCount
      case .malformed:
        return isWellFormed = false
      case .incomplete:
        rest = Array(bytes[index...])
        return
      }
    }
  }
}
