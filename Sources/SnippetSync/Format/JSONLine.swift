import Foundation
import SnippetBase

/// One line of JSON, written field by field.
///
/// Entries are written by the hundred thousand, and `JSONSerialization`, which sorts the keys of a
/// dictionary by the rules of a language, took 13 times as long.
struct JSONLine {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(512) }

  /// The bytes, without a line end.
  var data: Data { Data(bytes) }

  /// Begins an object or an array.
  mutating func begin(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
  }

  /// Ends an object or an array.
  mutating func end(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
  }

  /// Adds a key, whose value is written next.
  mutating func key(_ name: String) {
    write(name)
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func write(_ number: Int64) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func writeNull() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Adds a value that is JSON already.
  mutating func write(json: String) {
    separate()
    bytes.append(contentsOf: json.utf8)
  }

  mutating func write(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      if utf8.allSatisfy(Self.isPlain) {
        bytes.append(contentsOf: utf8)
      } else {
        for byte in utf8 { appendEscaped(byte) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Adds a byte of a text as RFC 8259 wants it.
  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
    case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
    case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
    case 0..<0x20: bytes.append(contentsOf: (#"\u00"# + Data([byte]).hexadecimal).utf8)
    default: bytes.append(byte)
    }
  }

  /// Adds a comma, unless the next value is the first of its array or that of a key.
  private mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }
}
