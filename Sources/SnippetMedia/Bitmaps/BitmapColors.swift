internal import Foundation
internal import SnippetStorage

/// What the numbers in a BMP stand for.
enum BitmapColors {
  /// They are places in a palette.
  case palette(BitmapPalette)
  /// Each of the colours has a byte of its own.
  case bytes(BitmapBytes)
  /// Each of the colours has some of the bits.
  case masks(BitmapMasks)

  /// Whether there is something that says how transparent a pixel is.
  var hasAlpha: Bool {
    switch self {
    case .palette: false
    case .bytes(let bytes): bytes.alpha != nil
    case .masks(let masks): masks.alpha != nil
    }
  }

  /// The same colours, with nothing said of transparency.
  var opaque: BitmapColors {
    switch self {
    case .palette: return self
    case .bytes(var bytes):
      bytes.alpha = nil
      return .bytes(bytes)
    case .masks(var masks):
      masks.alpha = nil
      return .masks(masks)
    }
  }
}

/// The colours that pixels choose from.
struct BitmapPalette {
  /// Red, green and blue of 256 colours, so that every pixel finds one: what the file has not is
  /// black.
  let bytes: [UInt8]

  /// Reads a palette.
  ///
  /// - Parameters:
  ///   - space: The bytes between the header and the pixels.
  ///   - entryByteCount: How many bytes a colour takes: blue, green, red, and maybe one for
  ///     nothing.
  ///   - announced: How many colours the header speaks of; zero for as many as there can be.
  ///   - maximum: How many there can be, at most 256.
  /// - Throws: ``MediaError/Code/undecodable`` when there is none.
  init(
    _ space: Data,
    entryByteCount: Int,
    announced: Int,
    atMost maximum: Int
  ) throws(MediaError) {
    let announced = announced == 0 ? maximum : announced
    let count = min(announced, maximum, space.count / entryByteCount)
    guard count > 0 else { throw MediaError(undecodable: "it has no palette", .bmp) }
    var bytes = [UInt8](repeating: 0, count: 256 * 3)
    for index in 0..<count {
      let entry = space.startIndex + index * entryByteCount
      bytes[index * 3] = space[entry + 2]
      bytes[index * 3 + 1] = space[entry + 1]
      bytes[index * 3 + 2] = space[entry]
    }
    self.bytes = bytes
  }
}

/// Where in the bytes of a pixel its colours are.
struct BitmapBytes: Hashable {
  var pixelByteCount: Int
  var red = 2
  var green = 1
  var blue = 0
  var alpha: Int?

  static let of24Bits = Self(pixelByteCount: 3)
  /// The fourth byte was to be zero, and is what many programs keep transparency in.
  static let of32Bits = Self(pixelByteCount: 4, alpha: 3)
}

/// Which bits of a pixel are which colour.
struct BitmapMasks {
  /// The bits of one colour.
  struct Mask {
    let bits: UInt32
    private let shift: UInt32
    private let maximum: UInt32
    // Of colours with few bits.
    private let table: [UInt8]

    /// Takes any bits; those of a colour that has none are always zero.
    init(_ bits: UInt32) {
      self.bits = bits
      let shift = bits == 0 ? 0 : UInt32(bits.trailingZeroBitCount)
      let maximum = bits >> shift
      self.shift = shift
      self.maximum = maximum
      table = maximum > 255 ? [] : (0...maximum).map { Self.scaled($0, maximum) }
    }

    /// The colour of a pixel, from 0 to 255.
    func value(of pixel: UInt32) -> UInt8 {
      let value = (pixel & bits) >> shift
      return table.isEmpty ? Self.scaled(value, maximum) : table[Int(value)]
    }

    private static func scaled(_ value: UInt32, _ maximum: UInt32) -> UInt8 {
      guard maximum > 0 else { return 0 }
      return UInt8((UInt64(value) * 255 + UInt64(maximum) / 2) / UInt64(maximum))
    }
  }

  var red: Mask
  var green: Mask
  var blue: Mask
  var alpha: Mask?
  let pixelByteCount: Int

  /// Five bits each; one is for nothing.
  static let of16Bits = Self(
    red: Mask(0x7C00),
    green: Mask(0x03E0),
    blue: Mask(0x001F),
    pixelByteCount: 2
  )

  /// The same, where each colour has a byte of its own.
  var bytes: BitmapBytes? {
    func place(_ mask: Mask) -> Int? {
      (0..<pixelByteCount).first { mask.bits == 0xFF << UInt32($0 * 8) }
    }
    guard let red = place(red), let green = place(green), let blue = place(blue) else { return nil }
    let alpha = alpha.map(place)
    // Of some bits only.
    if case .some(nil) = alpha { return nil }
    return BitmapBytes(
      pixelByteCount: pixelByteCount,
      red: red,
      green: green,
      blue: blue,
      alpha: alpha ?? nil
    )
  }
}

extension BitmapMasks {
  /// Reads the masks of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - offset: Where they begin.
  ///   - hasAlpha: Whether there is a fourth one.
  ///   - pixelByteCount: How many bytes a pixel takes.
  /// - Throws: ``MediaError/Code/undecodable`` when they leave nothing to be seen.
  init(
    _ file: Data,
    at offset: Int,
    hasAlpha: Bool,
    pixelByteCount: Int
  ) throws(MediaError) {
    red = Mask(try file.number(at: offset, as: UInt32.self))
    green = Mask(try file.number(at: offset + 4, as: UInt32.self))
    blue = Mask(try file.number(at: offset + 8, as: UInt32.self))
    let alpha = hasAlpha ? try file.number(at: offset + 12, as: UInt32.self) : 0
    self.alpha = alpha == 0 ? nil : Mask(alpha)
    self.pixelByteCount = pixelByteCount
    guard red.bits | green.bits | blue.bits != 0 else {
      throw MediaError(undecodable: "none of its bits are colours", .bmp)
    }
  }
}
