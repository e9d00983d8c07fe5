import Foundation

/// The upper half of an encoding whose characters are one byte each, the lower half being ASCII.
struct SingleByteTable: CharacterDecoder, Sendable {
  private static let windows1252 = SingleByteTable(.windowsCP1252)
  private static let windows1250 = SingleByteTable(.windowsCP1250)
  private static let iso8859Part2 = SingleByteTable(.isoLatin2)
  private static let windows1254 = SingleByteTable(.windowsCP1254)
  private static let windows1251 = SingleByteTable(.windowsCP1251)
  private static let koi8R = SingleByteTable(String.Encoding(rawValue: 0x8000_0A02))
  private static let empty = SingleByteTable(scalars: [])

  private let scalars: [Unicode.Scalar?]

  /// The table of an encoding; one without characters for encodings of another structure.
  ///
  /// - Parameter encoding: The encoding.
  static func table(of encoding: TextEncoding) -> SingleByteTable {
    switch encoding {
    case .windows1252: windows1252
    case .windows1250: windows1250
    case .iso8859Part2: iso8859Part2
    case .windows1254: windows1254
    case .windows1251: windows1251
    case .koi8R: koi8R
    default: empty
    }
  }

  private init(scalars: [Unicode.Scalar?]) {
    self.scalars = scalars
  }

  private init(_ encoding: String.Encoding) {
    scalars = (0x80...0xFF).map { byte in
      String(data: Data([byte]), encoding: encoding)?.unicodeScalars.first
    }
  }

  /// The character that a byte stands for.
  ///
  /// - Parameter byte: The byte.
  /// - Returns: `nil` when the encoding has no character there.
  subscript(byte: UInt8) -> Unicode.Scalar? {
    guard byte >= 0x80 else { return Unicode.Scalar(byte) }
    let index = Int(byte - 0x80)
    return scalars.indices.contains(index) ? scalars[index] : nil
  }

  func next(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> DecodedCharacter {
    guard let scalar = self[bytes[index]] else { return .malformed(byteCount: 1) }
    return .scalar(scalar, byteCount: 1)
  }
}
