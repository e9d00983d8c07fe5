import SnippetBase

/// Recognizes whether bytes are text, and in which encoding.
///
/// All bytes are read, in pieces, and judged. A text that is not Unicode is read a second time, and
/// only counts as text if its encoding can be recognized from its content.
enum TextEncodingDetector {
  private static let pieceByteCount = 1 << 18
  // Most files that are not text reveal it at once.
  private static let firstPieceByteCount = 1 << 12
  // The bytes of a few ideographs, such as 你好, may all look like ASCII.
  private static let minimumFalselyMarkedByteCount = 32

  /// Detects the encoding of a text or, if it is cut, of its beginning, which may end anywhere.
  ///
  /// It takes constant memory. It is `nil` if the bytes are not text or their encoding cannot be
  /// recognized.
  static func encoding(
    of source: any ByteSource,
    isCut: Bool = false
  ) throws -> TextEncoding? {
    let head = try source.bytes(at: 0, count: firstPieceByteCount)
    // UTF-32 consists of whole units.
    let mayBeUTF32 = isCut || source.byteCount % 4 == 0
    if let marked = markedEncoding(head, mayBeUTF32: mayBeUTF32) {
      guard marked != .utf8 else {
        // A mark alone is not a text.
        let isText = try source.byteCount > 3 && narrowEncoding(of: source, isCut: isCut) == .utf8
        return isText ? .utf8 : nil
      }
      guard try !isFalselyMarked(source) else { return nil }
      return try wideEncoding(of: source, among: [marked], isCut: isCut) { _ in true }
    }
    // Only texts with units of several bytes contain zeros.
    guard head.contains(0) else { return try narrowEncoding(of: source, isCut: isCut) }
    guard isCut || source.byteCount % 2 == 0 else { return nil }
    var encodings: [TextEncoding] = [.utf16LittleEndian, .utf16BigEndian]
    if mayBeUTF32 { encodings += [.utf32LittleEndian, .utf32BigEndian] }
    return try wideEncoding(of: source, among: encodings, isCut: isCut) {
      $0.profile.isThatOfText
    }
  }

  private static func markedEncoding(_ head: [UInt8], mayBeUTF32: Bool) -> TextEncoding? {
    if head.starts(with: ByteOrderMark.utf8) { return .utf8 }
    if mayBeUTF32 {
      if head.starts(with: [0xFF, 0xFE, 0, 0]) { return .utf32LittleEndian }
      if head.starts(with: [0, 0, 0xFE, 0xFF]) { return .utf32BigEndian }
    }
    if head.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
    if head.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
    return nil
  }

  private static func wideEncoding(
    of source: any ByteSource,
    among encodings: [TextEncoding],
    isCut: Bool,
    where isText: (WideUnicodeCheck) -> Bool
  ) throws -> TextEncoding? {
    var checks = encodings.map(WideUnicodeCheck.init)
    try forEachPiece(of: source) { piece in
      for index in checks.indices { checks[index].check(piece) }
      return checks.contains { $0.isWellFormed }
    }
    let passed = checks.filter {
      $0.isWellFormed && $0.profile.characterCount > 0 && (isCut || $0.isComplete) && isText($0)
    }
    return passed.count == 1 ? passed.first?.encoding : nil
  }

  private static func narrowEncoding(
    of source: any ByteSource,
    isCut: Bool
  ) throws -> TextEncoding? {
    var utf8 = UTF8Check()
    var iso2022JP = MultiByteCheck(.iso2022JP, ISO2022JPDecoder())
    var hasEscape = false
    try forEachPiece(of: source) { piece in
      utf8.check(piece)
      hasEscape = hasEscape || piece.contains(0x1B)
      // Until the first escape sequence it looks like ASCII.
      if hasEscape, utf8.characterCount == 0 { iso2022JP.check(piece) }
      return utf8.verdict == .wellFormed
    }
    switch utf8.verdict {
    // The end of a text may be missing, but then other characters must have shown the encoding.
    case .wellFormed where !isCut && !utf8.isComplete && utf8.characterCount == 0, .malformed:
      return try olderEncoding(of: source, isCut: isCut)
    case .wellFormed:
      let isFinished = iso2022JP.isComplete && iso2022JP.decoder.isAmongLetters
      let isJapanese =
        iso2022JP.isWellFormed && iso2022JP.characterCount > 0 && (isCut || isFinished)
      return isJapanese && utf8.characterCount == 0 ? .iso2022JP : .utf8
    case .binary:
      return nil
    }
  }

