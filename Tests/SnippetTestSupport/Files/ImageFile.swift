package import Foundation

/// Pixels for a test to make and compare.
package struct Pixels: Equatable, Sendable {
  package var width: Int
  package var height: Int
  /// Red, green, blue and alpha.
  package var bytes: [UInt8]

  package init(width: Int, height: Int, _ color: (Int, Int) -> [UInt8]) {
    self.width = width
    self.height = height
    bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in color(x, y) } }
  }

  package subscript(x: Int, y: Int) -> [UInt8] {
    Array(bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4])
  }

  /// The visible picture when an image with one of EXIF's orientations is shown upright.
  package func displayed(orientation: Int) -> Pixels {
    let (width, height) = (width, height)
    let isTurned = orientation >= 5
    return Pixels(width: isTurned ? height : width, height: isTurned ? width : height) { x, y in
      switch orientation {
      case 2: self[width - 1 - x, y]
      case 3: self[width - 1 - x, height - 1 - y]
      case 4: self[x, height - 1 - y]
      case 5: self[y, x]
      case 6: self[y, height - 1 - x]
      case 7: self[width - 1 - y, height - 1 - x]
      case 8: self[width - 1 - y, x]
      default: self[x, y]
      }
    }
  }

  /// The pixels as a PNG with an alpha channel.
  package var png: Data {
    png(colorType: 6) { Array(bytes[$0 * width * 4..<($0 + 1) * width * 4]) }
  }

  /// The pixels as a PNG without one.
  package var opaquePNG: Data {
    png(colorType: 2) { y in (0..<width).flatMap { x in self[x, y].prefix(3) } }
  }

  /// The pixels as a TIFF in one strip, without compression.
  package var tiff: Data {
    let pixels = (0..<width * height).flatMap { bytes[$0 * 4..<$0 * 4 + 3] }
    // Tag, type, count and value of each entry.
    let entries: [(UInt16, UInt16, UInt32, UInt32)] = [
      (0x100, 4, 1, UInt32(width)), (0x101, 4, 1, UInt32(height)), (0x102, 3, 1, 8),
      (0x103, 3, 1, 1), (0x106, 3, 1, 2), (0x111, 4, 1, 8), (0x115, 3, 1, 3),
      (0x116, 4, 1, UInt32(height)), (0x117, 4, 1, UInt32(pixels.count)),
    ]
    var data = Array("II".utf8) + UInt16(42).littleEndianBytes
    data += UInt32(8 + pixels.count).littleEndianBytes + pixels
    data += UInt16(entries.count).littleEndianBytes
    for entry in entries {
      data += entry.0.littleEndianBytes + entry.1.littleEndianBytes
      data += entry.2.littleEndianBytes + entry.3.littleEndianBytes
    }
    return Data(data + [0, 0, 0, 0])
  }

  /// A PNG that any reader accepts: nothing is compressed, and no row is filtered.
  private func png(colorType: UInt8, _ row: (Int) -> [UInt8]) -> Data {
    var rows: [UInt8] = []
    for y in 0..<height { rows += [0] + row(y) }
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    while start < rows.count {
      let end = min(rows.count, start + 65_535)
      let count = UInt16(end - start)
      stream.append(end == rows.count ? 1 : 0)
      stream += count.littleEndianBytes + (~count).littleEndianBytes + rows[start..<end]
      start = end
    }
    stream += Self.adler32(rows).bigEndianBytes
    let header =
      UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [8, colorType, 0, 0, 0]
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      + Self.chunk("IHDR", header) + Self.chunk("IDAT", stream) + Self.chunk("IEND", [])
  }

  package static func chunk(_ name: String, _ content: [UInt8]) -> Data {
    let body = Array(name.utf8) + content
    return Data(UInt32(content.count).bigEndianBytes + body + crc32(body).bigEndianBytes)
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    let (low, high) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    return high << 16 | low
  }
}

/// A JPEG with an EXIF segment of our own.
package enum EXIFSegment {
  /// Puts a segment after the first marker of a JPEG that has none.
  ///
  /// - Parameters:
  ///   - jpeg: A JPEG.
  ///   - orientation: From 1 to 8.
  ///   - takenAt: The date in nineteen characters, in the form of EXIF.
  /// - Returns: The same picture with an orientation.
  package static func added(to jpeg: Data, orientation: Int, takenAt: String? = nil) -> Data {
    var directory: [UInt8] = []
    let entryCount: UInt16 = takenAt == nil ? 1 : 2
    directory += entryCount.littleEndianBytes
    directory += entry(0x0112, type: 3, count: 1, value: UInt32(orientation))
    if let takenAt {
      // After this directory, another one with the date, and after that the date.
      let start = UInt32(8 + 2 + 2 * 12 + 4)
      directory += entry(0x8769, type: 4, count: 1, value: start)
      directory += UInt32(0).littleEndianBytes + UInt16(1).littleEndianBytes
      directory += entry(0x9003, type: 2, count: 20, value: start + 2 + 12 + 4)
      directory += UInt32(0).littleEndianBytes + Array(takenAt.utf8) + [0]
    } else {
      directory += UInt32(0).littleEndianBytes
    }
    let body =
      Array("Exif\0\0II".utf8) + UInt16(42).littleEndianBytes + UInt32(8).littleEndianBytes
      + directory
    return jpeg.prefix(2) + Data([0xFF, 0xE1] + UInt16(body.count + 2).bigEndianBytes + body)
      + jpeg.dropFirst(2)
  }

  private static func entry(_ tag: UInt16, type: UInt16, count: UInt32, value: UInt32) -> [UInt8] {
    tag.littleEndianBytes + type.littleEndianBytes + count.littleEndianBytes
      + value.littleEndianBytes
  }
}

extension FixedWidthInteger {
  package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
  package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
