/// Checks, piece by piece, whether a text is in an East Asian encoding.
struct MultiByteCheck<Decoder: CharacterDecoder> {
  /// The encoding to check for.
  let encoding: TextEncoding
  /// Whether the bytes so far are valid in that encoding, or as good as that if it is tolerant.
  private(set) var isWellFormed = true
  /// The decoder in its present state.
  private(set) var decoder: Decoder
  /// The number of characters beyond ASCII.
  private(set) var characterCount = 0
  /// The number of those that are common in the encoding's language.
  private(set) var commonCount = 0
  /// The number of other characters that are everyday ones.
  private(set) var everydayCount = 0
  /// The number of characters whose second byte alone would be ASCII.
  private(set) var plainTrailCount = 0

  // A tolerant check accepts one malformed sequence for this many characters, and a single one in a
  // short text that has some common ones.
  private static var charactersPerMalformed: Int { 16 }
  private static var sufficientCommonCount: Int { 4 }

  private let commonCharacters: Set<Unicode.Scalar>
  private let isTolerant: Bool
  private var malformedCount = 0
  // The beginning of a character that is split between pieces.
  private var rest: [UInt8] = []

  /// Starts a check; a tolerant one accepts a text with some malformed bytes.
  init(_ encoding: TextEncoding, _ decoder: Decoder, isTolerant: Bool = false) {
    self.encoding = encoding
    self.isTolerant = isTolerant
    self.decoder = decoder
    commonCharacters = CommonCharacters.characters(of: encoding)
  }

  /// Whether malformed bytes are few enough.
  var isMostlyWellFormed: Bool {
    let isShort = malformedCount == 1 && commonCount >= Self.sufficientCommonCount
    return isWellFormed
      && (isShort || malformedCount * Self.charactersPerMalformed <= characterCount)
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
        if scalar.value >= 0x80 { count(scalar, bytes[index..<index + byteCount]) }
        index += byteCount
      case .control(let byteCount):
        index += byteCount
      case .malformed(let byteCount):
        guard isTolerant else { return isWellFormed = false }
        malformedCount += 1
        index += byteCount
      case .incomplete:
        rest = Array(bytes[index...])
        return
      }
    }
  }

  private mutating func count(_ scalar: Unicode.Scalar, _ bytes: Slice<UnsafeBufferPointer<UInt8>>)
  {
    characterCount += 1
    let isCommon = commonCharacters.contains(scalar)
    if isCommon { commonCount += 1 }
    guard bytes.count == 2 else { return }
    let (lead, trail) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
    if trail < 0x80 { plainTrailCount += 1 }
    if !isCommon, encoding.isEveryday(lead, trail) { everydayCount += 1 }
  }
}
