/// An old system with an encoding of its own in Latin letters, which only certain bytes speak for.
///
/// In the encodings of Windows they are signs that hardly occur, or capitals within words; the
/// dashes and quotes of Windows, which are letters on an old system, are not among them.
struct OldSystem: Sendable {
  /// The encoding.
  let encoding: TextEncoding
  private let tellingBytes: Set<UInt8>
  /// The bytes of letters that only its language has; one of them must be followed by a letter.
  private var ownBytes: Set<UInt8> = []

  static let all = [
    OldSystem(encoding: .macintosh, tellingBytes: Set(0x87...0x90).union(0x98...0x9F)),
    OldSystem(
      encoding: .ibm850,
      tellingBytes: Set(0x86...0x90).union(0x98...0x9F).union(0xA1...0xA4)
        .union([0x81, 0x83, 0xE1])
    ),
    OldSystem(
      encoding: .ibm857,
      tellingBytes: [
        0x80, 0x81, 0x87, 0x8D, 0x94, 0x98, 0x99, 0x9A, 0x9E, 0x9F, 0xA6, 0xA7,
      ],
      // ı, ş and ğ; the last is a raised o in the West.
      ownBytes: [0x8D, 0x9F, 0xA7]
    ),
  ]

  // A text has some letters that are quotes and dashes in Windows, and a sign or two by chance.
  private static let minimumShare = 0.25
  private static let minimumCount = 2

  /// Whether enough of a text's letters beyond ASCII are such bytes.
  func isEvident(in pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    let table = SingleByteTable.table(of: encoding)
    var (letterCount, tellingCount) = (0, 0)
    var hasOwn = ownBytes.isEmpty
    // Each character is the first of exactly one pair.
    for (byte, next, count) in pairs where byte >= 0x80 {
      if ownBytes.contains(byte), Self.isPlainLetter(next) { hasOwn = true }
      if table[byte]?.properties.isAlphabetic ?? false { letterCount += count }
      if tellingBytes.contains(byte) { tellingCount += count }
    }
    return hasOwn && tellingCount >= Self.minimumCount
      && Double(tellingCount) >= Self.minimumShare * Double(letterCount)
  }

  private static func isPlainLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Whether a byte is the euro sign of ISO 8859-15 beside a number, or its œ before a vowel.
  ///
  /// Elsewhere the sign is one of no currency, which may begin the items of a list, or a letter.
  static func writesEuros(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    let euros = pairs.filter { $0.first == 0xA4 || $0.second == 0xA4 }
    let ligatures = pairs.filter { $0.first == 0xBD }
    let areEuros = euros.allSatisfy { first, second, _ in
      let other = first == 0xA4 ? second : first
      return other < 0x80 && !isPlainLetter(other)
        && (first != UInt8(ascii: "\n") || second != 0xA4)
    }
    let areLigatures = ligatures.allSatisfy { "ui".utf8.contains($0.second) }
    return areEuros && areLigatures && !(euros.isEmpty && ligatures.isEmpty)
  }

  // The lines and corners of boxes in the encodings of DOS. Those that are letters in some of them
  // are not among them.
  private static let horizontal: Set<UInt8> = [0xC4, 0xCD]
  private static let corners: Set<UInt8> = [0xC0, 0xC3, 0xC8, 0xC9, 0xCC, 0xDA]
  private static let boxes: Set<UInt8> = horizontal.union(corners).union(0xB0...0xB4)
    .union([0xB9, 0xBA, 0xBB, 0xBC, 0xBF, 0xC1, 0xC2, 0xC5, 0xCA, 0xCB, 0xCE, 0xD9, 0xDB, 0xDF])

  /// Whether all bytes beyond ASCII draw boxes, with lines that begin at corners.
  static func drawsBoxes(_ pairs: [(first: UInt8, second: UInt8, count: Int)]) -> Bool {
    var (lineCount, cornerCount) = (0, 0)
    for (first, second, count) in pairs {
      guard first < 0x80 || boxes.contains(first) else { return false }
      guard horizontal.contains(second) else { continue }
      if first == second { lineCount += count }
      if corners.contains(first) { cornerCount += count }
    }
    return lineCount >= 2 && cornerCount >= 2
  }
}
