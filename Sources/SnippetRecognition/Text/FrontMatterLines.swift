import SnippetBase

/// The lines of front matter at the beginning of a text, which give no title.
///
/// They are told from a text between two rules by the keys that begin them. Only the modules of notes
/// read the values.
enum FrontMatterLines {
  /// Finds the end of the last line of YAML or TOML; `nil` if a text does not begin with it, or goes
  /// on behind a limit.
  static func end(in text: String, before limit: String.Index) -> String.Index? {
    let utf8 = text.utf8
    let isMarked = utf8.starts(with: ByteOrderMark.utf8)
    let start = utf8.index(utf8.startIndex, offsetBy: isMarked ? 3 : 0)
    guard let mark = utf8[start...].first, mark == dash || mark == plus else { return nil }
    var place = start
    var (isFirst, hasKey) = (true, false)
    while place < limit {
      let line = utf8[place..<limit].prefix { $0 != 0x0A && $0 != 0x0D }
      if isFence(line, of: mark) || (mark == dash && line.elementsEqual("...".utf8)) {
        if !isFirst { return hasKey ? line.endIndex : nil }
      } else {
        guard !isFirst else { return nil }
        if isKey(line, of: mark) {
          hasKey = true
        } else if !isComment(line), !hasKey || (mark == dash && !goesOn(line)) {
          // In TOML a long text or a list may go on with any words.
          return nil
        }
      }
      guard line.endIndex < limit else { return nil }
      isFirst = false
      place = utf8.index(after: line.endIndex)
    }
    return nil
  }

  private static let dash = UInt8(ascii: "-")
  private static let plus = UInt8(ascii: "+")

  /// Whether a line has three marks and nothing else but blanks.
  private static func isFence(_ line: Substring.UTF8View, of mark: UInt8) -> Bool {
    let rest = line.drop { $0 == mark }
    return line.count - rest.count == 3 && rest.allSatisfy(isBlank)
  }

  /// Whether a line begins with a key, which may be in quotes, or is the name of a table in TOML.
  private static func isKey(_ line: Substring.UTF8View, of mark: UInt8) -> Bool {
    guard let first = line.first else { return false }
    if mark == plus, first == UInt8(ascii: "[") { return true }
    if mark == dash, isMarkedKey(line) { return true }
    let isWord = first >= 0x80 || first == UInt8(ascii: "_") || Unicode.Scalar(first).isWordOfASCII
    guard isWord || first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else { return false }
    if mark == plus { return line.contains(UInt8(ascii: "=")) }
    let colon = UInt8(ascii: ":")
    return zip(line, line.dropFirst()).contains { $0 == colon && isBlank($1) }
      || line.last == colon
  }

  /// Whether a line of YAML begins with fields in braces, or with a key behind a question mark or as an
  /// alias.
  private static func isMarkedKey(_ line: Substring.UTF8View) -> Bool {
    let colon = UInt8(ascii: ":")
    let rest = line.dropFirst()
    switch line.first {
    case UInt8(ascii: "{"): return rest.contains(colon) || rest.allSatisfy(isBlank)
    case UInt8(ascii: "?"): return rest.first.map(isBlank) ?? false
    case UInt8(ascii: "*"):
      // An item of a list has a blank behind its star.
      guard let name = rest.first, !isBlank(name) else { return false }
      return zip(rest, rest.dropFirst()).contains { isBlank($0) && $1 == colon }
    default: return false
    }
  }

  private static func isComment(_ line: Substring.UTF8View) -> Bool {
    line.first == UInt8(ascii: "#") || line.allSatisfy(isBlank)
  }

  /// Whether a line goes on with the value of a key: it is indented, an item, an end, or the value of a
  /// key behind a question mark.
  private static func goesOn(_ line: Substring.UTF8View) -> Bool {
    guard let first = line.first else { return true }
    if first == dash || first == UInt8(ascii: ":") {
      return line.dropFirst().first.map(isBlank) ?? true
    }
    return isBlank(first) || first == UInt8(ascii: "]") || first == UInt8(ascii: "}")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
