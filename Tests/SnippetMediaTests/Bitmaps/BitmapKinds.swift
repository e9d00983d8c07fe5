import Foundation

extension BitmapFile {
  /// One of each kind that there is, to be harmed.
  static let ofEveryKind: [Data] =
    (ofEveryDepth + ofEveryHeader + withMasks + withRuns).map(\.data)

  private static let colors = (0..<16).map { (index: UInt8) -> [UInt8] in
    [index * 16, 255 - index * 9, index]
  }

  private static func noise(_ x: Int, _ y: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: x * 77 + y) &* 0x9E37_79B1
  }

  private static let plain = BitmapFile(width: 19, height: 11, bitCount: 24)

  private static let ofEveryDepth = [1, 4, 8, 16, 24, 32].map { (bitCount: UInt16) in
    var file = plain
    file.bitCount = bitCount
    if bitCount <= 8 { file.palette = (0..<1 << Int(bitCount)).map { colors[$0 % 16] } }
    return file.filled { x, y in noise(x, y) & 15 }
  }

  private static let ofEveryHeader = [12, 56, 64, 108, 124].map { headerByteCount in
    var file = plain
    file.headerByteCount = headerByteCount
    return file.filled(noise)
  }

  private static let withMasks: [BitmapFile] = {
    var small = plain
    (small.bitCount, small.compression, small.height) = (16, 3, -11)
    small.masks = [0xF800, 0x07E0, 0x001F]
    var large = plain
    (large.bitCount, large.compression, large.headerByteCount) = (32, 3, 124)
    large.masks = [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000]
    return [small.filled(noise), large.filled(noise)]
  }()

  private static let withRuns: [BitmapFile] = {
    var ofBytes = plain
    (ofBytes.bitCount, ofBytes.compression) = (8, 1)
    ofBytes.palette = (0..<256).map { colors[$0 % 16] }
    for y: UInt8 in 0..<11 {
      ofBytes.pixels += [9, y, 0, 5, 1, 2, 3, 4, 5, 0, 5, 7, 0, 0]
    }
    ofBytes.pixels += [0, 1]
    var ofHalves = plain
    (ofHalves.bitCount, ofHalves.compression, ofHalves.palette) = (4, 2, colors)
    for y: UInt8 in 0..<5 { ofHalves.pixels += [19, y * 17, 0, 0, 0, 2, 3, 1] }
    ofHalves.pixels += [0, 1]
    return [ofBytes, ofHalves]
  }()
}
