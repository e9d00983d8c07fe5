/// A block of a picture that ImageMagick writes into a text of a PNG: its name, its size and its bytes
/// in hexadecimal digits, each on lines of their own.
enum WrittenBlock {
  case exif, xmp, iptc

  /// The keys of such texts, each with the NUL behind it.
  var keys: [StaticString] {
    switch self {
    case .exif: ["Raw profile type exif\0", "Raw profile type APP1\0"]
    case .xmp: ["Raw profile type xmp\0", "Raw profile type APP1\0"]
    case .iptc: ["Raw profile type iptc\0", "Raw profile type 8bim\0"]
    }
  }

  private static let packetMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// Decodes a text, or the beginning of a long one; `nil` if it holds another kind.
  func bytes(in text: [UInt8]) -> [UInt8]? {
    guard let bytes = Self.bytes(in: text) else { return nil }
    let isPacket = bytes.starts(with: Self.packetMark)
    switch self {
    case .exif:
      let isEXIF = ["Exif\0\0", "II", "MM"].contains { bytes.starts(with: $0.utf8) }
      return isEXIF ? bytes : nil
    case .xmp:
      if isPacket { return Array(bytes.dropFirst(Self.packetMark.count)) }
      return bytes.first == UInt8(ascii: "<") ? bytes : nil
    case .iptc: return bytes
    }
  }

  private static func bytes(in text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: 0x0A, maxSplits: 2)
    guard lines.count == 3,
      let byteCount = Int(String(decoding: lines[1].filter { $0 != 0x20 }, as: UTF8.self)),
      byteCount > 0
    else { return nil }
    var bytes: [UInt8] = []
    var upperHalf: UInt8?
    for character in lines[2] where bytes.count < byteCount {
      guard let value = Character(Unicode.Scalar(character)).hexDigitValue else { continue }
      if let upper = upperHalf {
        bytes.append(upper << 4 | UInt8(value))
        upperHalf = nil
      } else {
        upperHalf = UInt8(value)
      }
    }
    return bytes
  }
}
