/// Judges, piece by piece, a text with some irregular bytes: not UTF-8, or control characters foreign
/// to texts.
///
/// Such bytes come from a log that a power failure has cut, a pasted line in another encoding, or an
/// editor of DOS, which marked the end. Each costs one character, not the text.
struct IrregularTextCheck {
  // For each irregular run of control characters a text has this many bytes, or it has few in all.
  private static let bytesPerControlRun = 256
  private static let minimumControlRunLimit = 2
  // Shorter ones are more likely the beginning of something else.
  private static let minimumOlderByteCount = 16
  // The most bytes of a run that count: a block of zeros is one gap.
  private static let countedBytesPerRun = 16
  // Malformed bytes are at most this share of the text, unless as many characters are well-formed.
  private static let malformedShare = 20

  private var byteCount = 0
  private var wellFormedCount = 0
  private var malformedCount = 0
  private var surrogateCount = 0
  private var controlByteCount = 0
  private var controlRunCount = 0
  private var isInControlRun = false
  private var runByteCount = 0
  /// The counted length of the run of NUL and end marks at the present end; it may be padding.
  private var paddingCount = 0
  private var beginsAsText = true
  // The character that is being read.
  private var missingByteCount = 0
  private var nextRange: ClosedRange<UInt8> = 0x80...0xBF
  private var isSurrogate = false

  /// Whether the bytes so far may be a text.
  var mayBeText: Bool {
    let limit = max(Self.minimumControlRunLimit, byteCount / Self.bytesPerControlRun)
    return beginsAsText && controlRunCount <= limit + 1
  }

  /// Whether everything checked has few enough control characters for a text, in any encoding.
  var hasFewControls: Bool {
    // Padding is one irregularity, however long.
    let runCount = controlRunCount - (paddingCount > 0 ? 1 : 0)
    let controls = controlByteCount - paddingCount
    let count = byteCount - paddingCount
    return beginsAsText && count > 0 && controls * 3 <= count
      && runCount <= max(Self.minimumControlRunLimit, count / Self.bytesPerControlRun)
  }

  /// Whether another encoding than UTF-8 is more likely, and the text is long enough to tell.
  var mayBeOlder: Bool {
    hasFewControls && malformedCount > wellFormedCount && surrogateCount == 0
      && byteCount - paddingCount >= Self.minimumOlderByteCount
  }

  /// The encoding of everything checked; `nil` if it is not mostly UTF-8.
  var encoding: TextEncoding? {
    let count = byteCount - paddingCount
    let malformed = malformedCount + (missingByteCount > 0 ? 1 : 0)
    guard hasFewControls else { return nil }
    if surrogateCount > 0, malformed == 0 { return .cesu8 }
    let isMostlyUTF8 = malformed <= wellFormedCount || malformed * Self.malformedShare <= count
    return isMostlyUTF8 ? .utf8 : nil
  }

  /// Whether everything checked is a regular text in CESU-8, which a cut may end anywhere.
  func isCESU8(isCut: Bool) -> Bool {
    let isPending = isCut && missingByteCount > 0
    return controlByteCount == 0 && malformedCount == 0 && (missingByteCount == 0 || isCut)
      && (surrogateCount > 0 || isPending && isSurrogate)
  }

  /// Whether well-formed characters are so many beside malformed bytes that no other encoding comes
  /// into question: in one, few would be there by chance.
  var isCertainlyUTF8: Bool {
    encoding != nil && surrogateCount == 0 && wellFormedCount >= 2 * malformedCount
      && wellFormedCount > 0
  }

  /// Checks the next piece.
  mutating func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { check(byte) }
  }

  private mutating func check(_ byte: UInt8) {
    if !isInControlRun || runByteCount < Self.countedBytesPerRun { byteCount += 1 }
    if missingByteCount > 0 {
      if nextRange.contains(byte) {
        continueCharacter(byte)
        return
      }
      malformedCount += 1
      missingByteCount = 0
    }
    if byte >= 0x80 {
      begin(byte)
      endControlRun()
    } else if TextCharacters.areAllowed(byte) {
      endControlRun()
    } else {
      countControl(byte)
    }
  }

  private mutating func endControlRun() {
    isInControlRun = false
    paddingCount = 0
  }

  private mutating func countControl(_ byte: UInt8) {
    if controlByteCount == 0, byteCount == 1 { beginsAsText = false }
    let isPadding = byte == 0 || byte == 0x1A
    if !isInControlRun {
      controlRunCount += 1
      isInControlRun = true
      runByteCount = 0
      paddingCount = isPadding ? 1 : 0
    } else if !isPadding {
      paddingCount = 0
    } else if paddingCount > 0, runByteCount < Self.countedBytesPerRun {
      paddingCount += 1
    }
    guard runByteCount < Self.countedBytesPerRun else { return }
    runByteCount += 1
    controlByteCount += 1
  }

  private mutating func continueCharacter(_ byte: UInt8) {
    if isSurrogate, nextRange == 0x80...0xBF, missingByteCount == 2, byte < 0xA0 {
      isSurrogate = false
    }
    missingByteCount -= 1
    nextRange = 0x80...0xBF
    guard missingByteCount == 0 else { return }
    if isSurrogate {
      surrogateCount += 1
      isSurrogate = false
    } else {
      wellFormedCount += 1
    }
  }

  private mutating func begin(_ lead: UInt8) {
    isSurrogate = lead == 0xED
    guard let sequence = UTF8Check.sequence(lead) else {
      malformedCount += 1
      return
    }
    missingByteCount = sequence.missingByteCount
    nextRange = isSurrogate ? 0x80...0xBF : sequence.nextRange
  }
}
