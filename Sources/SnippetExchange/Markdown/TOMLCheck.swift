/// A look at TOML before it is parsed, for what ends the process in the parser.
///
/// The parser takes for granted that the name of a table, `[name]` or `[[name]]`, begins as a key
/// does, that an element of an array begins as a value does, that more follows a digit behind a date,
/// and that a digit follows the T behind one. It calls itself for each table within another one, and
/// the parts of a key such as `a.b.c` are tables, however many there are.
struct TOMLCheck {
  /// The most tables and arrays within one another.
  private static let maximumDepth = 100

  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  /// The number of parts in the name of the table that the lines are in.
  private var tableDepth = 0
  /// The flaw of the line that was read last.
  private var reason: String?

  /// Returns the first flaw; `nil` if there is none in what a parser would read.
  static func flaw(in text: String) -> FrontMatterFlaw? {
    var check = TOMLCheck(bytes: Array(text.utf8))
    while check.place < check.bytes.count {
      check.skipBlanks()
      let isTable = check.peek() == UInt8(ascii: "[")
      if isTable, !check.beginsAsKey() {
        return check.flaw(
          "the name of a table begins with a letter, a digit, - or _, or is in quotes"
        )
      }
      guard check.skipLine(ofTable: isTable) else { return check.reason.map(check.flaw) }
    }
    return nil
  }

  private func flaw(_ reason: String) -> FrontMatterFlaw {
    // The TOML begins after a line of plus signs.
    FrontMatterFlaw(reason: reason, line: line + 1)
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
  private mutating func skipLine(ofTable isTable: Bool) -> Bool {
    var brackets: [UInt8] = []
    var keys = KeyDepth()
    /// The last byte that is no white space.
    var last: UInt8?
    if isTable { tableDepth = 0 }
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\n"):
        place += 1
        line += 1
        if brackets.isEmpty { return true }
      case UInt8(ascii: "#"):
        while let next = peek(), next != UInt8(ascii: "\n") { place += 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard skipString(byte) else { return false }
        last = byte
      default:
        guard byte < 0x80 else {
          reason = "only texts in quotes and comments have characters other than ASCII"
          return false
        }
        let isInArray = brackets.last == UInt8(ascii: "[")
        if last == UInt8(ascii: "=")
          || isInArray && (last == UInt8(ascii: "[") || last == UInt8(ascii: ",")),
          let flaw = flawOfValue()
        {
          reason = flaw
          return false
        }
        if !Self.isBlank(byte) { last = byte }
        // The brackets of a table's name are read with its beginning.
        guard isTable || Self.fits(byte, &brackets) else {
          reason = "a bracket ends what another one began"
          return false
        }
        keys.read(byte)
        if keys.depth + (isTable ? 0 : tableDepth) > Self.maximumDepth {
          reason = "more than \(Self.maximumDepth) tables are within one another"
          return false
        }
        if isTable { tableDepth = max(tableDepth, keys.depth) }
        place += 1
      }
    }
    return true
  }

  /// Returns the flaw of a value without quotes that begins here; `nil` for any other.
  private func flawOfValue() -> String? {
    guard let first = peek(), !Self.isBlank(first), !"[]{},=#".utf8.contains(first) else {
      return nil
    }
    let value = bytes[place...].prefix { !Self.endsValue($0) }
    if value.contains(where: { "\"'[{".utf8.contains($0) }) {
      return "a quote or a bracket stands within a value"
    }
    // As in `2024-01-05T:30`.
    if value.contains(UInt8(ascii: ":")),
      zip(value, value.dropFirst()).contains(where: {
        $0 | 0x20 == UInt8(ascii: "t") && !(0x30...0x39 ~= $1)
      })
    {
      return "no time follows the T of a date"
    }
    // As in `2024-01-05 1`.
    let rest = bytes[value.endIndex...]
    if rest.first == 0x20, let digit = rest.dropFirst().first, 0x30...0x39 ~= digit,
      rest.dropFirst(2).first.map(Self.endsValue) ?? true
    {
      return "a digit behind a date is no time"
    }
    return nil
  }

  /// Whether the parser takes a byte for the end of a value without quotes.
  private static func endsValue(_ byte: UInt8) -> Bool {
    isBlank(byte) || "]},#".utf8.contains(byte)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  /// Opens or closes a bracket; returns `false` if it closes none or another one.
  private static func fits(_ byte: UInt8, _ open: inout [UInt8]) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
    case UInt8(ascii: "]"): return open.popLast() == UInt8(ascii: "[")
    case UInt8(ascii: "}"): return open.popLast() == UInt8(ascii: "{")
    default: break
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

/// The number of tables and arrays around a place of a line, as far as its keys and brackets tell.
private struct KeyDepth {
  private(set) var depth = 0
  /// The dots since the last key began.
  private var partCount = 0
  /// The depth that each open bracket has added, with that of the key before it.
  private var outer: [Int] = []

  mutating func read(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "."):
      partCount += 1
      depth += 1
    case UInt8(ascii: ","):
      depth -= partCount
      partCount = 0
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      outer.append(partCount + 1)
      depth += 1
      partCount = 0
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth -= partCount + (outer.popLast() ?? 0)
      partCount = 0
    default: break
    }
  }
}
