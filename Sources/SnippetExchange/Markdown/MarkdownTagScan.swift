/// Finds the tags in the text of a note: `#garden`, `#garden/herbs`, and `#[[two words]]` of Logseq.
///
/// A tag stands at the beginning of a line or after white space, and is not just a number.
/// Headings, code and parts of links are not tags. In a TextBundle, a tag of several words ends with
/// a second mark, as Bear writes it: `#two words#`.
struct MarkdownTagScan {
  private let limit: Int
  /// Whether a second mark may close a tag of several words.
  private let takesClosedTags: Bool
  private var found: [String] = []
  private var seen: Set<String> = []
  /// The run of marks that opened a code block, and the least indent of its lines.
  private var fence: (mark: UInt8, count: Int, indent: Int)?
  /// The least indents of the lines of the open items, the innermost last.
  private var items: [Int] = []
  private var isAfterBlank = true
  private var isInList = false
  private var isInIndentedCode = false
  /// Whether there are more tags than the limit.
  private(set) var hasMore = false

  init(limit: Int, takesClosedTags: Bool = false) {
    self.limit = limit
    self.takesClosedTags = takesClosedTags
  }

  /// Returns the different tags of a text in order.
  mutating func tags(in text: Substring.UTF8View) -> [String] {
    let bytes = Array(text)
    // Most texts have none.
    guard bytes.contains(UInt8(ascii: "#")) else { return [] }
    var start = 0
    while start < bytes.count, !hasMore {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      take(bytes[start..<end])
      start = end + 1
    }
    return found
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    let content = line.drop { $0 == 0x20 || $0 == 0x09 }
    let indent = line[..<content.startIndex].reduce(0) { $0 + ($1 == 0x09 ? 4 : 1) }
    guard content.contains(where: { $0 > 0x20 }) else {
      isAfterBlank = true
      return
    }
    defer { isAfterBlank = false }
    // A block of code ends with its item.
    if let open = fence, indent < open.indent { fence = nil }
    // Within a block of code, the mark of an item is code.
    let inner = fence == nil ? Self.withoutMark(content) : content
    let hasMark = inner.startIndex > content.startIndex
    if fence == nil {
      if hasMark || isAfterBlank { items.removeAll { $0 > indent } }
      // A mark has at least one character, and a blank behind it.
      if hasMark { items.append(indent + 2) }
    }
    if isFence(inner, in: items.last { hasMark || $0 <= indent } ?? 0) || fence != nil {
      if hasMark { isInList = true }
      return
    }
    if indent >= 4, !isInList, isAfterBlank || isInIndentedCode {
      isInIndentedCode = true
      return
    }
    isInIndentedCode = false
    if hasMark {
      isInList = true
    } else if indent == 0, isAfterBlank {
      isInList = false
    }
    scan(content)
  }

  /// Whether a line opens or closes a code block; the lines of one that it opens have an indent.
  private mutating func isFence(_ line: ArraySlice<UInt8>, in indent: Int) -> Bool {
    guard let mark = line.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else {
      return false
    }
    let rest = line.drop { $0 == mark }
    let count = line.count - rest.count
    guard count >= 3 else { return false }
    if let open = fence {
      if mark == open.mark, count >= open.count, rest.allSatisfy({ $0 <= 0x20 }) { fence = nil }
      return true
    }
    guard mark == UInt8(ascii: "~") || !rest.contains(mark) else { return false }
    fence = (mark, count, indent)
    return true
  }

  private static func isItem(_ line: ArraySlice<UInt8>) -> Bool {
    let digits = line.prefix { (0x30...0x39).contains($0) }
    let rest = line.dropFirst(digits.count)
    guard let mark = rest.first, rest.dropFirst().first.map({ $0 <= 0x20 }) ?? true else {
      return false
    }
    return digits.isEmpty ? "-*+".utf8.contains(mark) : ".)".utf8.contains(mark)
  }

