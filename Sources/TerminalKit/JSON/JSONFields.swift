/// A receiver of the fields of a JSON object, one after the other.
///
/// A type describes its fields once, and can then write them as values or as bytes.
package protocol JSONFields {
  /// Adds a number.
  mutating func add(_ name: StaticString, _ value: Int64)
  /// Adds a number with a fraction.
  mutating func add(_ name: StaticString, _ value: Double)
  /// Adds a text.
  mutating func add(_ name: StaticString, _ value: String)
  /// Adds a text of characters that need no escapes.
  mutating func add(_ name: StaticString, plain body: (inout [UInt8]) -> Void)
  /// Adds a boolean.
  mutating func add(_ name: StaticString, _ value: Bool)
  /// Adds texts.
  mutating func add(_ name: StaticString, _ values: [String])
}

extension JSONObject: JSONFields {
  package mutating func add(_ name: StaticString, _ value: Int64) {
    self["\(name)"] = .integer(value)
  }

  package mutating func add(_ name: StaticString, _ value: Double) {
    self["\(name)"] = .number(value)
  }

  package mutating func add(_ name: StaticString, _ value: String) {
    self["\(name)"] = .string(value)
  }

  package mutating func add(_ name: StaticString, plain body: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    body(&bytes)
    self["\(name)"] = .string(String(decoding: bytes, as: UTF8.self))
  }

  package mutating func add(_ name: StaticString, _ value: Bool) { self["\(name)"] = .bool(value) }

  package mutating func add(_ name: StaticString, _ values: [String]) {
    self["\(name)"] = .array(values.map(JSONValue.string))
  }
}

/// Objects as lines of JSON, written directly as bytes; the lines equal those of ``JSONObject``.
package struct JSONLines: JSONFields, Sendable {
  /// The lines so far, each with its line end.
  package private(set) var bytes: [UInt8] = []
  private var isFirst = true

  /// Starts without lines.
  package init() {}

  /// Begins an object.
  package mutating func begin() {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
  }

  /// Ends the object and its line.
  package mutating func end() {
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }

  package mutating func add(_ name: StaticString, _ value: Int64) {
    begin(name)
    append(value)
  }

  package mutating func add(_ name: StaticString, _ value: Double) {
    begin(name)
    bytes += JSONValue.number(value).line.utf8
  }

  package mutating func add(_ name: StaticString, _ value: String) {
    begin(name)
    append(value)
  }

  package mutating func add(_ name: StaticString, plain body: (inout [UInt8]) -> Void) {
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    body(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func add(_ name: StaticString, _ value: Bool) {
    begin(name)
    bytes += (value ? "true" : "false").utf8
  }

  package mutating func add(_ name: StaticString, _ values: [String]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (position, value) in values.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      append(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ name: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    let isWritten = text.withUTF8 { utf8 in
      guard utf8.allSatisfy(Self.isPlain) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if !isWritten {
      var escaped = ""
      JSONValue.writeCharacters(of: text, to: &escaped)
      bytes += escaped.utf8
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a byte is a character that needs no escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
