/// Finds out, piece by piece, which encoding older than Unicode a text is in.
///
/// Nearly any bytes are well-formed in several of these encodings. They differ in whether the
/// resulting characters are those of a language.
struct OlderEncodingCheck {
  // The share of characters that must be common ones, and how many times as high it must be as in
  // the next best encoding.
  private static let minimumCommonShare = 0.25
  private static let minimumLead = 2.0
  // A few characters may be common ones by chance.
  private static let minimumCommonCount = 2
  private static let sufficientCommonCount = 8
  // Of 20,000 Thai words and sentences none has as many common characters in another encoding.
  private static let minimumFamiliarCount = 4
  private static let familiarShare = 0.4
  // The least lead of a single-byte encoding over the same letters read in another language, as a
  // logarithm.
  private static let minimumSingleByteLead = 1.0
  // Texts with a few letters beyond ASCII are usually Western, and rarely of an old system.
  private static let westernLead = 2.5
  private static let rareLead = -2.5
  // The lead over all other readings that makes a few words certain.
  private static let certainLead = 2.0
  // The same over Hebrew: a word or two are often likelier as Russian or Greek.
  private static let certainLeadOverHebrew = 5.0

  private var multiByteChecks: [MultiByteCheck<MultiByteDecoder>]
  private var pairs = BytePairCounts()
  private let isTolerant: Bool

  /// Starts a check; a tolerant one ignores control characters foreign to texts, and some malformed
  /// bytes.
  init(isTolerant: Bool = false) {
    self.isTolerant = isTolerant
    multiByteChecks = [TextEncoding.shiftJIS, .eucJP, .eucKR, .gb18030, .big5].map {
      MultiByteCheck($0, MultiByteDecoder($0), isTolerant: isTolerant)
    }
  }

  /// Whether the bytes so far are valid in at least one encoding.
  var isWellFormed: Bool { pairs.areOfText }

  /// Checks the next piece.
  mutating func check(_ piece: UnsafeBufferPointer<UInt8>) {
    guard isTolerant else { return checkAll(piece) }
    let text = piece.filter { $0 >= 0x80 || TextCharacters.areAllowed($0) }
    text.withUnsafeBufferPointer { checkAll($0) }
  }

  private mutating func checkAll(_ piece: UnsafeBufferPointer<UInt8>) {
    pairs.count(piece)
    for index in multiByteChecks.indices { multiByteChecks[index].check(piece) }
  }

  /// Returns the encoding of everything checked; `nil` if it cannot be determined.
  ///
  /// A text that is cut may end within a character.
  func encoding(isCut: Bool) -> TextEncoding? {
    guard pairs.areOfText else { return nil }
    if OldSystem.drawsBoxes(pairs.pairs) { return .ibm850 }
    let eastAsian = eastAsianEncoding(isCut: isCut)
    let isSufficient = eastAsian.map { $0.commonCount >= Self.sufficientCommonCount } ?? false
    if ThaiSpelling(pairs.pairs).isKept {
      // The two bytes of a Korean syllable are often a consonant of Thai and another one or its mark,
      // but Thai makes no common syllables.
      guard let eastAsian else { return .windows874 }
      let isFamiliar =
        eastAsian.commonCount >= Self.minimumFamiliarCount && eastAsian.share >= Self.familiarShare
      return isSufficient || isFamiliar ? eastAsian.encoding : .windows874
    }
    let european = singleByteEncoding
    guard let eastAsian, european != nil else { return eastAsian?.encoding ?? european }
    return isSufficient ? eastAsian.encoding : nil
  }

  /// The single-byte encoding in which the text makes sense; `nil` if none does, or more than one.
  private var singleByteEncoding: TextEncoding? {
    let pairs = pairs.pairs
    let readings = { (encodings: [TextEncoding], lead: Double) in
      encodings.compactMap { encoding in
        SingleByteReading(pairs, encoding).map { reading in
          let isWestern = encoding == .windows1252 || encoding == .iso8859Part15
          let lead = isWestern ? Self.westernLead : lead
          return (reading: reading, likelihood: reading.likelihood + lead)
        }
      }
    }
    let evident = OldSystem.all.filter { $0.isEvident(in: pairs) }.map(\.encoding)
    let spelled = OldSpelling.encodings(of: pairs)
    let euro: [TextEncoding] = OldSystem.writesEuros(pairs) ? [.iso8859Part15] : []
    let usual =
      readings(TextEncoding.singleByteEncodings + spelled + euro, 0)
      + readings(evident, Self.rareLead)
    if let encoding = Self.best(of: usual) { return encoding }
    let rare = readings(TextEncoding.rareSingleByteEncodings, 0)
    guard let encoding = Self.best(of: rare) else { return nil }
    // Between two usual encodings a text is not in a rare one, unless that makes more sense of it.
    let rival = usual.max { $0.likelihood < $1.likelihood }
    guard let rival,
      rare.allSatisfy({ $0.likelihood < rival.likelihood + Self.minimumSingleByteLead })
    else { return encoding }
    return rival.reading.encoding
  }

  /// Returns the encoding of the likeliest reading; `nil` if another one is nearly as likely.
  private static func best(
    of readings: [(reading: SingleByteReading, likelihood: Double)]
  ) -> TextEncoding? {
    let ranked = readings.sorted { $0.likelihood > $1.likelihood }
    let rival = ranked.first { $0.reading.characters != ranked[0].reading.characters }
    if let rival, ranked[0].likelihood < rival.likelihood + Self.minimumSingleByteLead {
      return nil
    }
    return ranked.first?.reading.encoding
  }

  // MARK: - Guesses

