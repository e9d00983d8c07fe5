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

  private var multiByteChecks = [TextEncoding.shiftJIS, .eucJP, .eucKR, .gb18030, .big5].map {
    MultiByteCheck($0, MultiByteDecoder($0))
  }
  private var pairs = BytePairCounts()

  /// Whether the bytes so far are valid in at least one encoding.
  var isWellFormed: Bool { pairs.areOfText }

  /// Checks the next piece.
  ///
  /// - Parameter piece: The piece.
  mutating func check(_ piece: UnsafeBufferPointer<UInt8>) {
    pairs.count(piece)
    for index in multiByteChecks.indices { multiByteChecks[index].check(piece) }
  }

  /// The encoding of everything checked; `nil` if it cannot be determined.
  var encoding: TextEncoding? {
    guard pairs.areOfText else { return nil }
    let eastAsian = eastAsianEncoding
    let european = SingleByteVerdict(pairs).encoding
    guard let eastAsian, european != nil else { return eastAsian?.encoding ?? european }
    return eastAsian.commonCount >= Self.sufficientCommonCount ? eastAsian.encoding : nil
  }

  private var eastAsianEncoding: (encoding: TextEncoding, commonCount: Int)? {
    let ranked =
      multiByteChecks
      .filter { $0.isWellFormed && $0.isComplete && $0.characterCount > 0 }
      .map { (check: $0, share: Double($0.commonCount) / Double($0.characterCount)) }
      .sorted { $0.share > $1.share }
    guard let best = ranked.first, best.share >= Self.minimumCommonShare,
      best.check.commonCount >= Self.minimumCommonCount,
      ranked.dropFirst().allSatisfy({ best.share >= $0.share * Self.minimumLead })
    else { return nil }
    return (best.check.encoding, best.check.commonCount)
  }
}
