import Foundation
import SnippetTestSupport
import Testing

@testable import TerminalKit

struct JSONTests {
  @Test func `an object is one line in the order it was made`() {
    let object: JSONObject = [
      "id": 7, "title": "a/b", "pinned": true, "size": 1.5, "none": .null, "tags": ["x", "y"],
      "empty": [:], "nested": ["z": 1, "a": [2]],
    ]

    #expect(
      object.line
        == #"{"id":7,"title":"a/b","pinned":true,"size":1.5,"none":null,"tags":["x","y"],"#
        + #""empty":{},"nested":{"z":1,"a":[2]}}"#
    )
  }

  @Test(arguments: [
    "", "plain ~", "a\"b\\c", "line\nend\ttab\u{7F}", "Grüße 牛乳 👩‍👩‍👧", "\u{202E}\u{FEFF}\u{AD}",
    "é\u{301}",
  ])
  func `bytes say what values say`(text: String) {
    func add(to fields: inout some JSONFields) {
      fields.add("number", Int64.min)
      fields.add("zero", Int64(0))
      fields.add("part", 1.5)
      fields.add("none", Double.nan)
      fields.add("text", text)
      fields.add("plain", plain: { $0 += "2025-11-21".utf8 })
      fields.add("yes", true)
      fields.add("no", false)
      fields.add("texts", [text, "x"])
      fields.add("empty", [String]())
    }
    var object = JSONObject()
    var lines = JSONLines()

    add(to: &object)
    for _ in 0..<2 {
      lines.begin()
      add(to: &lines)
      lines.end()
    }

    #expect(String(decoding: lines.bytes, as: UTF8.self) == "\(object.line)\n\(object.line)\n")
  }

  @Test func `setting a field again keeps its place`() {
    var object: JSONObject = ["a": 1, "b": 2, "c": 3]

    object["a"] = 4
    object["b"] = nil
    object["d"] = .null

    #expect(object.line == #"{"a":4,"c":3,"d":null}"#)
    #expect(object["c"] == 3)
    #expect(object["b"] == nil)
  }

  @Test func `names that are only canonically equal are two names`() {
    var object = JSONObject()
    object["é"] = 1
    object["e\u{301}"] = 2

    #expect(object.fields.count == 2)
  }

  @Test(arguments: [
    ("\"\\/", #""\"\\/""#), ("\n\r\t\u{8}\u{C}\u{0}\u{1B}", #""\n\r\t\u0008\u000c\u0000\u001b""#),
    ("\u{7F}\u{9B}", #""\u007f\u009b""#), ("\u{202E}\u{2028}\u{FEFF}", #""\u202e\u2028\ufeff""#),
    ("\u{E0041}", #""\udb40\udc41""#), ("漢字 😀 é", #""漢字 😀 é""#),
  ])
  func `characters that act on a terminal are escaped`(text: String, json: String) {
    #expect(JSONValue.string(text).line == json)
  }

  @Test(arguments: [
    (JSONValue.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
    (.number(0.1), "0.1"), (.number(1e300), "1e+300"), (.number(.leastNonzeroMagnitude), "5e-324"),
    (.number(-0.0), "-0.0"), (.number(.nan), "null"), (.number(.infinity), "null"),
    (.number(2), "2.0"), (.bool(false), "false"), (.array([]), "[]"),
  ])
  func `numbers are written as JSON has them`(value: JSONValue, json: String) {
    #expect(value.line == json)
  }

  @Test func `every scalar there is comes back from a JSON parser`() throws {
    let texts = stride(from: 0, through: 0x10FFFF, by: 0x1000).map { start in
      String(String.UnicodeScalarView((start..<start + 0x1000).compactMap { Unicode.Scalar($0) }))
    }

    let line = JSONValue.array(texts.map { .string($0) }).line

    let parsed = try #require(try parse(line) as? [String])
    #expect(parsed.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    #expect(line.unicodeScalars.allSatisfy { $0.terminalHazard != .hidden })
  }

  @Test func `random values come back from a JSON parser`() throws {
    var values = RandomValues()
    for _ in 0..<500 {
      let value = values.next(depth: 4)

      let line = value.line
      let difference = firstDifference(value, try parse(line))

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(!line.contains("\n"), seed)
      #expect(difference == nil, seed)
    }
  }

  @Test func `a number keeps its every bit`() {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      let value = Double(bitPattern: generator.next())

      let line = JSONValue.number(value).line

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(value.isFinite ? Double(line) == value : line == "null", seed)
    }
  }

  @Test func `a record ends its line`() throws {
    let sink = RecordingSink()
    let stream = ConsoleStream(name: "output", sink: sink, device: .pipe)

    try stream.writeLine(["id": 1] as JSONObject)
    try stream.writeLine(["id": 2] as JSONObject)
    try stream.flush()

    #expect(sink.text == "{\"id\":1}\n{\"id\":2}\n")
  }

  private func parse(_ line: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
  }

  /// The first value in a value that was not parsed as itself.
  private func firstDifference(_ value: JSONValue, _ parsed: Any) -> JSONValue? {
    switch value {
    case .array(let values):
      guard let parsed = parsed as? [Any], parsed.count == values.count else { return value }
      return zip(values, parsed).lazy.compactMap(firstDifference).first
    case .object(let object):
      guard let parsed = parsed as? [String: Any], parsed.count == object.fields.count else {
        return value
      }
      return object.fields.lazy.compactMap {
        firstDifference($0.value, parsed[$0.name] ?? "no such field")
      }.first
    default:
      return matches(value, parsed) ? nil : value
    }
  }

  private func matches(_ leaf: JSONValue, _ parsed: Any) -> Bool {
    switch leaf {
    case .bool(let value): (parsed as? Bool) == value
    case .integer(let value): (parsed as? NSNumber)?.int64Value == value
    // On Linux this parser reads some numbers by way of decimals, which costs their last bits.
    case .number(let value): (parsed as? NSNumber).map { isClose($0.doubleValue, value) } ?? false
    case .string(let value): (parsed as? String).map { Array($0.utf8) } == Array(value.utf8)
    default: parsed is NSNull
    }
  }
}

private func isClose(_ parsed: Double, _ value: Double) -> Bool {
  abs(parsed - value) <= value.ulp * 16
}

/// Values of every kind, nested.
private struct RandomValues {
  private var texts = TroublesomeTexts()

  mutating func next(depth: Int) -> JSONValue {
    switch texts.number(in: 0...(depth > 0 ? 6 : 4)) {
    case 0: return .null
    case 1: return .bool(texts.number(in: 0...1) == 1)
    case 2: return .integer(Int64(texts.number(in: .min ... .max)))
    case 3: return .number(Double(bitPattern: UInt64(texts.number(in: 0...0x7FEF_FFFF_FFFF_FFFF))))
    case 4: return .string(texts.next())
    case 5: return .array((0..<texts.number(in: 0...4)).map { _ in next(depth: depth - 1) })
    default:
      var object = JSONObject()
      for number in 0..<texts.number(in: 0...4) {
        object["\(number)\(texts.next(pieceCount: 2))"] = next(depth: depth - 1)
      }
      return .object(object)
    }
  }
}
