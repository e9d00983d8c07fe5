internal import Foundation
internal import SnippetStorage

/// What the headers of a BMP say, as far as its pixels need it.
///
/// Those of Windows in all their versions and those of OS/2 are known. Profiles and gammas of
/// colours, which versions 4 and 5 may have, are ignored: colours are taken as sRGB.
///
/// <https://learn.microsoft.com/windows/win32/gdi/bitmap-header-types>
struct BitmapHeader {
  /// How the pixels are written.
  enum Coding {
    /// One after the other, each row filled up to four bytes.
    case plain(BitmapColors)
    /// As runs of pixels that are alike, and others.
    case runs(BitmapColors)
    /// As a JPEG or PNG file.
    case embedded
  }

  let width: Int
  let height: Int
  /// Whether the first row stored is the upper one.
  let isTopDown: Bool
  /// How many bits a pixel takes.
  let bitCount: Int
  let coding: Coding
  /// Where in the file the pixels begin; within it.
  let pixelOffset: Int

  /// Reads the headers.
  ///
  /// - Parameter file: The whole file.
  /// - Throws: ``MediaError/Code/undecodable``; ``MediaError/Code/noDecoder`` for a coding that is
  ///   known and not read here.
  init(_ file: Data) throws(MediaError) {
    let byteCount = Int(try file.number(at: 14, as: UInt32.self))
    let pixelOffset = Int(try file.number(at: 10, as: UInt32.self))
    guard Self.byteCounts.contains(byteCount), pixelOffset >= 14 + byteCount,
      pixelOffset <= file.count
    else { throw MediaError(undecodable: "its header makes no sense", .bmp) }
    self.pixelOffset = pixelOffset

    if byteCount == Self.coreByteCount {
      width = Int(try file.number(at: 18, as: UInt16.self))
      height = Int(try file.number(at: 20, as: UInt16.self))
      isTopDown = false
      bitCount = Int(try file.number(at: 24, as: UInt16.self))
    } else {
      let height = try file.number(at: 22, as: Int32.self)
      width = Int(try file.number(at: 18, as: Int32.self))
      self.height = Int(height.magnitude)
      isTopDown = height < 0
      bitCount = Int(try file.number(at: 28, as: UInt16.self))
    }
    guard width > 0, height > 0 else { throw MediaError(undecodable: "it has no size", .bmp) }
    coding = try Self.coding(file, byteCount, bitCount, pixelOffset)
  }

  // OS/2 has those of 12 and 64 bytes.
  private static let byteCounts: Set = [coreByteCount, 40, 52, 56, os2ByteCount, 108, 124]
  private static let coreByteCount = 12
  private static let os2ByteCount = 64

  private static func coding(
    _ file: Data,
    _ byteCount: Int,
    _ bitCount: Int,
    _ pixelOffset: Int
  ) throws(MediaError) -> Coding {
    let compression =
      byteCount == coreByteCount ? 0 : try file.number(at: 30, as: UInt32.self)
    func palette(_ maskCount: Int = 0) throws(MediaError) -> BitmapColors {
      let isCore = byteCount == coreByteCount
      let announced = isCore ? 0 : try file.number(at: 46, as: UInt32.self)
      return .palette(
        try BitmapPalette(
          file[(file.startIndex + 14 + byteCount)..<(file.startIndex + pixelOffset)],
          entryByteCount: isCore ? 3 : 4,
          announced: Int(announced),
          atMost: 1 << bitCount
        )
      )
    }

    switch (compression, bitCount) {
    case (0, 1), (0, 2), (0, 4), (0, 8): return .plain(try palette())
    case (0, 16): return .plain(.masks(.of16Bits))
    case (0, 24): return .plain(.bytes(.of24Bits))
    case (0, 32): return .plain(.bytes(.of32Bits))
    case (1, 8), (2, 4): return .runs(try palette())
    case (4, 24) where byteCount == os2ByteCount: return .runs(.bytes(.of24Bits))
    case (3, 1) where byteCount == os2ByteCount: throw MediaError(noDecoderFor: .bmp)
    case (3, 16), (3, 24), (3, 32), (6, 16), (6, 24), (6, 32):
      // In headers of 40 bytes they follow; in others they are at the same place.
      let masks = try BitmapMasks(
        file,
        at: 54,
        hasAlpha: byteCount == 40 ? compression == 6 : byteCount >= 56 || compression == 6,
        pixelByteCount: bitCount / 8
      )
      return .plain(masks.bytes.map(BitmapColors.bytes) ?? .masks(masks))
    case (4, _), (5, _): return .embedded
    // Colours for printing.
    case (11...13, _): throw MediaError(noDecoderFor: .bmp)
    default: throw MediaError(undecodable: "its pixels have no coding that there is", .bmp)
    }
  }
}

extension Data {
  /// Reads a number of a file.
  ///
  /// - Parameters:
  ///   - offset: Where it begins; any number from zero on.
  ///   - type: Its width.
  /// - Returns: The number.
  /// - Throws: ``MediaError/Code/undecodable`` where the file has ended.
  func number<Number: FixedWidthInteger>(
    at offset: Int,
    as type: Number.Type
  ) throws(MediaError) -> Number {
    let size = Number.bitWidth / 8
    guard offset <= count - size else {
      throw MediaError(undecodable: "its header ends early", .bmp)
    }
    return self[(startIndex + offset)..<(startIndex + offset + size)].reversed()
      .reduce(0) { $0 << 8 | Number($1) }
  }
}
