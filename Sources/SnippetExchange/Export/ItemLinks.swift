import Foundation
import SnippetBase

/// The links of Joplin in a note, `:/` and the id of another note or of a resource.
enum ItemLinks {
  private static let mark = Array(":/".utf8)
  /// The characters before a link in Markdown and HTML.
  private static let openers: Set<UInt8> = Set("(\"'< \t".utf8)

  /// Whether a text may have such a link.
  static func mayBe(in text: Data) -> Bool { text.range(of: Data(mark)) != nil }

  /// Replaces the links of a note at a path by relative ones.
  ///
  /// `target` returns the path of the file with an id; a link to one without a file stays.
  static func replaced(
    in text: Data,
    at path: String,
    target: (UUID) throws -> String?
  ) rethrows -> Data {
    var (result, rest) = (Data(), text[...])
    while let found = rest.range(of: Data(mark)) {
      let end = found.upperBound + 32
      result += rest[rest.startIndex..<found.lowerBound]
      if end <= rest.endIndex, isOpened(text, before: found.lowerBound),
        end == rest.endIndex || !isOfName(rest[end]),
        let id = JoplinExport.id(String(decoding: rest[found.upperBound..<end], as: UTF8.self)),
        let file = try target(id)
      {
        result += Data(relative(file, to: path).utf8)
        rest = rest[end...]
      } else {
        result += rest[found]
        rest = rest[found.upperBound...]
      }
    }
    return result + rest
  }

  private static func isOpened(_ text: Data, before place: Data.Index) -> Bool {
    place > text.startIndex && openers.contains(text[place - 1])
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// Returns the path of a file as seen from another, as a URL.
  static func relative(_ path: String, to other: String) -> String {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    let around = other.utf8.split(separator: UInt8(ascii: "/")).dropLast()
    let common = zip(parts.dropLast(), around).prefix { $0.elementsEqual($1) }.count
    let up = Array(repeating: "..", count: around.count - common)
    return (up + parts.dropFirst(common).map(escaped)).joined(separator: "/")
  }

  /// Escapes what Markdown or a URL would take for something else.
  private static func escaped(_ name: Substring.UTF8View) -> String {
    var result: [UInt8] = []
    for byte in name {
      if byte <= 0x20 || byte == 0x7F || "()<>[]%#?\"'\\:|".utf8.contains(byte) {
        result += "%\(Data([byte]).hexadecimal.uppercased())".utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
