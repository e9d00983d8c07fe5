import Foundation
import Yams

extension Node {
  /// Reads the fields of front matter in JSON as if they were YAML; `nil` if there are none.
  ///
  /// - Throws: The reason if it is not JSON.
  init?(json text: String) throws(FrontMatterFlaw) {
    guard let value = try? JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)) else {
      throw JSONMend(text[...]).flaws.first ?? FrontMatterFlaw(reason: JSONTree.notJSON, line: 1)
    }
    guard case .fields(let fields) = value, !fields.isEmpty else { return nil }
    // The parser says nothing of a name that is there twice.
    if let flaw = JSONMend(text[...]).flaws.first { throw flaw }
    self.init(value)
  }

  private init(_ value: JSONTree) {
    self =
      switch value {
      // In the order of the keys, so that two readings are equal.
      case .fields(let fields):
        .mapping(
          Mapping(fields.sorted { $0.key < $1.key }.map { (Node($0.key), Node($0.value)) })
        )
      case .list(let items): .sequence(Sequence(items.map { Node($0) }))
      // A text that looks like another value is a text nevertheless.
      case .text(let text): .scalar(Scalar(text, Tag(.str), .doubleQuoted))
      case .other(let text): .scalar(Scalar(text))
      }
  }
}

/// A value in JSON.
indirect enum JSONTree: Decodable {
  case fields([String: JSONTree])
  case list([JSONTree])
  case text(String)
  /// A number, `true`, `false` or `null`, as it is written.
  case other(String)

  /// The most lists and objects within one another.
  static let maximumDepth = 16
  /// The reason of most flaws.
  static let notJSON = "it is not JSON"

  /// Returns the reason why an object cannot be read; `nil` if it can.
  static func flaw(in bytes: Data) -> String? {
    if (try? JSONDecoder().decode(JSONTree.self, from: bytes)) != nil { return nil }
    let isTooDeep = (try? JSONSerialization.jsonObject(with: bytes)) != nil
    return isTooDeep
      ? "more than \(maximumDepth) lists and objects are within one another" : notJSON
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // An error holds the path to its value, and the type of each value is found by errors.
    guard decoder.codingPath.count <= Self.maximumDepth else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "too deep")
    }
    if value.decodeNil() {
      self = .other("null")
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let isTrue = try? value.decode(Bool.self) {
      self = .other(isTrue ? "true" : "false")
    } else if let number = try? value.decode(Int64.self) {
      self = .other(String(number))
    } else if let number = try? value.decode(Double.self) {
      self = .other(String(number))
    } else if let items = try? value.decode([JSONTree].self) {
      self = .list(items)
    } else {
      self = .fields(try value.decode([String: JSONTree].self))
    }
  }
}
