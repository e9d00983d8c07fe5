import Foundation
import Yams

/// YAML front matter without the fields that make it invalid, so that the others can be read.
///
/// It serves reading alone. An edit keeps refusing such front matter, because it proves itself by
/// reading the result again.
struct FrontMatterMend {
  /// The fields on their former lines; those that are left out are blank.
  let yaml: String
  /// The flaws besides the one that the parser named.
  let flaws: [FrontMatterFlaw]

  private static let maximumPartCount = 1_000
  private static let maximumAttemptCount = 8

  /// Reads each field alone, and leaves out those that are invalid; `nil` if that does not help.
  ///
  /// - Parameters:
  ///   - fields: The invalid fields.
  ///   - flaw: The flaw that the parser named.
  init?(_ fields: Substring, _ flaw: FrontMatterFlaw) {
    let lines = fields.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    var starts = lines.indices.filter { Self.beginsPart(lines[$0]) }
    guard let first = starts.first, starts.count <= Self.maximumPartCount,
      lines[..<first].allSatisfy(Self.saysNothing)
    else { return nil }
    starts.append(lines.count)
    var kept = lines.map { String($0) }
    var valid: [(name: String, lines: Range<Int>)] = []
    var found: [FrontMatterFlaw] = []
    var attempts = Self.maximumAttemptCount
    var index = 0
    while index < starts.count - 1 {
      let start = starts[index]
      var next = index + 1
      var flaw = Self.flaw(lines[start..<starts[next]])
      let printable = flaw == nil ? nil : Self.printable(lines[start..<starts[next]])
      // A text in quotes or a list may go on in lines that look like fields.
      let isAliased = flaw?.mistake == .alias
      if flaw != nil, !isAliased, printable == nil, let closer = Self.closer(lines[start]) {
        guard attempts > 0 else { return nil }
        attempts -= 1
        var last = next
        while flaw != nil, last < starts.count - 1 {
          let isEnd = lines[starts[last]..<starts[last + 1]].contains { $0.utf8.contains(closer) }
          last += 1
          guard isEnd else { continue }
          guard attempts > 0 else { return nil }
          attempts -= 1
          guard Self.flaw(lines[start..<starts[last]]) == nil else { continue }
          (flaw, next) = (nil, last)
        }
      }
      let range = start..<starts[next]
      if let flaw {
        found.append(flaw)
        for line in range { kept[line] = "" }
        if let printable {
          kept.replaceSubrange(range, with: printable)
        } else if let text = Self.text(lines[range]) {
          kept[start] = text
        }
      }
      if !kept[start].isEmpty, let name = Self.name(lines[start]) { valid.append((name, range)) }
      index = next
    }
    // The parser named the first of them, unless it was not asked.
    var others = Array(found.dropFirst(flaw.mistake == .alias ? 0 : 1))
    var places: [String: [Range<Int>]] = [:]
    for field in valid { places[field.name, default: []].append(field.lines) }
    for name in places.keys.sorted() {
      guard let same = places[name], same.count > 1 else { continue }
      for range in same.dropFirst() {
        for line in range { kept[line] = "" }
      }
      let mistake = FrontMatterFlaw.Mistake.repeated(name)
      if mistake != flaw.mistake {
        others.append(FrontMatterFlaw(mistake, line: same[1].lowerBound + 2))
      }
    }
    (yaml, flaws) = (kept.joined(separator: "\n"), others)
  }

  /// Whether a line begins a field, or is out of place.
  private static func beginsPart(_ line: Substring) -> Bool {
    guard let first = line.utf8.first, !" \t\r#".utf8.contains(first) else { return false }
    // An item of a list belongs to the field above it.
    let second = line.utf8.dropFirst().first
    return first != UInt8(ascii: "-") || second.map { !" \t\r".utf8.contains($0) } == true
  }

  /// Whether a line is blank or a comment.
  private static func saysNothing(_ line: Substring) -> Bool {
    let first = line.utf8.first { !" \t\r".utf8.contains($0) }
    return first == nil || first == UInt8(ascii: "#")
  }

