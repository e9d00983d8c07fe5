import Yams

extension TOMLReader {
  /// Reads the value that begins here.
  mutating func readValue(depth: Int) throws(FrontMatterFlaw) -> Node {
    switch peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      // A text that looks like another value is a text nevertheless.
      return Node(try readText(isLong: isLongText), Tag(.str), .doubleQuoted)
    case UInt8(ascii: "["): return try readArray(depth: depth + 1)
    case UInt8(ascii: "{"): return try readTable(depth: depth + 1)
    default: return Node(try readPlainValue())
    }
  }

  private mutating func readArray(depth: Int) throws(FrontMatterFlaw) -> Node {
    try checkDepth(depth)
    let start = noteLine
    place += 1
    var elements: [Node] = []
    while true {
      try skipEmptyLines()
      guard let next = peek(), next != UInt8(ascii: "]") else { break }
      elements.append(try readValue(depth: depth))
      try skipEmptyLines()
      guard peek() == UInt8(ascii: ",") else { break }
      place += 1
    }
    guard peek() != nil else { throw FrontMatterFlaw(reason: "a list has no end", line: start) }
    try close(with: UInt8(ascii: "]"))
    return .sequence(Node.Sequence(elements))
  }

  /// Reads a table in braces, which ends in its line.
  private mutating func readTable(depth: Int) throws(FrontMatterFlaw) -> Node {
    try checkDepth(depth)
    place += 1
    let table = TOMLTable(.key)
    skipBlanks()
    if peek() != UInt8(ascii: "}") {
      while true {
        try readPair(into: table, depth: depth)
        skipBlanks()
        guard peek() == UInt8(ascii: ",") else { break }
        place += 1
      }
    }
    try close(with: UInt8(ascii: "}"))
    return table.node
  }

  private mutating func close(with bracket: UInt8) throws(FrontMatterFlaw) {
    guard peek() == bracket else {
      throw flaw("no \(Character(Unicode.Scalar(bracket))) or comma follows a value")
    }
    place += 1
  }

  // MARK: - Numbers, dates and truth values

  /// Reads a value without quotes, as YAML writes it.
  private mutating func readPlainValue() throws(FrontMatterFlaw) -> String {
    let rest = bytes[place...]
    var value = rest.prefix { !Self.endsValue($0) }
    var text = String(decoding: value, as: UTF8.self)
    // A blank may stand between a date and a time.
    let behind = rest[value.endIndex...]
    if value.count == 10, behind.first == 0x20,
      let digit = behind.dropFirst().first, 0x30...0x39 ~= digit, Self.moment(text) != nil
    {
      value = rest[..<(behind.dropFirst().firstIndex(where: Self.endsValue) ?? rest.endIndex)]
      text = String(decoding: value, as: UTF8.self)
    }
    guard let plain = Self.number(text) ?? Self.moment(text) else {
      throw flaw(text.isEmpty ? "a value is missing" : "a value is no number, date, true or false")
    }
    place = value.endIndex
    return plain
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    byte == 0x20 || 0x09...0x0D ~= byte || "]},#".utf8.contains(byte)
  }

  /// Returns a number or a truth value; `nil` for others, such as 007.
  private static func number(_ text: String) -> String? {
    if text.wholeMatch(of: #/true|false|[+-]?(?:inf|nan)/#) != nil { return text }
    let digits = text.filter { $0 != "_" }
    if text.wholeMatch(of: #/[+-]?(?:0|[1-9](?:_?[0-9])*)/#) != nil {
      return Int64(digits).map { "\($0)" }
    }
    if text.wholeMatch(of: #/0(?:x[0-9A-Fa-f]|o[0-7]|b[01])(?:_?[0-9A-Fa-f])*/#) != nil {
      let radix = text.hasPrefix("0x") ? 16 : text.hasPrefix("0o") ? 8 : 2
      return Int64(digits.dropFirst(2), radix: radix).map { "\($0)" }
    }
    let fraction = #/[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?/#
    let exponent = #/[eE][+-]?[0-9](?:_?[0-9])*/#
    // As it is written: a version such as 1.10 is another one than 1.1.
    guard let mantissa = text.prefixMatch(of: fraction)?.output else { return nil }
    let rest = text[mantissa.endIndex...]
    return rest.isEmpty || rest.wholeMatch(of: exponent) != nil ? digits : nil
  }

  /// Returns a date, a time or both as they are written; `nil` for others, such as 30 February.
  private static func moment(_ text: String) -> String? {
    let time = #/(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?/#
    if text.wholeMatch(of: time) != nil { return text }
    guard
      let parts = text.wholeMatch(of: #/([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([^Zz+-]+)(.*))?/#),
      let year = Int(parts.1), let month = Int(parts.2), let day = Int(parts.3)
    else { return nil }
    let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
    let dayCounts = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard dayCounts.indices.contains(month - 1), 1...dayCounts[month - 1] ~= day else { return nil }
    guard let clock = parts.4, let zone = parts.5 else { return text }
    let isZone = zone.wholeMatch(of: #/|[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]/#) != nil
    return isZone && clock.wholeMatch(of: time) != nil ? text : nil
  }

  // MARK: - Texts

  private var isLongText: Bool { peek(1) == peek() && peek(2) == peek() }

  /// Reads a text whose first quote is here; a long one has three, and may have several lines.
  mutating func readText(isLong: Bool) throws(FrontMatterFlaw) -> String {
    let mark = bytes[place]
    let hasEscapes = mark == UInt8(ascii: "\"")
    let firstLine = noteLine
    place += isLong ? 3 : 1
    // An end of line that follows the quotes at once is no part of the text.
    if isLong { _ = skipLineEnd() }
    var text: [UInt8] = []
    while let byte = peek() {
      let start = place
      if byte == mark, !isLong || isLongText {
        place += isLong ? 3 : 1
        // Up to two more belong to the text.
        for _ in 0..<2 where isLong && peek() == mark {
          text.append(mark)
          place += 1
        }
        return String(decoding: text, as: UTF8.self)
      } else if byte == UInt8(ascii: "\\"), hasEscapes {
        text += try readEscape(isLong: isLong)
      } else if skipLineEnd() {
        guard isLong else { break }
        text += bytes[start..<place]
      } else {
        guard !Self.isControl(byte) else { throw flaw("a text has a control character") }
        text.append(byte)
        place += 1
      }
    }
    throw FrontMatterFlaw(reason: "a text has no end", line: firstLine)
  }

  /// Reads a backslash and what follows it, and returns the bytes that they mean.
  private mutating func readEscape(isLong: Bool) throws(FrontMatterFlaw) -> [UInt8] {
    place += 1
    guard let byte = peek() else { throw flaw("a text has no end") }
    let start = place
    place += 1
    switch byte {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [byte]
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let digits = bytes[place...].prefix(byte == UInt8(ascii: "u") ? 4 : 8)
      let hexadecimal = String(decoding: digits, as: UTF8.self)
      if hexadecimal.wholeMatch(of: #/(?:[0-9A-Fa-f]{4}){1,2}/#) != nil,
        let scalar = UInt32(hexadecimal, radix: 16).flatMap(Unicode.Scalar.init)
      {
        place = digits.endIndex
        return Array(String(scalar).utf8)
      }
    default:
      place = start
      skipBlanks()
      // A line that ends so goes on where the next text begins.
      if isLong, skipLineEnd() {
        repeat { skipBlanks() } while skipLineEnd()
        return []
      }
    }
    throw flaw("a text has \\ before a character that it means nothing with")
  }
}
