/// Judges, piece by piece, a text with some irregular bytes: not UTF-8, or control characters foreign
/// to texts.
///
/// Such bytes come from a log that a power failure has cut, a pasted line in another encoding, or an
/// editor of DOS, which marked the end. Each costs one character, not the text. Lines of UTF-16, which
/// PowerShell appends to any log, are one irregularity.
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
  // The longest form that a character ever had in UTF-8; a run of malformed bytes may be one.
  private static let longestFormByteCount = 6

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
  private var characterBytes: UInt32 = 0
  /// The number of bytes that still belong to a form which Unicode does not allow.
  private var disallowedByteCount = 0
  // Well-formed characters that are hardly there by chance, and the places with malformed bytes.
  private var evidentCount = 0
  private var malformedPlaceCount = 0
  private var run = WideRun()
  private var units = UnitRun()
  /// The counts at the first of the present units, each irregular until there are enough of them.
  private var countsAtUnits = (controlRuns: 0, controlBytes: 0, malformed: 0, malformedPlaces: 0)

  /// Whether the bytes so far may be a text.
  var mayBeText: Bool {
    let limit = max(Self.minimumControlRunLimit, byteCount / Self.bytesPerControlRun)
    return beginsAsText && controlRunCount <= limit + UnitRun.minimumCount
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
  ///
  /// In East Asian ones, a byte ED before a full stop, or before another letter, looks like a
  /// surrogate.
  var mayBeOlder: Bool {
    hasFewControls && malformedCount > wellFormedCount + surrogateCount && !isEvidentlyUTF8
      && byteCount - paddingCount >= Self.minimumOlderByteCount
  }

  /// The encoding of everything checked; `nil` if it is not mostly UTF-8.
  var encoding: TextEncoding? {
    let count = byteCount - paddingCount
    let malformed = malformedCount + (missingByteCount > 0 ? 1 : 0)
    guard hasFewControls else { return nil }
    if surrogateCount > 0, malformed == 0 { return .cesu8 }
    let isMostlyUTF8 =
      malformed <= wellFormedCount || malformed * Self.malformedShare <= count || isEvidentlyUTF8
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
    encoding != nil && surrogateCount == 0
      && (isEvidentlyUTF8 || wellFormedCount > 0 && wellFormedCount >= 2 * malformedCount)
  }

  /// Whether characters that are hardly there by chance are at least as many as the places with
  /// malformed bytes.
  private var isEvidentlyUTF8: Bool {
    let evident = evidentCount + run.evidentCount(beforeLetter: false)
    return evident > 0 && evident >= malformedPlaceCount + (missingByteCount > 0 ? 1 : 0)
  }

  /// Checks the next piece.
  mutating func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      check(byte)
      checkUnit(byte)
    }
  }

  /// Counts a run of units as one irregularity.
  private mutating func checkUnit(_ byte: UInt8) {
    guard units.endsUnit(byte) else { return }
    if units.count == 1 {
      countsAtUnits = (controlRunCount, controlByteCount, malformedCount, malformedPlaceCount)
    }
    guard units.count >= UnitRun.minimumCount else { return }
    (controlRunCount, controlByteCount, malformedCount, malformedPlaceCount) = countsAtUnits
    endControlRun()
  }

  private mutating func check(_ byte: UInt8) {
    if !isInControlRun || runByteCount < Self.countedBytesPerRun { byteCount += 1 }
    let isTrail = byte & 0xC0 == 0x80
    if disallowedByteCount > 0 {
      disallowedByteCount = isTrail ? disallowedByteCount - 1 : 0
      if isTrail { return }
    }
    if missingByteCount > 0 {
      if nextRange.contains(byte) {
        continueCharacter(byte)
        return
      }
      countMalformed()
      // A character in more bytes than it needs, or beyond those of Unicode, is one mistake.
      disallowedByteCount = isTrail ? missingByteCount - 1 : 0
      missingByteCount = 0
      if isTrail { return }
    }
    if byte >= 0x80 {
      begin(byte)
      endControlRun()
      return
    }
    endRun(before: byte)
    if TextCharacters.areAllowed(byte) {
      endControlRun()
    } else {
      countControl(byte)
    }
  }

  private mutating func countMalformed() {
    malformedCount += 1
    if run.malformedCount % Self.longestFormByteCount == 0 { malformedPlaceCount += 1 }
    run.malformedCount += 1
  }

  private mutating func endRun(before byte: UInt8) {
    let isLetter = (0x61...0x7A).contains(byte | 0x20)
    evidentCount += run.evidentCount(beforeLetter: isLetter)
    run = WideRun(isAfterLetter: isLetter)
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
    characterBytes = characterBytes << 8 | UInt32(byte)
    guard missingByteCount == 0 else { return }
    switch characterBytes {
    case 0xC2A0...0xC2BF: run.signCount += 1
    // The letters of languages in Latin script.
    case 0xC380...0xC5BF, 0xE1B880...0xE1BBBF: run.letterCount += 1
    // Punctuation and signs such as “ and €, and pictures. In other encodings, such bytes are those
    // of no word.
    case 0xE28080...0xE284BF, 0xF09F8080...0xF09FBFBF: evidentCount += 1
    default: break
    }
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
      countMalformed()
      disallowedByteCount = Self.disallowedByteCount(behind: lead)
      return
    }
    characterBytes = UInt32(lead)
    missingByteCount = sequence.missingByteCount
    nextRange = isSurrogate ? 0x80...0xBF : sequence.nextRange
  }

  /// Returns the number of bytes that followed a lead byte before UTF-8 ended at four bytes.
  private static func disallowedByteCount(behind lead: UInt8) -> Int {
    switch lead {
    case 0xF5...0xF7: 3
    case 0xF8...0xFB: 4
    case 0xFC...0xFD: 5
    default: 0
    }
  }
}

