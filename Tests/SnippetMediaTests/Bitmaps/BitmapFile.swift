import Foundation
import SnippetTestSupport

/// A BMP that a test puts together field by field.
struct BitmapFile {
  /// Of the header behind the first fourteen bytes, which may be more than the fields here fill.
  var headerByteCount = 40
  var width: Int32
  /// Negative where the first row stored is the upper one.
  var height: Int32
  var bitCount: UInt16
  var compression: UInt32 = 0
  /// How many colours the header speaks of.
  var announcedColorCount: UInt32 = 0
  /// Red, green and blue of each.
  var palette: [[UInt8]] = []
  var masks: [UInt32] = []
  /// What stands between the header and the pixels, for nothing.
  var gapByteCount = 0
  /// Where the pixels begin, unless it is behind all that comes before them.
  var pixelOffset: UInt32?
  var pixels: [UInt8] = []

  var data: Data {
    var header = UInt32(headerByteCount).littleEndianBytes
    if headerByteCount == 12 {
      header += UInt16(truncatingIfNeeded: width).littleEndianBytes
      header += UInt16(truncatingIfNeeded: height).littleEndianBytes
      header += UInt16(1).littleEndianBytes + bitCount.littleEndianBytes
    } else {
      header += width.littleEndianBytes + height.littleEndianBytes
      header += UInt16(1).littleEndianBytes + bitCount.littleEndianBytes
      header += compression.littleEndianBytes + UInt32(pixels.count).littleEndianBytes
      header += UInt32(2_835).littleEndianBytes + UInt32(2_835).littleEndianBytes
      header += announcedColorCount.littleEndianBytes + UInt32(0).littleEndianBytes
      header += masks.flatMap(\.littleEndianBytes)
      header += Array(repeating: 0, count: max(0, headerByteCount - header.count))
    }
    for color in palette {
      header += [color[2], color[1], color[0]] + (headerByteCount == 12 ? [] : [0])
    }
    header += Array(repeating: 0x5A, count: gapByteCount)
    let start = pixelOffset ?? UInt32(14 + header.count)
    return Data(
      Array("BM".utf8) + UInt32(14 + header.count + pixels.count).littleEndianBytes
        + [0, 0, 0, 0] + start.littleEndianBytes + header + pixels
    )
  }

  /// Writes the pixels in rows.
  ///
  /// - Parameter number: What the pixel at a place, counted from the upper left, is.
  mutating func fill(_ number: (Int, Int) -> UInt32) {
    let size = Int(height.magnitude)
    let bitCount = Int(bitCount)
    pixels = (0..<size).flatMap { stored in
      let y = height < 0 ? stored : size - 1 - stored
      var bits: [UInt8] = []
      for x in 0..<Int(width) {
        let number = number(x, y)
        if bitCount < 8 {
          bits += (0..<bitCount).map {
            UInt8(truncatingIfNeeded: number >> (bitCount - 1 - $0) & 1)
          }
        } else {
          for place in 0..<bitCount / 8 {
            let byte = UInt8(truncatingIfNeeded: number >> (place * 8))
            bits += (0..<8).map { byte >> (7 - $0) & 1 }
          }
        }
      }
      while bits.count % 32 != 0 { bits.append(0) }
      return stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
      }
    }
  }

  /// The file with its pixels in rows.
  func filled(_ number: (Int, Int) -> UInt32) -> BitmapFile {
    var file = self
    file.fill(number)
    return file
  }
}