  /// Returns a line without the mark of an item in a list.
  private static func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    isItem(line) ? line.drop { $0 > 0x20 }.drop { $0 <= 0x20 } : line
  }

  private mutating func scan(_ line: ArraySlice<UInt8>) {
    let lastRuns = Self.lastRuns(in: line)
    var (place, isAtStart) = (line.startIndex, true)
    while place < line.endIndex {
      let byte = line[place]
      if byte == Self.backtick {
        place = Self.endOfCode(from: place, in: line, lastRuns)
        isAtStart = false
      } else if byte == UInt8(ascii: "#"), isAtStart, let name = Self.link(in: line[(place + 1)...])
      {
        addWords(name)
        place = name.endIndex + 2
        isAtStart = false
      } else if byte == UInt8(ascii: "#"), isAtStart, takesClosedTags,
        let name = Self.closedName(in: line[(place + 1)...])
      {
        addWords(name)
        place = name.endIndex + 1
        isAtStart = false
      } else if byte == UInt8(ascii: "#"), isAtStart {
        let name = line[(place + 1)...].prefix(while: Self.mayBeInTag)
        add(name)
        place += 1 + name.count
        isAtStart = false
      } else {
        isAtStart = byte == 0x20 || byte == 0x09
        place += 1
      }
    }
  }

  /// Returns the name in a link that begins here: `[[two words]]`.
  private static func link(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.starts(with: "[[".utf8) else { return nil }
    let name = line.dropFirst(2).prefix { !"[]".utf8.contains($0) }
    return !name.isEmpty && line[name.endIndex...].starts(with: "]]".utf8) ? name : nil
  }

  /// Returns the several words that begin here and that a mark closes: `two words#`.
  ///
  /// The mark follows a word at once, and a blank or the end of the line follows the mark. Words that
  /// are too long for a tag are a sentence between two marks of other kinds.
  private static func closedName(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = UInt8(ascii: "#")
    let name = line.prefix { $0 != mark && $0 != backtick }
    let rest = line[name.endIndex...]
    guard rest.first == mark, rest.dropFirst().first.map({ $0 <= 0x20 }) ?? true,
      let first = name.first, first > 0x20, let last = name.last, last > 0x20,
      name.contains(where: { $0 <= 0x20 }),
      name.contains(where: { $0 > 0x20 && !(0x30...0x39).contains($0) }),
      String(decoding: name, as: UTF8.self).unicodeScalars.count <= 100
    else { return nil }
    return name
  }

  private static let backtick = UInt8(ascii: "`")

  /// Returns the beginning of the last run of backticks of each length.
  private static func lastRuns(in line: ArraySlice<UInt8>) -> [Int: Int] {
    var (runs, place) = ([Int: Int](), line.startIndex)
    while let start = line[place...].firstIndex(of: backtick) {
      let run = line[start...].prefix { $0 == backtick }
      runs[run.count] = start
      place = run.endIndex
    }
    return runs
  }

  /// Returns the end of the code that begins with a run of backticks, or of the run if nothing
  /// closes it.
  private static func endOfCode(
    from start: Int,
    in line: ArraySlice<UInt8>,
    _ lastRuns: [Int: Int]
  ) -> Int {
    let open = line[start...].prefix { $0 == backtick }
    var place = open.endIndex
    // Without this, runs of all lengths would each be compared with all behind them.
    guard let last = lastRuns[open.count], last > start else { return place }
    while let next = line[place...].firstIndex(of: backtick) {
      let run = line[next...].prefix { $0 == backtick }
      if run.count == open.count { return run.endIndex }
      place = run.endIndex
    }
    return open.endIndex
  }

  private static func mayBeInTag(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: "_-/".utf8.contains(byte)
    }
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(while: Self.isOfTag)
    var name = Substring(scalars)
    while name.last == "/" { name.removeLast() }
    guard name.unicodeScalars.contains(where: { !("0"..."9").contains($0) }) else { return }
    add(String(name))
  }

  /// Adds a name of any words.
  private mutating func addWords(_ bytes: ArraySlice<UInt8>) {
    let name = String(decoding: bytes, as: UTF8.self)
    add(name.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  private mutating func add(_ whole: String) {
    // Of one that is too long for a tag, the beginning names it.
    let name = String(whole.unicodeScalars.prefix(101))
    guard !name.isEmpty, seen.insert(name.lowercased()).inserted else { return }
    guard found.count < limit else {
      hasMore = true
      return
    }
    found.append(name)
  }

  private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .otherSymbol, .modifierSymbol:
      true
    default: "_-/\u{200D}".unicodeScalars.contains(scalar)
    }
  }
}
