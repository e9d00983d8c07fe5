/// A JSON value.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)

  /// A number with a fraction; infinities and NaN, which JSON lacks, are written as `null`.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Makes a number from an integer.
  package init(_ value: Int) {
    self = .integer(Int64(value))
  }

  /// The value as text on one line, without a line end.
  ///
  /// Fields keep their order, nothing is written between tokens, and slashes are not escaped. A
  /// character that could control a terminal or mislead its reader is written as `\u` escape. So
  /// the line is safe to show, and parses to exactly the same text.
  package var line: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? String(value) : "null"
    case .string(let value): Self.write(value, to: &text)
    case .array(let values): Self.write(values, to: &text)
    case .object(let object): Self.write(object, to: &text)
    }
  }

  private static func write(_ values: [JSONValue], to text: inout String) {
    text += "["
    for (position, value) in values.enumerated() {
      if position > 0 { text += "," }
      value.write(to: &text)
    }
    text += "]"
  }

  private static func write(_ object: JSONObject, to text: inout String) {
    text += "{"
    for (position, field) in object.fields.enumerated() {
      if position > 0 { text += "," }
      write(field.name, to: &text)
      text += ":"
      field.value.write(to: &text)
    }
    text += "}"
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    writeCharacters(of: string, to: &text)
    text += "\""
  }

  /// Writes the characters between the quotation marks; the pieces of a string can be written one
  /// by one.
  static func writeCharacters(of string: String, to text: inout String) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.terminalHazard == .hidden: writeEscape(of: scalar, to: &text)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func writeEscape(of scalar: Unicode.Scalar, to text: inout String) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

// There is no nil literal: assigning nil to a field removes it, so nil must not also mean null.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}
