import Foundation

/// A reader of lines of JSON that are as ``JSONLine`` writes them.
///
/// Entries are read by the hundred thousand, and `JSONSerialization`, which makes an `NSNumber` of each
/// number, takes several times as long. To that is left what such lines rarely have: spaces, fractions,
/// numbers of more than 15 digits, `true` and `false`, characters by their numbers, a key that comes
/// twice.
struct JSONLineReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes.bindMemory(to: UInt8.self)
  }

  /// Reads an object, whose values are `Int64`, `String`, `NSNull`, arrays and objects.
  ///
  /// - Returns: The object; `nil` if `JSONSerialization` must read or refuse it.
  static func object(of line: Data) -> [String: Any]? {
    line.withUnsafeBytes { bytes in
      var reader = JSONLineReader(bytes)
      let object = reader.object(0)
      return reader.place == bytes.count ? object : nil
    }
  }

  // MARK: - Values

  /// The most objects and arrays within each other: an entry has six.
  private static let depthLimit = 16

  private mutating func value(_ depth: Int) -> Any? {
    guard place < bytes.count, depth < Self.depthLimit else { return nil }
    switch bytes[place] {
    case UInt8(ascii: "\""): return text()
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return array(depth)
    case UInt8(ascii: "n"): return null()
    default: return number()
    }
  }

  private mutating func object(_ depth: Int) -> [String: Any]? {
    var object: [String: Any] = [:]
    guard take("{") else { return nil }
    if take("}") { return object }
    repeat {
      guard let key = text(), take(":"), let value = value(depth + 1),
        object.updateValue(value, forKey: key) == nil
      else { return nil }
    } while take(",")
    return take("}") ? object : nil
  }

  private mutating func array(_ depth: Int) -> [Any]? {
    var array: [Any] = []
    guard take("[") else { return nil }
    if take("]") { return array }
    repeat {
      guard let value = value(depth + 1) else { return nil }
      array.append(value)
    } while take(",")
    return take("]") ? array : nil
  }

  private mutating func null() -> NSNull? {
    for letter in "null".unicodeScalars where !take(letter) { return nil }
    return NSNull()
  }

  /// Reads a whole number; whatever follows one of another form is no end of a value.
  private mutating func number() -> Int64? {
    let isNegative = take("-")
    let start = place
    var number: Int64 = 0
    while place < bytes.count, place < start + 15, let digit = Self.digit(bytes[place]) {
      number = number * 10 + digit
      place += 1
    }
    guard place > start else { return nil }
    if bytes[start] == UInt8(ascii: "0"), place > start + 1 || isNegative { return nil }
    return isNegative ? -number : number
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      ? Int64(byte - UInt8(ascii: "0")) : nil
  }

  private mutating func text() -> String? {
    guard take("\"") else { return nil }
    let start = place
    var isPlain = true
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      guard bytes[place] >= 0x20 else { return nil }
      if bytes[place] == UInt8(ascii: "\\") {
        isPlain = false
        place += 1
      }
      place += 1
    }
    guard place < bytes.count else { return nil }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<place])
    place += 1
    guard !isPlain else { return String(validating: text, as: UTF8.self) }
    return Self.unescaped(text).flatMap { String(validating: $0, as: UTF8.self) }
  }

  private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\""): result.append(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "/"): result.append(UInt8(ascii: "/"))
      case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
      default: return nil
      }
    }
    return result
  }

  /// Goes on by a character, if that is the next one.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }
}
