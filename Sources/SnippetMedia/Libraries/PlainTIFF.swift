internal import Foundation

/// An uncompressed TIFF, which passes pixels decoded elsewhere to libvips.
struct PlainTIFF {
  /// The number of pixels, and the size of each.
  struct Size {
    var width: Int
    var height: Int
    /// 3 for red, green and blue; 4 with transparency, not premultiplied.
    var channelCount: Int
  }

  /// The most bytes of pixels, because positions are numbers of 32 bits.
  static let maximumByteCount = 4_000_000_000

  /// The whole file; pixels that were not set are transparent or black.
  private(set) var bytes: Data
  private let pixelOffset: Int
  private let rowByteCount: Int

  /// Makes a picture without any pixels set.
  ///
  /// - Parameter size: The size, at least one pixel and within ``maximumByteCount``.
  init(_ size: Size) {
    rowByteCount = size.width * size.channelCount
    // Strips are read one by one, so none is large.
    let rowsPerStrip = min(size.height, max(1, Self.stripByteCount / rowByteCount))
    let stripCount = (size.height + rowsPerStrip - 1) / rowsPerStrip
    var directory = Directory(valueOffset: 8 + 2 + Self.maximumEntryCount * 12 + 4)
    let stripOffset =
      directory.valueOffset + size.channelCount * 2 + stripCount * 8
    pixelOffset = stripOffset
    let stripByteCount = rowsPerStrip * rowByteCount
    let byteCount = size.height * rowByteCount
    let starts = (0..<stripCount).map { UInt32(stripOffset + $0 * stripByteCount) }
    let counts = (0..<stripCount).map {
      UInt32(min(stripByteCount, byteCount - $0 * stripByteCount))
    }

    directory.add(0x100, UInt32(size.width))
    directory.add(0x101, UInt32(size.height))
    directory.add(0x102, Array(repeating: UInt16(8), count: size.channelCount))
    directory.add(0x103, UInt16(1))
    directory.add(0x106, UInt16(2))
    directory.add(0x111, starts)
    directory.add(0x115, UInt16(size.channelCount))
    directory.add(0x116, UInt32(rowsPerStrip))
    directory.add(0x117, counts)
    directory.add(0x11C, UInt16(1))
    if size.channelCount == 4 { directory.add(0x152, UInt16(2)) }

    // Zeroed memory takes no room until it is touched.
    bytes = Data(count: pixelOffset + byteCount)
    let head = directory.bytes
    bytes.withUnsafeMutableBytes { $0.copyBytes(from: head) }
  }

  private static let stripByteCount = 1 << 16
  private static let maximumEntryCount = 11

  /// Sets a row of pixels.
  ///
  /// - Parameters:
  ///   - y: The number of the row, from the top.
  ///   - row: The bytes of the whole row.
  mutating func set(_ y: Int, to row: [UInt8]) {
    precondition(row.count == rowByteCount, "a row has as many bytes as it has")
    let start = pixelOffset + y * rowByteCount
    bytes.withUnsafeMutableBytes { buffer in
      UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + row.count])
        .copyBytes(from: row)
    }
  }
}

/// The only directory of a TIFF, followed by the values that do not fit into it.
private struct Directory {
  let valueOffset: Int
  private var entryCount: UInt16 = 0
  private var entries = Data()
  private var values = Data()

  init(valueOffset: Int) {
    self.valueOffset = valueOffset
  }

  /// The beginning of the file, up to the last of the values.
  var bytes: Data {
    var bytes = Data("II*\0".utf8)
    bytes.append(UInt32(8))
    bytes.append(entryCount)
    bytes.append(entries)
    bytes.append(Data(count: valueOffset - bytes.count))
    return bytes + values
  }

  mutating func add(_ tag: UInt16, _ value: some FixedWidthInteger) {
    add(tag, [value])
  }

  mutating func add<Number: FixedWidthInteger>(_ tag: UInt16, _ numbers: [Number]) {
    entryCount += 1
    var data = Data()
    for number in numbers { data.append(number) }
    entries.append(tag)
    // Numbers of 16 or 32 bits.
    entries.append(UInt16(Number.bitWidth == 16 ? 3 : 4))
    entries.append(UInt32(numbers.count))
    if data.count <= 4 {
      entries.append(data + Data(count: 4 - data.count))
    } else {
      entries.append(UInt32(valueOffset + values.count))
      values.append(data)
    }
  }
}

extension Data {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
