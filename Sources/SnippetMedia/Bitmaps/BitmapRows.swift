internal import Foundation
internal import SnippetStorage

/// The pixels of a BMP that stand in rows, one after the other.
struct BitmapRows {
  private let file: Data
  private let header: BitmapHeader
  private var colors: BitmapColors
  private let storedByteCount: Int
  private let rowByteCount: Int

  /// Finds the rows.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - header: What it says of itself, of not more pixels than 2³².
  ///   - colors: What the numbers stand for.
  /// - Throws: ``MediaError/Code/undecodable`` when some are missing.
  init(_ file: Data, _ header: BitmapHeader, _ colors: BitmapColors) throws(MediaError) {
    self.file = file
    self.header = header
    self.colors = colors
    rowByteCount = (header.width * header.bitCount + 7) / 8
    storedByteCount = (rowByteCount + 3) / 4 * 4
    // What fills up the last row may be missing.
    let byteCount = (header.height - 1) * storedByteCount + rowByteCount
    guard byteCount <= file.count - header.pixelOffset else {
      throw MediaError(undecodable: "its pixels end early", .bmp)
    }
  }

  /// The same rows, with nothing said of transparency.
  private var opaque: Self {
    var rows = self
    rows.colors = colors.opaque
    return rows
  }

  /// The rows as a TIFF, with transparency where there is some.
  func tiff(_ room: BitmapRoom) throws(MediaError) -> Data {
    if colors.hasAlpha, try !isTransparent(room) { return try opaque.tiff(room) }
    let channelCount = colors.hasAlpha ? 4 : 3
    var tiff = PlainTIFF(try room.size(of: header, channelCount: channelCount))
    var stored = [UInt8](repeating: 0, count: rowByteCount)
    var row = [UInt8](repeating: 0, count: header.width * channelCount)
    var watch = room.watch
    for y in 0..<header.height {
      try watch.passed(header.width)
      read(y, into: &stored)
      convert(stored, to: &row)
      tiff.set(y, to: row)
    }
    return tiff.bytes
  }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - y: Which one, from the top of the picture.
  ///   - stored: Takes its bytes.
  private func read(_ y: Int, into stored: inout [UInt8]) {
    let place = header.isTopDown ? y : header.height - 1 - y
    let start = file.startIndex + header.pixelOffset + place * storedByteCount
    stored.withUnsafeMutableBytes { buffer in
      _ = file.copyBytes(to: buffer, from: start..<start + rowByteCount)
    }
  }

  private func convert(_ stored: [UInt8], to row: inout [UInt8]) {
    switch colors {
    case .palette(let palette): convert(stored, to: &row, palette)
    case .bytes(let bytes): convert(stored, to: &row, bytes)
    case .masks(let masks): convert(stored, to: &row, masks)
    }
  }

  private func convert(_ stored: [UInt8], to row: inout [UInt8], _ palette: BitmapPalette) {
    let bitCount = header.bitCount
    let mask = UInt8(truncatingIfNeeded: (1 << bitCount) - 1)
    var target = 0
    for x in 0..<header.width {
      let bit = x * bitCount
      let index = Int(stored[bit >> 3] >> UInt8(8 - bitCount - bit & 7) & mask) * 3
      row[target] = palette.bytes[index]
      row[target + 1] = palette.bytes[index + 1]
      row[target + 2] = palette.bytes[index + 2]
      target += 3
    }
  }

  private func convert(_ stored: [UInt8], to row: inout [UInt8], _ bytes: BitmapBytes) {
    var source = 0
    var target = 0
    for _ in 0..<header.width {
      row[target] = stored[source + bytes.red]
      row[target + 1] = stored[source + bytes.green]
      row[target + 2] = stored[source + bytes.blue]
      target += 3
      if let alpha = bytes.alpha {
        row[target] = stored[source + alpha]
        target += 1
      }
      source += bytes.pixelByteCount
    }
  }

  private func convert(_ stored: [UInt8], to row: inout [UInt8], _ masks: BitmapMasks) {
    var target = 0
    for x in 0..<header.width {
      let pixel = Self.pixel(stored, x, masks.pixelByteCount)
      row[target] = masks.red.value(of: pixel)
      row[target + 1] = masks.green.value(of: pixel)
      row[target + 2] = masks.blue.value(of: pixel)
      target += 3
      if let alpha = masks.alpha {
        row[target] = alpha.value(of: pixel)
        target += 1
      }
    }
  }

  private static func pixel(_ stored: [UInt8], _ x: Int, _ byteCount: Int) -> UInt32 {
    var pixel: UInt32 = 0
    for place in 0..<byteCount {
      pixel |= UInt32(stored[x * byteCount + place]) << UInt32(place * 8)
    }
    return pixel
  }

  /// Whether what is said of transparency is meant.
  ///
  /// Where every pixel would be invisible, the program that wrote them meant nothing by it; where
  /// none is transparent, nothing need be said.
  private func isTransparent(_ room: BitmapRoom) throws(MediaError) -> Bool {
    var stored = [UInt8](repeating: 0, count: rowByteCount)
    var watch = room.watch
    var (lowest, highest) = (UInt8.max, UInt8.min)
    for y in 0..<header.height {
      try watch.passed(header.width)
      read(y, into: &stored)
      for x in 0..<header.width {
        let alpha =
          switch colors {
          case .palette: UInt8.max
          case .bytes(let bytes): stored[x * bytes.pixelByteCount + (bytes.alpha ?? 0)]
          case .masks(let masks):
            masks.alpha?.value(of: Self.pixel(stored, x, masks.pixelByteCount)) ?? .max
          }
        lowest = min(lowest, alpha)
        highest = max(highest, alpha)
      }
      if lowest < .max, highest > 0 { return true }
    }
    return false
  }
}