  /// The text as read in one encoding.
  private struct Reading {
    let encoding: TextEncoding
    let likelihood: Double
    /// Whether it has nothing odd.
    let isSound: Bool
    /// The characters by byte; empty for an encoding with more than one byte per character.
    var characters: [UInt8: Unicode.Scalar] = [:]

    func isSame(as other: Reading) -> Bool {
      encoding == other.encoding || !characters.isEmpty && characters == other.characters
    }
  }

  /// The likeliest encoding of everything checked; `nil` if the text would make no sense in it.
  ///
  /// Use it only for bytes that are nothing else.
  func guess() -> TextEncoding? {
    guard pairs.areOfText else { return nil }
    return readings(isCut: true).first.flatMap { $0.isSound ? $0.encoding : nil }
  }

  /// Whether everything checked, which is in an encoding by all signs, is much less likely in any
  /// other.
  func isCertain(_ encoding: TextEncoding) -> Bool {
    let readings = readings(isCut: false)
    // By its spelling alone, a word may be Thai by chance.
    if encoding == .windows874 { return !readings.contains(where: \.isSound) }
    guard let own = readings.first(where: { $0.encoding == encoding }) else { return true }
    let pairs = pairs.pairs
    if encoding == .ibm866, OldSpelling.mayBeHebrew(pairs) { return false }
    // Of a few letters none is a misprint.
    let count = pairs.reduce(0) { $1.first >= 0x80 ? $0 + $1.count : $0 }
    let isOfFew = count < Self.sufficientCommonCount && !own.characters.isEmpty
    if isOfFew, !own.isSound { return false }
    let mayBeHebrew = OldSpelling.mayBeHebrewOfWindows(pairs)
    return readings.allSatisfy { other in
      let isHebrew = mayBeHebrew && other.encoding == .windows1255
      let lead = isHebrew ? Self.certainLeadOverHebrew : Self.certainLead
      return other.isSame(as: own) || own.likelihood >= other.likelihood + lead
    }
  }

  /// Whether everything checked, which is in an encoding by all signs, is Hebrew in visual order.
  func isVisual(in encoding: TextEncoding) -> Bool {
    OldSpelling.isVisual(pairs.pairs, in: encoding)
  }

  /// Every reading that is possible, the likeliest first.
  private func readings(isCut: Bool) -> [Reading] {
    let pairs = pairs.pairs
    let euro: [TextEncoding] = OldSystem.writesEuros(pairs) ? [.iso8859Part15] : []
    let evident = OldSystem.all.filter { $0.isEvident(in: pairs) }.map(\.encoding)
    let rare = TextEncoding.rareSingleByteEncodings
    var encodings = TextEncoding.singleByteEncodings + rare + euro
    encodings += OldSpelling.encodings(of: pairs)
    encodings += evident.filter { !rare.contains($0) }
    let single =
      encodings
      .compactMap { SingleByteReading(pairs, $0) }
      .map { reading in
        Reading(
          encoding: reading.encoding,
          likelihood: reading.likelihood + Self.lead(of: reading.encoding),
          isSound: reading.isRegular,
          characters: reading.characters
        )
      }
    let eastAsian = possibleChecks(isCut: isCut).map { check in
      Reading(encoding: check.encoding, likelihood: check.likelihood, isSound: check.isFamiliar)
    }
    return (single + eastAsian).sorted { $0.likelihood > $1.likelihood }
  }

  private static func lead(of encoding: TextEncoding) -> Double {
    if encoding == .windows1252 || encoding == .iso8859Part15 { return westernLead }
    let isRare = encoding == .ibm857 || TextEncoding.rareSingleByteEncodings.contains(encoding)
    return isRare ? rareLead : 0
  }

  private func possibleChecks(isCut: Bool) -> [MultiByteCheck<MultiByteDecoder>] {
    multiByteChecks.filter {
      $0.isMostlyWellFormed && (isCut || $0.isComplete) && $0.characterCount > 0
    }
  }

  private func eastAsianEncoding(
    isCut: Bool
  ) -> (encoding: TextEncoding, commonCount: Int, share: Double)? {
    let ranked =
      possibleChecks(isCut: isCut)
      .map { (check: $0, share: Double($0.commonCount) / Double($0.characterCount)) }
      .sorted { $0.share > $1.share }
    guard let best = ranked.first, best.share >= Self.minimumCommonShare,
      best.check.commonCount >= Self.minimumCommonCount,
      ranked.dropFirst().allSatisfy({ best.share >= $0.share * Self.minimumLead })
    else { return nil }
    return (best.check.encoding, best.check.commonCount, best.share)
  }
}

/// The number of occurrences of each pair of bytes in a text, which is enough to judge every
/// single-byte encoding.
struct BytePairCounts {
  /// Whether the bytes so far may be text: they include no control characters foreign to texts.
  private(set) var areOfText = true
  private var counts = [Int](repeating: 0, count: 1 << 16)
  // As if the text began after a line end.
  private var last = UInt8(ascii: "\n")

  /// Counts the pairs in a piece.
  mutating func count(_ piece: UnsafeBufferPointer<UInt8>) {
    for byte in piece {
      if byte < 0x80 {
        guard TextCharacters.areAllowed(byte) else { return areOfText = false }
      }
      if byte | last >= 0x80 { counts[Int(last) << 8 | Int(byte)] += 1 }
      last = byte
    }
  }

  /// Every pair that occurs and is not ASCII, with its count; the end of the text counts as a line
  /// end.
  var pairs: [(first: UInt8, second: UInt8, count: Int)] {
    var pairs = counts.indices.filter { counts[$0] > 0 }.map { index in
      (first: UInt8(index >> 8), second: UInt8(index & 0xFF), count: counts[index])
    }
    if last >= 0x80 { pairs.append((last, UInt8(ascii: "\n"), 1)) }
    return pairs
  }
}
