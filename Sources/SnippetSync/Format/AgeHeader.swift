import Foundation

/// The text before the sealed bytes of an age file, which has their key, sealed for each recipient.
struct AgeHeader {
  private static let start = Array("age-encryption.org/v1".utf8)
  private static let end = Array("---".utf8)
  private static let columns = 64
  /// The most recipients of a file: each costs time before the file is refused.
  private static let recipientLimit = 100

  /// The key of a file, sealed for a recipient of X25519.
  struct SealedKey {
    /// The point that the sender drew.
    var share: [UInt8]
    var body: [UInt8]
  }

  /// The sealed keys; those of other kinds of recipients are left out.
  private(set) var keys: [SealedKey] = []
  /// Whether a passphrase opens the file.
  private(set) var isForPassphrase = false
  /// The part that the code vouches for.
  private(set) var text = Data()
  /// The code of the text, by a key that follows from that of the file.
  private(set) var code: [UInt8] = []
  /// The part of the file behind the header.
  private(set) var payload: Data

  /// Reads the header of a file; `nil` if it breaks a rule of the format.
  init?(of file: Data) {
    payload = file
    guard nextLine()?.elementsEqual(Self.start) == true else { return nil }
    var stanzaCount = 0
    while let line = nextLine(), !line.starts(with: Self.end) {
      guard readStanza(line) else { return nil }
      stanzaCount += 1
      guard stanzaCount <= Self.recipientLimit else { return nil }
      text = file[..<payload.startIndex]
    }
    // A passphrase proves who sent a file only as long as nothing else opens it.
    guard stanzaCount == 1 || (stanzaCount > 1 && !isForPassphrase) else { return nil }
    let last = file[text.endIndex..<payload.startIndex]
    guard last.starts(with: Self.end + " ".utf8), last.last == UInt8(ascii: "\n"),
      let code = Self.bytes(last.dropFirst(4).dropLast()), code.count == SystemCrypto.keyLength
    else { return nil }
    self.code = code
    text = file[..<(text.endIndex + Self.end.count)]
  }

  /// Takes a line from the payload.
  private mutating func nextLine() -> Data? {
    guard let end = payload.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { payload = payload[(end + 1)...] }
    return payload[..<end]
  }

  /// Reads the key for one recipient, whose first line is given; `false` if it breaks a rule.
  private mutating func readStanza(_ line: Data) -> Bool {
    let words = line.dropFirst(3).split(separator: 0x20, omittingEmptySubsequences: false)
    guard line.starts(with: "-> ".utf8),
      words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { 0x21...0x7e ~= $0 } })
    else { return false }
    var letters: [UInt8] = []
    repeat {
      guard let line = nextLine(), line.count <= Self.columns else { return false }
      letters += line
      // A full line is never the last.
      if line.count < Self.columns { break }
    } while true
    guard let body = Self.bytes(letters) else { return false }
    switch String(decoding: words[0], as: UTF8.self) {
    case "X25519":
      // A longer body could open with several keys.
      guard words.count == 2, let share = Self.bytes(words[1]),
        share.count == SystemCrypto.keyLength,
        body.count == AgeFile.keyLength + SystemCrypto.tagLength
      else { return false }
      keys.append(SealedKey(share: share, body: body))
    case "scrypt": isForPassphrase = true
    default: break
    }
    return true
  }
}

extension AgeHeader {
  /// Writes the header of a file with one recipient.
  static func text(_ key: SealedKey, code: ([UInt8]) -> [UInt8]) -> [UInt8] {
    let stanza = "\n-> X25519 \(letters(key.share))\n\(letters(key.body))\n"
    let text = start + stanza.utf8 + end
    return text + " \(letters(code(text)))\n".utf8
  }

  /// Spells bytes in base 64 without padding.
  private static func letters(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }

  /// Reads base 64; `nil` for any spelling but that of ``letters(_:)``.
  private static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    guard let bytes = Data(base64Encoded: Data(text + padding)).map(Array.init),
      letters(bytes).utf8.elementsEqual(text)
    else { return nil }
    return bytes
  }
}
