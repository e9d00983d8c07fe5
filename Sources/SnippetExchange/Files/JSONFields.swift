import Foundation
import SnippetStorage

/// The values of an object in JSON, with a record of those that were read.
struct JSONFields {
  private let values: [String: Any]
  /// The names of values that were read, or say nothing.
  private var known: Set<String> = []

  /// The most bytes of such a file; a note of 20,000 characters has a tenth of that.
  static let maximumByteCount: Int64 = 1 << 20

  init(_ values: [String: Any]) {
    self.values = values
  }

  /// Reads an object; `nil` for anything else.
  init?(_ data: Data) {
    guard let values = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return nil
    }
    self.init(values)
  }

  /// Whether there is a value, of whatever type.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Marks values as known that say nothing for a store.
  mutating func skip(_ names: String...) { known.formUnion(names) }

  /// Marks a value as unread that was looked at.
  mutating func leave(_ name: String) { known.remove(name) }

  /// A text that is not empty.
  mutating func text(_ name: String) -> String? {
    known.insert(name)
    guard let text = values[name] as? String, !text.isEmpty else { return nil }
    return text
  }

  /// The texts in a list.
  mutating func texts(_ name: String) -> [String] {
    known.insert(name)
    return (values[name] as? [Any] ?? []).compactMap { $0 as? String }
  }

  /// A truth; numbers count too, as some programs write them.
  mutating func flag(_ name: String) -> Bool {
    known.insert(name)
    return (values[name] as? NSNumber)?.boolValue ?? false
  }

  /// A number, or a text of digits.
  mutating func number(_ name: String) -> Double? {
    known.insert(name)
    if let text = values[name] as? String { return Double(text) }
    return (values[name] as? NSNumber)?.doubleValue
  }

  /// An object inside.
  mutating func fields(_ name: String) -> JSONFields? {
    known.insert(name)
    return (values[name] as? [String: Any]).map(JSONFields.init)
  }

  /// The objects in a list.
  mutating func list(_ name: String) -> [JSONFields] {
    known.insert(name)
    return (values[name] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
      .map(JSONFields.init)
  }

  /// The names of values that were not read and say something, in order.
  var unreadNames: [String] {
    values.filter { !known.contains($0.key) && Self.saysSomething($0.value) }.keys.sorted()
  }

  /// Whether a value is not what a program writes for nothing.
  private static func saysSomething(_ value: Any) -> Bool {
    switch value {
    case is NSNull: false
    case let text as String: !text.isEmpty
    case let number as NSNumber: number.doubleValue != 0
    case let list as [Any]: list.contains(where: saysSomething)
    case let fields as [String: Any]: fields.values.contains(where: saysSomething)
    default: true
    }
  }
}

extension Date {
  /// The date at some seconds since 1970; `nil` if a store does not accept it.
  init?(storeSeconds seconds: Double) {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}
