import Foundation

/// JSON front matter without the fields, the repeated names, the comments and the commas that make it invalid, so that the
/// others can be read.
///
/// Like ``FrontMatterMend``, it serves reading alone.
struct JSONMend {
  /// The object with the fields that can be read.
  private(set) var json = "{}"
  /// All flaws, in the order of their lines; each reason is there once.
  private(set) var flaws: [FrontMatterFlaw] = []

  private var bytes: [UInt8]
  private static let maximumFieldCount = 1_000

  /// Reads each field alone; without any if there are too many.
  ///
  /// - Parameter fields: The invalid object, with its braces.
  init(_ fields: Substring) {
    bytes = Array(fields.utf8)
    guard bytes.count > 2 else { return }
    let ranges = fieldRanges()
    guard ranges.count <= Self.maximumFieldCount else { return }
    var kept: [String] = []
    var names: Set<String> = []
    var (line, place) = (1, 0)
    for range in ranges {
      guard let start = range.first(where: { !Self.isBlank(bytes[$0]) }) else { continue }
      line += Self.lineCount(bytes[place..<start])
      place = start
      let field = bytes[start..<range.upperBound]
      guard let readable = read(field, on: line) else { continue }
      if let name = Self.name(field), !names.insert(name).inserted {
        flaws.append(FrontMatterFlaw(.repeated(Self.shown(name)), line: line))
      } else {
        kept.append(readable)
      }
    }
    json = "{\(kept.joined(separator: ","))}"
    flaws.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// Returns the ranges between the commas of the object, and blanks out its comments and the commas
  /// before closing brackets.
  private mutating func fieldRanges() -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    let end = bytes.count - 1
    var (start, place, depth) = (1, 1, 1)
    var isQuoted = false
    /// The comma with nothing behind it so far.
    var comma: Int?
    while place < end {
      let byte = bytes[place]
      if !isQuoted, byte == UInt8(ascii: "/"), let next = commentEnd(from: place) {
        add("a comment stands in it", at: place)
        for index in place..<next where bytes[index] != UInt8(ascii: "\n") { bytes[index] = 0x20 }
        place = next
        continue
      }
      switch byte {
      case UInt8(ascii: "\\") where isQuoted: place += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        removeComma(comma)
        depth = max(1, depth - 1)
      case UInt8(ascii: ",") where depth == 1:
        if comma != nil { add("a comma stands behind another", at: place) }
        ranges.append(start..<place)
        start = place + 1
      default: break
      }
      if !Self.isBlank(byte) { comma = byte == UInt8(ascii: ",") && !isQuoted ? place : nil }
      place += 1
    }
    removeComma(comma)
    ranges.append(start..<end)
    return ranges
  }

  /// Returns the end of a comment that begins at a slash, within the object; `nil` if none does.
  private func commentEnd(from place: Int) -> Int? {
    let end = bytes.count - 1
    guard place + 1 < end else { return nil }
    let mark = bytes[place + 1]
    if mark == UInt8(ascii: "/") {
      return bytes[place..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
    }
    guard mark == UInt8(ascii: "*") else { return nil }
    var index = place + 2
    while index + 1 < end {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        return index + 2
      }
      index += 1
    }
    return end
  }

  /// Blanks out a comma behind the last value, which some parsers take.
  private mutating func removeComma(_ place: Int?) {
    if let place { bytes[place] = 0x20 }
  }

  private mutating func add(_ reason: String, at place: Int) {
    guard !flaws.contains(where: { $0.reason == reason }) else { return }
    flaws.append(FrontMatterFlaw(reason: reason, line: 1 + Self.lineCount(bytes[..<place])))
  }

  /// Returns a field as it can be read; `nil` if it cannot.
  private mutating func read(_ field: ArraySlice<UInt8>, on line: Int) -> String? {
    var object = Data("{".utf8)
    object.append(contentsOf: field)
    object.append(UInt8(ascii: "}"))
    guard let cause = JSONTree.flaw(in: object) else {
      return String(decoding: field, as: UTF8.self)
    }
    guard cause == JSONTree.notJSON else {
      flaws.append(FrontMatterFlaw(reason: cause, line: line))
      return nil
    }
    guard let name = Self.name(field) else {
      let reason = "the name of a field has no quotes, or no colon behind it"
      flaws.append(FrontMatterFlaw(reason: reason, line: line))
      return nil
    }
    let mended = MendedJSON(object).data
    if JSONTree.flaw(in: mended) == nil {
      let reason = "“\(Self.shown(name))” has characters that a text in JSON must not have"
      flaws.append(FrontMatterFlaw(reason: reason, line: line))
      return String(decoding: mended.dropFirst().dropLast(), as: UTF8.self)
    }
    let reason = "the value of “\(Self.shown(name))” is not JSON, or no comma stands behind it"
    flaws.append(FrontMatterFlaw(reason: reason, line: line))
    return nil
  }

  /// Returns the name at the beginning of a field; `nil` without quotes around it or a colon behind
  /// them.
  private static func name(_ field: ArraySlice<UInt8>) -> String? {
    guard field.first == UInt8(ascii: "\"") else { return nil }
    let rest = field.dropFirst()
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")),
      field[(end + 1)...].first(where: { !isBlank($0) }) == UInt8(ascii: ":")
    else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private static func shown(_ name: String) -> String { String(name.prefix(40)) }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private static func lineCount(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }
}
