/// Backslashes before the characters of a text that would be marks in Markdown, so that the text reads
/// the same once it is rendered.
enum MarkdownEscaping {
  /// Returns words without line ends as they may stand within a line.
  static func escaped(_ words: String, isInLink: Bool = false) -> String {
    let bytes = Array(words.utf8)
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count)
    var isInAddress = false
    for place in bytes.indices {
      let last = place > 0 ? bytes[place - 1] : nil
      if last.map({ $0 == 0x20 }) ?? true {
        // It becomes a link as it is.
        isInAddress = bytes[place...].starts(with: "http".utf8)
      }
      let isMark: Bool
      switch bytes[place] {
      case UInt8(ascii: "]"): isMark = isInLink
      case UInt8(ascii: "["), UInt8(ascii: "_"), UInt8(ascii: "&"):
        isMark = !isInAddress && Self.isMark(place, in: bytes)
      default: isMark = Self.isMark(place, in: bytes)
      }
      if isMark { escaped.append(UInt8(ascii: "\\")) }
      escaped.append(bytes[place])
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Whether a character may be a mark among its neighbours.
  private static func isMark(_ place: Int, in bytes: [UInt8]) -> Bool {
    let last = place > 0 ? bytes[place - 1] : nil
    let next = place + 1 < bytes.count ? bytes[place + 1] : nil
    switch bytes[place] {
    case UInt8(ascii: "*"), UInt8(ascii: "`"), UInt8(ascii: "["): return true
    // Within a word it is a letter.
    case UInt8(ascii: "_"): return !(last.map(isOfWord) ?? false) || !(next.map(isOfWord) ?? false)
    case UInt8(ascii: "~"): return last == bytes[place] || next == bytes[place]
    case UInt8(ascii: "<"): return next.map { isOfWord($0) || "/!?".utf8.contains($0) } ?? true
    case UInt8(ascii: "\\"): return next.map { $0 > 0x20 && !isOfWord($0) } ?? true
    case UInt8(ascii: "&"):
      let name = bytes[(place + 1)...].prefix(32).drop { $0 == UInt8(ascii: "#") }
      let rest = name.drop(while: isOfWord)
      return rest.first == UInt8(ascii: ";") && rest.count < name.count
    default: return false
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }

  /// Returns escaped words as they may begin a line, where they must not become a heading, a list, a
  /// quotation or a rule.
  static func escapedStart(of line: String) -> String {
    // The expression is made anew each time, and most lines begin with a letter.
    guard let first = line.utf8.first, "#-+>=0123456789".utf8.contains(first) else { return line }
    let start = #/(?:#{1,6}|[-+])(?:\s|$)|>|-[-:| ]+$|=+ *$|(\d{1,9})[.)](?:\s|$)/#
    guard let match = line.prefixMatch(of: start) else { return line }
    let place = match.output.1?.endIndex ?? line.startIndex
    return line[..<place] + "\\" + line[place...]
  }
}