  /// Returns the flaw of lines that are read alone; `nil` if they are valid.
  private static func flaw(_ lines: ArraySlice<Substring>) -> FrontMatterFlaw? {
    var flaw = FrontMatterFlaw(reason: "it is no field", line: 2)
    let yaml = lines.joined(separator: "\n")
    if FrontMatterValues.hasReferences(yaml[...]) {
      flaw.mistake = .alias
    } else {
      do {
        if try Yams.compose(yaml: yaml)?.mapping != nil { return nil }
      } catch {
        flaw = FrontMatterFlaw(error)
        // The value that an alias names may be in another field.
        if flaw.mistake == .undefinedAlias { flaw.mistake = .alias }
      }
    }
    flaw.line = (flaw.line ?? 2) + lines.startIndex
    return flaw
  }

  /// Returns lines without the control characters that YAML does not allow; `nil` if that is not
  /// all that makes them invalid.
  private static func printable(_ lines: ArraySlice<Substring>) -> [String]? {
    let kept = lines.map { line in
      String(String.UnicodeScalarView(line.unicodeScalars.filter(isAllowed)))
    }
    guard !kept.elementsEqual(lines.map { String($0) }),
      flaw(ArraySlice(kept.map { $0[...] })) == nil
    else { return nil }
    return kept
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0D, 0x85: true
    case 0xFEFF, 0xFFFE, 0xFFFF: false
    default: scalar.properties.generalCategory != .control
    }
  }

  /// Returns the position of the colon behind the name of a field.
  private static func colon(in line: Substring) -> Substring.Index? {
    var rest = line.utf8
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[rest.index(after: colon)...]
      guard let next = rest.first else { return colon }
      if " \t\r".utf8.contains(next) { return colon }
    }
    return nil
  }

  private static func name(_ line: Substring) -> String? {
    guard let colon = Self.colon(in: line) else { return nil }
    return line[..<colon].filter { $0 != "\"" && $0 != "'" }.trimmingCharacters(in: .whitespaces)
  }

  private static func value(_ line: Substring) -> String? {
    guard let colon = Self.colon(in: line) else { return nil }
    return String(line[colon...].dropFirst()).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns what ends the text in quotes, the list or the mapping that begins in a line.
  private static func closer(_ line: Substring) -> UInt8? {
    switch Self.value(line)?.utf8.first {
    case UInt8(ascii: "\""): UInt8(ascii: "\"")
    case UInt8(ascii: "'"): UInt8(ascii: "'")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "{"): UInt8(ascii: "}")
    default: nil
    }
  }

  /// Writes a plain value of one line, which has a colon and a blank, in quotes; `nil` for others.
  private static func text(_ lines: ArraySlice<Substring>) -> String? {
    guard let first = lines.first, lines.dropFirst().allSatisfy(saysNothing),
      let name = Self.name(first), !name.isEmpty,
      // The words of tags are between blanks, and would keep the colon.
      !FrontMatterValues.tagKeys.contains(name.lowercased()),
      var value = Self.value(first), value.contains(":"),
      value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
      let sign = value.first, !"\"'[]{}&*!|>%@`#,?-:".contains(sign)
    else { return nil }
    if let comment = value.firstRange(of: " #") { value = String(value[..<comment.lowerBound]) }
    let line = "\(FrontMatterEdit.scalar(name)): \(FrontMatterEdit.scalar(value))"
    return Self.flaw([line[...]]) == nil ? line : nil
  }
}

extension FrontMatterValues {
  /// Reads the valid fields of front matter with a flaw; `nil` if there are none.
  init?(mending frontMatter: FrontMatter, in text: String, after flaw: FrontMatterFlaw) {
    let fields = text[frontMatter.range]
    let mapping: Node.Mapping?
    let flaws: [FrontMatterFlaw]
    switch frontMatter.language {
    case .yaml:
      guard let mend = FrontMatterMend(fields, flaw),
        !Self.hasReferences(mend.yaml[...])
      else { return nil }
      mapping = (try? Yams.compose(yaml: mend.yaml))?.mapping
      flaws = mend.flaws
    case .toml:
      guard let mend = TOMLMend(fields, flaw) else { return nil }
      mapping = (try? Node(toml: mend.toml))?.mapping
      flaws = mend.flaws
    case .json:
      let mend = JSONMend(fields)
      mapping = (try? Node(json: mend.json))?.mapping
      // The first is why the whole was not read.
      flaws = Array(mend.flaws.dropFirst())
    }
    guard let mapping else { return nil }
    self.init(mapping)
    if frontMatter.language == .yaml { findComments(in: fields) }
    unread += flaws
  }
}