  /// Detects the encoding of a few words; `nil` if they may well be in another one too.
  static func certainEncoding(of words: [UInt8]) -> TextEncoding? {
    // Bytes in memory can always be read.
    guard let encoding = try? Self.encoding(of: MemoryBytes(words)) else { return nil }
    var check = OlderEncodingCheck()
    words.withUnsafeBufferPointer { check.check($0) }
    return check.isCertain(encoding) ? encoding : nil
  }

  /// Whether a text in an encoding by all signs is so for certain, and reads in the order of its
  /// letters; a long one that is not Hebrew does.
  static func isCertain(_ encoding: TextEncoding, of source: any ByteSource) throws -> Bool {
    let isShort = source.byteCount <= firstPieceByteCount
    guard isShort || OldSpelling.mayBeVisual(encoding) else { return true }
    let text = try source.bytes(at: 0, count: firstPieceByteCount)
    var check = OlderEncodingCheck()
    text.withUnsafeBufferPointer { check.check($0) }
    return !check.isVisual(in: encoding) && (!isShort || check.isCertain(encoding))
  }

  /// Detects the encoding of a text in which some bytes are irregular: UTF-8, an older one or, if a
  /// mark or the zeros of its Latin letters tell, or half a unit at the end is all, UTF-16.
  ///
  /// Of a text that several older encodings make sense of, this is the likeliest.
  ///
  /// Use it only for bytes that are nothing else. It is `nil` if they are not text.
  static func irregularEncoding(of source: any ByteSource) throws -> TextEncoding? {
    let head = try source.bytes(at: 0, count: firstPieceByteCount)
    let isMarked = head.starts(with: ByteOrderMark.utf8)
    let told = isMarked ? nil : markedEncoding(head, mayBeUTF32: false) ?? latinUTF16(head)
    if let wide = try told ?? (isMarked ? nil : cutUTF16(head, of: source)) {
      guard try !isFalselyMarked(source) else { return .utf8 }
      var check = IrregularWideCheck(isBigEndian: wide == .utf16BigEndian)
      try forEachPiece(of: source) { piece in
        check.check(piece)
        return true
      }
      return check.isText ? wide : nil
    }
    // A mark alone is not a text.
    guard source.byteCount > 3 || !isMarked else { return nil }
    let check = try irregularCheck(of: source)
    let marked: TextEncoding? = isMarked && check.hasFewControls ? .utf8 : nil
    guard check.mayBeOlder else { return check.encoding ?? marked }
    var older = OlderEncodingCheck(isTolerant: true)
    try forEachPiece(of: source) { piece in
      older.check(piece)
      return true
    }
    if let found = older.encoding(isCut: true) ?? check.encoding ?? older.guess() { return found }
    return try encodingBesideUTF8(of: source) ?? marked
  }

  /// Detects the older encoding of a text into which some UTF-8 was pasted; `nil` if it makes no sense
  /// in any.
  private static func encodingBesideUTF8(of source: any ByteSource) throws -> TextEncoding? {
    var check = OlderEncodingCheck(isTolerant: true)
    var filter = UTF8Filter()
    try forEachPiece(of: source) { piece in
      filter.rest(of: piece).withUnsafeBufferPointer { check.check($0) }
      return true
    }
    if let encoding = check.encoding(isCut: true) { return encoding }
    // Halves of other characters may be missing too, so that a guess would make Thai Chinese.
    let guess = check.guess()
    return guess.flatMap { TextEncoding.singleByteEncodings.contains($0) ? $0 : nil }
  }

