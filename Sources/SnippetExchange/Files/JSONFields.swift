import Foundation

/// The values of an object in JSON, with a record of those that were read.
struct JSONFields {
  private let values: [String: Any]
  /// The names of values that were read, or say nothing.
  private var known: Set<String> = []
  /// The reason to name if some characters in the JSON were none.
  private(set) var flaw: FrontMatterFlaw?

  /// The most bytes of such a file; a note of 20,000 characters has a tenth of that.
  static let maximumByteCount: Int64 = 1 << 20

  init(_ values: [String: Any]) {
    self.values = values
  }

  /// Reads an object; `nil` for anything else.
  init?(_ data: Data) {
    if let values = Self.values(data) {
      self.init(values)
      return
    }
    let mended = MendedJSON(data)
    guard let values = Self.values(mended.data) else { return nil }
    self.init(values)
    if mended.hasReplacements {
      flaw = FrontMatterFlaw(reason: "some bytes in it are not characters; they are shown as �")
    }
  }

  private static func values(_ data: Data) -> [String: Any]? {
    try? JSONSerialization.jsonObject(with: data) as? [String: Any]
  }

  /// Whether there is a value, of whatever type.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Marks values as known that say nothing for a store.
  mutating func skip(_ names: String...) { known.formUnion(names) }

  /// Marks a value as unread that was looked at.
  mutating func leave(_ name: String) { known.remove(name) }

  /// Returns a value as it was read; it stays unread if `read` gives `nil` and it says something.
  private mutating func take<Value>(_ name: String, _ read: (Any) -> Value?) -> Value? {
    guard let value = values[name] else { return nil }
    let result = read(value)
    if result != nil || !Self.saysSomething(value) { known.insert(name) }
    return result
  }

  /// A text that is not empty.
  mutating func text(_ name: String) -> String? {
    take(name) { ($0 as? String).flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The texts in a list, which stays unread if it has others.
  mutating func texts(_ name: String) -> [String] {
    elements(name) { $0 as? String }
  }

  /// A truth; numbers count too, as some programs write them.
  mutating func flag(_ name: String) -> Bool {
    take(name) { value in
      if let text = value as? String { return ["true": true, "false": false][text.lowercased()] }
      return (value as? NSNumber)?.boolValue
    } ?? false
  }

  /// A number, or a text of digits.
  mutating func number(_ name: String) -> Double? {
    take(name) { value in
      if let text = value as? String { return Double(text) }
      return (value as? NSNumber)?.doubleValue
    }
  }

  /// An object inside.
  mutating func fields(_ name: String) -> JSONFields? {
    take(name) { ($0 as? [String: Any]).map(JSONFields.init) }
  }

  /// The objects in a list, which stays unread if it has others.
  mutating func list(_ name: String) -> [JSONFields] {
    elements(name) { ($0 as? [String: Any]).map(JSONFields.init) }
  }

  private mutating func elements<Element>(
    _ name: String,
    _ read: (Any) -> Element?
  ) -> [Element] {
    let list = take(name) { $0 as? [Any] } ?? []
    let elements = list.compactMap(read)
    if elements.count < list.count { leave(name) }
    return elements
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
