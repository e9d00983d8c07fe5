import Foundation
import SnippetTestSupport

/// A line of JSON as a program reads it.
enum ParsedJSON: Hashable, Decodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([ParsedJSON])
  case object([String: ParsedJSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      // What is not of one type is of another: the last attempt throws.
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([ParsedJSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: ParsedJSON].self))
    }
  }

  subscript(name: String) -> ParsedJSON? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The types of the fields, such as `{id: integer, tags: [string]}`, in the order of their names.
  var shape: String {
    switch self {
    case .null: return "null"
    case .bool: return "bool"
    case .integer: return "integer"
    case .number: return "number"
    case .string: return "string"
    case .array(let values): return "[\(values.first?.shape ?? "")]"
    case .object(let fields):
      let parts = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shape)" }
      return "{\(parts.joined(separator: ", "))}"
    }
  }
}

extension ParsedJSON: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: ParsedJSON...) { self = .array(elements) }

  init(dictionaryLiteral elements: (String, ParsedJSON)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension SnipOutput {
  /// Every line of standard output, each a value in JSON.
  func json() throws -> [ParsedJSON] {
    try lines.map { try JSONDecoder().decode(ParsedJSON.self, from: Data($0.utf8)) }
  }

  /// The value of a field in every line of standard output; lines without it are left out.
  func json(_ field: String) throws -> [ParsedJSON] {
    try json().compactMap { $0[field] }
  }
}