  /// Detects UTF-16 in any letters, without a mark, that ends within a unit.
  private static func cutUTF16(
    _ head: [UInt8],
    of source: any ByteSource
  ) throws -> TextEncoding? {
    guard source.byteCount % 2 == 1, head.contains(0) else { return nil }
    let encodings: [TextEncoding] = [.utf16LittleEndian, .utf16BigEndian]
    return try wideEncoding(of: source, among: encodings, isCut: true) {
      $0.profile.isThatOfText
    }
  }

  /// Whether plain ASCII follows the mark of UTF-16: a program has appended to a file that another
  /// one had only marked.
  private static func isFalselyMarked(_ source: any ByteSource) throws -> Bool {
    guard source.byteCount >= minimumFalselyMarkedByteCount + 2 else { return false }
    var isMark = true
    var isPlain = true
    try forEachPiece(of: source) { piece in
      let text = piece.dropFirst(isMark ? 2 : 0)
      isMark = false
      isPlain = text.allSatisfy { $0 < 0x7F && TextCharacters.areAllowed($0) }
      return isPlain
    }
    return isPlain
  }

  /// Returns the UTF-16 whose units are mostly Latin letters here; `nil` if neither order makes most
  /// of them one.
  private static func latinUTF16(_ head: [UInt8]) -> TextEncoding? {
    let unitCount = head.count / 2
    // Fewer units may be so by chance.
    guard unitCount >= 8 else { return nil }
    func isLatin(_ letter: UInt8, _ zero: UInt8) -> Bool {
      zero == 0 && letter < 0x7F && TextCharacters.areAllowed(letter)
    }
    var (littleCount, bigCount) = (0, 0)
    for unit in 0..<unitCount {
      let (first, second) = (head[unit * 2], head[unit * 2 + 1])
      if isLatin(first, second) { littleCount += 1 }
      if isLatin(second, first) { bigCount += 1 }
    }
    if littleCount * 4 >= unitCount * 3 { return .utf16LittleEndian }
    return bigCount * 4 >= unitCount * 3 ? .utf16BigEndian : nil
  }

  private static func irregularCheck(of source: any ByteSource) throws -> IrregularTextCheck {
    var check = IrregularTextCheck()
    try forEachPiece(of: source) { piece in
      check.check(piece)
      return check.mayBeText
    }
    return check
  }

  private static func olderEncoding(
    of source: any ByteSource,
    isCut: Bool
  ) throws -> TextEncoding? {
    let unicode = try irregularCheck(of: source)
    if unicode.isCESU8(isCut: isCut) { return .cesu8 }
    // A few bytes in a long text would otherwise look like letters of another encoding.
    guard !unicode.isCertainlyUTF8 else { return nil }
    var check = OlderEncodingCheck()
    try forEachPiece(of: source) { piece in
      check.check(piece)
      return check.isWellFormed
    }
    return check.encoding(isCut: isCut)
  }

  /// Reads a source from its beginning, until `body` returns `false`.
  private static func forEachPiece(
    of source: any ByteSource,
    _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws {
    var offset: Int64 = 0
    while offset < source.byteCount {
      let count = offset == 0 ? firstPieceByteCount : pieceByteCount
      let piece = try source.bytes(at: offset, count: count)
      guard !piece.isEmpty, piece.withUnsafeBufferPointer(body) else { return }
      offset += Int64(piece.count)
    }
  }
}

/// Leaves out the characters of UTF-8 in a text, piece by piece.
private struct UTF8Filter {
  // The beginning of a character, the number of bytes that it still needs, and the range of the next.
  private var beginning: [UInt8] = []
  private var missingByteCount = 0
  private var nextRange: ClosedRange<UInt8> = 0x80...0xBF

  /// Returns the bytes so far that belong to no such character.
  mutating func rest(of piece: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var rest: [UInt8] = []
    for byte in piece {
      if missingByteCount > 0, nextRange.contains(byte) {
        missingByteCount -= 1
        nextRange = 0x80...0xBF
        beginning = missingByteCount > 0 ? beginning + [byte] : []
        continue
      }
      rest += beginning
      (beginning, missingByteCount) = ([], 0)
      if let sequence = UTF8Check.sequence(byte) {
        beginning = [byte]
        (missingByteCount, nextRange) = sequence
      } else {
        rest.append(byte)
      }
    }
    return rest
  }
}
