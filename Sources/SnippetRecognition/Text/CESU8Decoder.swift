/// Decodes UTF-8 in which each half of a surrogate pair is a character of three bytes, and NUL may be
/// one of two.
///
/// Unicode Technical Report 26; Java calls it modified UTF-8.
struct CESU8Decoder: CharacterDecoder {
  func next(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> DecodedCharacter {
    let rest = bytes[index...].prefix(6)
    let lead = rest[index]
    if lead < 0x80 { return .scalar(Unicode.Scalar(lead), byteCount: 1) }
    if lead == 0xC0 {
      guard rest.count > 1 else { return .incomplete }
      return rest[index + 1] == 0x80 ? .scalar("\0", byteCount: 2) : .malformed(byteCount: 1)
    }
    if lead == 0xED, rest.count > 1, rest[index + 1] >= 0xA0 { return surrogates(rest) }
    let byteCount = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    let character = rest.prefix(byteCount)
    var decoder = UTF8()
    var iterator = character.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator),
      UTF8.width(scalar) == character.count
    else {
      let isCut = rest.count < byteCount && character.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
      return isCut && lead >= 0xC2 && lead < 0xF5 ? .incomplete : .malformed(byteCount: 1)
    }
    return .scalar(scalar, byteCount: character.count)
  }

  private func surrogates(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> DecodedCharacter {
    let bytes = Array(bytes)
    let pattern: [ClosedRange<UInt8>] = [
      0xED...0xED, 0xA0...0xAF, 0x80...0xBF, 0xED...0xED, 0xB0...0xBF, 0x80...0xBF,
    ]
    guard zip(bytes, pattern).allSatisfy({ $1.contains($0) }) else {
      return .malformed(byteCount: 1)
    }
    guard bytes.count == pattern.count else { return .incomplete }
    let high = UInt32(bytes[1] & 0x0F) << 6 | UInt32(bytes[2] & 0x3F)
    let low = UInt32(bytes[4] & 0x0F) << 6 | UInt32(bytes[5] & 0x3F)
    return Unicode.Scalar(0x10000 + high << 10 + low).map { .scalar($0, byteCount: 6) }
      ?? .malformed(byteCount: 1)
  }
}
