import SnippetBase

/// The prolog of a document of XML: all before its root.
enum XMLProlog {
  /// Whether a document declares no entities, as its beginning tells.
  ///
  /// Entities can make a few bytes gigabytes. What this does not know, as a comment or another encoding
  /// than UTF-8, may declare some.
  static func declaresNothing(_ head: some Collection<UInt8>) -> Bool {
    var rest = Array(head)[...]
    if rest.starts(with: ByteOrderMark.utf8) { rest = rest.dropFirst(3) }
    rest = rest.drop(while: isBlank)
    if rest.starts(with: "<?xml".utf8) {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      let declaration = String(decoding: rest[..<end], as: UTF8.self).lowercased()
      guard !declaration.contains("encoding") || declaration.contains("utf-8") else { return false }
      rest = rest[(end + 1)...].drop(while: isBlank)
    }
    if rest.starts(with: "<!DOCTYPE".utf8) {
      guard let end = endOfType(rest), rest[end] == UInt8(ascii: ">") else { return false }
      rest = rest[(end + 1)...].drop(while: isBlank)
    }
    guard rest.popFirst() == UInt8(ascii: "<"), let first = rest.first else { return false }
    return 0x41...0x5A ~= first || 0x61...0x7A ~= first
  }

  /// The place of the character that ends the declaration of a type, or begins what it declares.
  private static func endOfType(_ text: ArraySlice<UInt8>) -> Int? {
    var quote: UInt8?
    return text.firstIndex { byte in
      if let open = quote {
        if byte == open { quote = nil }
        return false
      }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
      return byte == UInt8(ascii: ">") || byte == UInt8(ascii: "[")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }
}
