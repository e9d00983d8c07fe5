package import Foundation

/// A reader for the documents of S3: elements and text, and nothing that a document can define.
package enum SmallXML {
  /// The bytes are no such document.
  package struct Malformed: Error {}

  /// Calls `end` at the end of each element.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - end: Gets the names from the outermost element to this one, and the text after the last
  ///     tag inside: all text, where no other element is inside.
  /// - Throws: ``Malformed``, and errors of `end`.
  package static func read(
    _ bytes: Data,
    _ end: (_ path: [String], _ text: String) throws -> Void
  ) throws {
    var rest = Array(bytes)[...]
    var path: [String] = []
    var hasRoot = false
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let text = rest[..<start]
      rest = rest[(start + 1)...]
      if rest.first == UInt8(ascii: "?") {
        rest = try rest.dropped(through: "?>")
      } else if rest.starts(with: "!--".utf8) {
        rest = try rest.dropped(through: "-->")
      } else if rest.first == UInt8(ascii: "/") {
        let tag = try takeTag(&rest).dropFirst()
        guard let name = path.last, try name == string(tag).trimmed else { throw Malformed() }
        try end(path, unescaped(string(text)))
        path.removeLast()
      } else {
        var tag = try takeTag(&rest)
        let isEmpty = tag.last == UInt8(ascii: "/")
        if isEmpty { tag = tag.dropLast() }
        let name = try string(tag.prefix { !" \t\r\n".utf8.contains($0) })
        guard let first = name.first, first.isLetter, path.count < 16, !(hasRoot && path.isEmpty)
        else { throw Malformed() }
        hasRoot = true
        path.append(name)
        guard isEmpty else { continue }
        try end(path, "")
        path.removeLast()
      }
    }
    guard hasRoot, path.isEmpty else { throw Malformed() }
  }

  /// Takes the bytes up to the end of a tag, which may stand in an attribute too.
  private static func takeTag(_ rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    var quote: UInt8?
    for index in rest.indices {
      switch rest[index] {
      case UInt8(ascii: ">") where quote == nil:
        defer { rest = rest[(index + 1)...] }
        return rest[..<index]
      case let byte where byte == quote: quote = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = quote ?? rest[index]
      default: break
      }
    }
    throw Malformed()
  }

  private static func string(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed() }
    return text
  }

  private static func unescaped(_ text: String) throws -> String {
    guard text.contains("&") else { return text }
    let parts = text.split(separator: "&", omittingEmptySubsequences: false)
    return try parts.dropFirst().reduce(into: String(parts[0])) { whole, part in
      guard let end = part.firstIndex(of: ";") else { throw Malformed() }
      try whole.unicodeScalars.append(character(part[..<end]))
      whole += part[part.index(after: end)...]
    }
  }

  private static func character(_ name: Substring) throws -> Unicode.Scalar {
    let known: [Substring: Unicode.Scalar] = [
      "amp": "&", "apos": "'", "gt": ">", "lt": "<", "quot": "\"",
    ]
    if let scalar = known[name] { return scalar }
    let number =
      name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    guard name.hasPrefix("#"), let scalar = number.flatMap(Unicode.Scalar.init) else {
      throw Malformed()
    }
    return scalar
  }
}

extension ArraySlice<UInt8> {
  /// The bytes after the first appearance of a mark.
  fileprivate func dropped(through mark: String) throws -> ArraySlice<UInt8> {
    guard let range = firstRange(of: Array(mark.utf8)) else { throw SmallXML.Malformed() }
    return self[range.upperBound...]
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
