/// The head of a frame of a FLAC recording whose frames have one size.
///
/// RFC 9639, section 9.1.
struct FLACFrame {
  private static let headByteCount = 16

  /// The number of the frame, from 0.
  let number: UInt64
  /// The number of samples of each channel, which is less in the last frame.
  let sampleCount: UInt64

  /// Parses the head; `nil` if no frame begins there.
  init?(_ bytes: ArraySlice<UInt8>) {
    var head = Array(bytes.prefix(Self.headByteCount))
    // A frame of silence may be shorter than the longest head.
    head += [UInt8](repeating: 0, count: Self.headByteCount - head.count)
    guard head[0] == 0xFF, head[1] == 0xF8,
      head[2] & 0x0F != 0x0F, head[3] >> 4 <= 10, head[3] & 1 == 0
    else { return nil }
    // The number is written as UTF-8 writes characters.
    let oneCount = (~head[4]).leadingZeroBitCount
    guard oneCount != 1, oneCount <= 6 else { return nil }
    var place = 4 + max(1, oneCount)
    var number = UInt64(head[4] & (0x7F >> UInt8(oneCount)))
    for byte in head[5..<place] {
      guard byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | UInt64(byte & 0x3F)
    }
    let size = head[2] >> 4
    switch size {
    case 0: return nil
    case 1: sampleCount = 192
    case 2...5: sampleCount = 576 << UInt64(size - 2)
    case 6:
      sampleCount = UInt64(head[place]) + 1
      place += 1
    case 7:
      sampleCount = (UInt64(head[place]) << 8 | UInt64(head[place + 1])) + 1
      place += 2
    default: sampleCount = 256 << UInt64(size - 8)
    }
    switch head[2] & 0x0F {
    case 12: place += 1
    case 13, 14: place += 2
    default: break
    }
    guard Self.checksum(head[..<place]) == head[place] else { return nil }
    self.number = number
  }

  /// Whether bytes begin with a whole frame: with the checksum at its end, that of all is zero.
  ///
  /// Anything may follow. A few beginnings of a frame have that sum by chance; those with fewer bytes
  /// than the smallest frame do not count.
  static func isWhole(_ bytes: ArraySlice<UInt8>, smallestByteCount: Int) -> Bool {
    var sum: UInt16 = 0
    for (index, byte) in bytes.enumerated() {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005 }
      if sum == 0, index + 1 >= smallestByteCount { return true }
    }
    return false
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for byte in bytes {
      sum ^= byte
      for _ in 0..<8 { sum = sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 0x07 }
    }
    return sum
  }
}
