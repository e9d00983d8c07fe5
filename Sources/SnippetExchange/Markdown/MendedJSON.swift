import Foundation

/// JSON in which some characters are none: bytes that are no UTF-8, halves of a pair of UTF-16 units,
/// and control characters within a text.
///
/// Each costs itself, not the object around it.
struct MendedJSON {
  /// The JSON with each such character in a form that is allowed.
  let data: Data
  /// Whether some characters became U+FFFD; a control character stays what it is.
  let hasReplacements: Bool

  init(_ irregular: Data) {
    let bytes = Array(String(decoding: irregular, as: UTF8.self).utf8)
    var hasReplacements = !irregular.elementsEqual(bytes)
    var mended: [UInt8] = []
    mended.reserveCapacity(bytes.count)
    var isInText = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      var count = 1
      if byte == UInt8(ascii: "\"") {
        isInText.toggle()
      } else if isInText, byte < 0x20 {
        mended += String(format: "\\u%04x", UInt32(byte)).utf8
        index += 1
        continue
      } else if isInText, byte == UInt8(ascii: "\\") {
        count = 2
        if let unit = Self.unit(bytes, at: index) {
          count = 6
          if UTF16.isLeadSurrogate(unit), let next = Self.unit(bytes, at: index + 6),
            UTF16.isTrailSurrogate(next)
          {
            count = 12
          } else if UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit) {
            hasReplacements = true
            mended += "\u{FFFD}".utf8
            index += count
            continue
          }
        }
      }
      let end = min(index + count, bytes.count)
      mended += bytes[index..<end]
      index = end
    }
    data = Data(mended)
    self.hasReplacements = hasReplacements
  }

  /// Reads the number in `\u263a`; `nil` for anything else.
  private static func unit(_ bytes: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
  }
}