/// The bytes beyond ASCII between two characters of ASCII.
private struct WideRun {
  /// Whether a letter of ASCII comes before.
  var isAfterLetter = false
  /// The number of well-formed Latin letters.
  var letterCount = 0
  /// The number of well-formed signs, such as ° and ».
  var signCount = 0
  /// The number of malformed bytes.
  var malformedCount = 0

  /// Returns the number of characters that are hardly there by chance.
  ///
  /// As letters of another encoding, the same bytes would touch no letter of ASCII, or be beside
  /// others.
  func evidentCount(beforeLetter isBeforeLetter: Bool) -> Int {
    guard malformedCount == 0 else { return 0 }
    return signCount + (isAfterLetter || isBeforeLetter ? letterCount : 0)
  }
}

/// A run of units of UTF-16 in Latin, Greek or Cyrillic letters, among the bytes of another text.
private struct UnitRun {
  /// Fewer units may be there by chance.
  static let minimumCount = 8

  /// The number of units in a row up to the last byte.
  private(set) var count = 0
  private var last: UInt8 = 0
  private var byteCountBehind = 0

  /// Reads the next byte, and tells whether it ends a unit.
  mutating func endsUnit(_ byte: UInt8) -> Bool {
    defer { last = byte }
    byteCountBehind += 1
    if byteCountBehind > 2 { count = 0 }
    // The second byte of a unit and the first of the next one may look like a unit themselves.
    guard Self.isUnit(last, byte), byteCountBehind > 1 || count == 0 else { return false }
    byteCountBehind = 0
    count += 1
    return true
  }

  private static func isUnit(_ low: UInt8, _ high: UInt8) -> Bool {
    switch high {
    case 0: low >= 0xA0 || low < 0x80 && TextCharacters.areAllowed(low)
    case 3: low >= 0x80
    case 4: low < 0x60
    // Dashes and quotes.
    case 0x20: (0x10...0x1F).contains(low)
    default: false
    }
  }
}
