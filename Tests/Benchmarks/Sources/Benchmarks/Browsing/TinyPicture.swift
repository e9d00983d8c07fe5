import Foundation

/// A PNG of a few pixels, made without a library: each number has its own.
struct TinyPicture {
  private static let width = 16
  private static let height = 12

  let number: Int

  /// The file.
  var bytes: Data {
    let size = Self.big(UInt32(Self.width)) + Self.big(UInt32(Self.height))
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk("IHDR", size + [8, 2, 0, 0, 0])
    file += Self.chunk("IDAT", Self.stored(pixels))
    file += Self.chunk("IEND", [])
    return Data(file)
  }

  /// The rows, each behind the number of its filter.
  private var pixels: [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<Self.height {
      bytes.append(0)
      for x in 0..<Self.width {
        let colors = [x * 16, y * 20 + number / 256, (x ^ y) * 16 + number]
        bytes += colors.map { UInt8(truncatingIfNeeded: $0) }
      }
    }
    return bytes
  }

  /// Bytes in the form of zlib, as they are.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    let counts = [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01, 0x01] + counts + bytes + big(b << 16 | a)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return big(UInt32(content.count)) + body + big(checksum(body))
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes { sum = sums[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
    return ~sum
  }

  private static let sums = (0..<256).map { number -> UInt32 in
    var sum = UInt32(number)
    for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    return sum
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
