import Foundation
import Yams

/// TOML front matter without the lines that make it invalid, so that the others can be read.
///
/// Like ``FrontMatterMend``, it serves reading alone.
struct TOMLMend {
  /// The lines in their places; those that are left out are blank.
  private(set) var toml = ""
  /// The flaws besides the one that the parser named.
  private(set) var flaws: [FrontMatterFlaw] = []

  /// A field or the name of a table, which is valid by itself.
  private struct Part {
    let lines: Range<Int>
    /// The name of the field, or the line with that of the table.
    let name: String
    let isTable: Bool
  }

  private let lines: [Substring]
  private var next = 0
  /// The number of times that lines may still be parsed.
  private var parseCount = 1_000
  /// The number of lines in which a list may still turn out not to end, which parses it again.
  private var attemptCount = 8
  /// The marks around long texts that no line has any more.
  private var absentMarks: Set<String> = []

  /// Reads each line alone, and leaves out those that are invalid; `nil` if there are too many.
  ///
  /// - Parameters:
  ///   - fields: The invalid fields.
  ///   - flaw: The flaw that the parser named.
  init?(_ fields: Substring, _ flaw: FrontMatterFlaw) {
    lines = fields.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    var parts: [Part] = []
    while next < lines.count {
      guard parseCount > 0 else { return nil }
      if let part = readPart() { parts.append(part) }
    }
    var kept = [Substring](repeating: "", count: lines.count)
    for part in withoutRepeated(parts) {
      for line in part.lines { kept[line] = lines[line] }
    }
    toml = kept.joined(separator: "\n")
    flaws.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    if !flaws.isEmpty {
      let named = flaws.firstIndex { $0.line == flaw.line } ?? 0
      flaws.remove(at: named)
    }
  }

  /// Reads what begins at the next line; `nil` if that says nothing or is invalid.
  private mutating func readPart() -> Part? {
    let start = next
    let text = Self.trimmed(lines[start])
    next += 1
    guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
    let isTable = Self.isTable(text)
    let name = Self.name(text) ?? text
    guard let flaw = flaw(start..<next) else {
      return Part(lines: start..<next, name: name, isTable: isTable)
    }
    if isTable {
      // Its fields would become those of the table before it.
      while next < lines.count, !Self.isTable(Self.trimmed(lines[next])) { next += 1 }
    } else if let mark = Self.longTextMark(text) {
      // A line that looks like a field is a part of the text.
      if let last = line(with: mark) {
        next = last + 1
        if self.flaw(start..<next) == nil {
          return Part(lines: start..<next, name: name, isTable: false)
        }
      }
    } else if let closer = Self.closer(text) {
      if let end = listEnd(from: start, closer) {
        next = end
        return Part(lines: start..<next, name: name, isTable: false)
      }
      while next < lines.count, !Self.beginsPart(Self.trimmed(lines[next])) { next += 1 }
    }
    flaws.append(flaw)
    return nil
  }

  /// Returns the first of the next lines with a mark.
  private mutating func line(with mark: String) -> Int? {
    guard !absentMarks.contains(mark) else { return nil }
    let line = lines[next...].firstIndex { $0.contains(mark) }
    if line == nil { absentMarks.insert(mark) }
    return line
  }

  /// Returns the line behind a list or a table that begins in a line; `nil` if it is invalid however
  /// many of the lines before the next field belong to it.
  private mutating func listEnd(from start: Int, _ closer: Character) -> Int? {
    var line = start + 1
    while line < lines.count, attemptCount > 0, Self.name(Self.trimmed(lines[line])) == nil {
      let isEnd = lines[line].contains(closer)
      line += 1
      guard isEnd else { continue }
      if flaw(start..<line) == nil { return line }
      attemptCount -= 1
    }
    return nil
  }

  /// Leaves out the second of fields and tables that are there twice.
  private mutating func withoutRepeated(_ parts: [Part]) -> [Part] {
    var places: [String: [Int]] = [:]
    var (table, tableCount) = ("", 0)
    /// The number of the table that each part is of.
    var tables: [Int] = []
    for (index, part) in parts.enumerated() {
      if part.isTable {
        tableCount += 1
        // Each `[[name]]` is a table of its own.
        let isOne = !part.name.hasPrefix("[[")
        table = isOne ? part.name : "\(tableCount)"
        if isOne { places[part.name, default: []].append(index) }
      } else {
        places["\(table)\n\(part.name)", default: []].append(index)
      }
      tables.append(tableCount)
    }
    var repeated: Set<Int> = []
    for same in places.values where same.count > 1 {
      let first = parts[same[0]]
      repeated.formUnion(same.dropFirst())
      let line = parts[same[1]].lines.lowerBound + 2
      flaws.append(FrontMatterFlaw(.repeated(first.name), line: line))
    }
    let repeatedTables = Set(repeated.filter { parts[$0].isTable }.map { tables[$0] })
    return parts.indices
      .filter { !repeated.contains($0) && !repeatedTables.contains(tables[$0]) }
      .map { parts[$0] }
  }

  /// Returns the flaw of lines that are parsed alone; `nil` if they are valid.
  private mutating func flaw(_ range: Range<Int>) -> FrontMatterFlaw? {
    parseCount -= 1
    do throws(FrontMatterFlaw) {
      _ = try Node(toml: lines[range].joined(separator: "\n"))
      return nil
    } catch {
      // It counts from the line of plus signs.
      return FrontMatterFlaw(reason: error.reason, line: (error.line ?? 2) + range.lowerBound)
    }
  }

  private static func trimmed(_ line: Substring) -> String {
    line.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether a line without blanks around it begins a field or a table.
  private static func beginsPart(_ line: String) -> Bool { isTable(line) || name(line) != nil }

  /// Whether a line without blanks around it names a table.
  private static func isTable(_ line: String) -> Bool {
    guard line.hasPrefix("["), let end = line.lastIndex(of: "]") else { return false }
    let rest = trimmed(line[line.index(after: end)...])
    return rest.isEmpty || rest.hasPrefix("#")
  }

  /// Returns the name before the equals sign of a line; `nil` if it has none.
  private static func name(_ line: String) -> String? {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    let name = trimmed(line[..<sign])
    // In a list, quotes and brackets begin before the sign.
    let isWhole = ["\"", "'"].allSatisfy { (quote: Character) in
      name.filter { $0 == quote }.count.isMultiple(of: 2)
    }
    let isPlain = !name.contains { "[]{},#".contains($0) }
    return isWhole && isPlain && !name.isEmpty ? name : nil
  }

  /// Returns the value behind the equals sign of a line.
  private static func value(_ line: String) -> String {
    line.firstIndex(of: "=").map { trimmed(line[$0...].dropFirst()) } ?? ""
  }

  /// Returns the three quotes that end the text which begins in a line and goes on below it; `nil`
  /// for other values.
  private static func longTextMark(_ line: String) -> String? {
    let value = value(line)
    return ["\"\"\"", "'''"].first { value.hasPrefix($0) && !value.dropFirst(3).contains($0) }
  }

  /// Returns what ends the list or the table that is the value of a line; `nil` for other values.
  private static func closer(_ line: String) -> Character? {
    switch value(line).first {
    case "[": "]"
    case "{": "}"
    default: nil
    }
  }
}
