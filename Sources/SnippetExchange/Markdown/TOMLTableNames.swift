/// The names of tables in TOML: `[name]` and `[[name]]`.
///
/// The parser takes for granted that such a name begins as a key does, and ends the process if it
/// does not.
struct TOMLTableNames {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  /// Returns the flaw of the first name that begins with something else; `nil` if there is none in
  /// what a parser would read.
  static func flaw(in text: String) -> FrontMatterFlaw? {
    var names = TOMLTableNames(bytes: Array(text.utf8))
    while names.place < names.bytes.count {
      names.skipBlanks()
      if names.peek() == UInt8(ascii: "["), !names.beginsAsKey() {
        // The TOML begins after a line of plus signs.
        return FrontMatterFlaw(
          reason: "the name of a table begins with a letter, a digit, - or _, or is in quotes",
          line: names.line + 1
        )
      }
      guard names.skipLine() else { return nil }
    }
    return nil
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    place + distance < bytes.count ? bytes[place + distance] : nil
  }

  private mutating func skipBlanks() {
    while let byte = peek(), byte == 0x20 || byte == 0x09 { place += 1 }
  }

  /// Reads the beginning of a name; the parser itself refuses one without anything.
  private mutating func beginsAsKey() -> Bool {
    place += 1
    let hadBlanks = peek() == 0x20 || peek() == 0x09
    skipBlanks()
    if peek() == UInt8(ascii: "["), !hadBlanks {
      place += 1
      skipBlanks()
    }
    guard let byte = peek() else { return true }
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
      return true
    default: return false
    }
  }

  /// Passes over a line, or over more of them if its value goes on; returns `false` at what no
  /// parser reads.
  private mutating func skipLine() -> Bool {
    var depth = 0
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\n"):
        place += 1
        line += 1
        if depth <= 0 { return true }
      case UInt8(ascii: "#"):
        while let next = peek(), next != UInt8(ascii: "\n") { place += 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard skipString(byte) else { return false }
      default:
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
        place += 1
      }
    }
    return true
  }

  private mutating func skipString(_ mark: UInt8) -> Bool {
    let isLong = peek(1) == mark && peek(2) == mark
    place += isLong ? 3 : 1
    while let byte = peek() {
      if byte == mark, !isLong || peek(1) == mark && peek(2) == mark {
        place += isLong ? 3 : 1
        // Up to two more belong to the text.
        for _ in 0..<2 where isLong && peek() == mark { place += 1 }
        return true
      }
      if byte == UInt8(ascii: "\n") {
        guard isLong else { return false }
        line += 1
      }
      place += byte == UInt8(ascii: "\\") && mark == UInt8(ascii: "\"") ? 2 : 1
      if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\""), place <= bytes.count,
        bytes[place - 1] == UInt8(ascii: "\n")
      {
        line += 1
      }
    }
    return false
  }
}
