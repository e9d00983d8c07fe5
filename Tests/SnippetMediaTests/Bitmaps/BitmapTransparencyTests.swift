import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

/// What a BMP says of transparency, and when that is meant.
@Suite(.enabled(if: MediaSupport.current.decodesImages), .timeLimit(.minutes(30)))
struct BitmapTransparencyTests {
  struct Transparency: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bitCount: UInt16 = 32
    var headerByteCount: Int
    var compression: UInt32
    var masks: [UInt32] = []
    var shift: UInt32 = 24
    var bits: UInt32 = 8
  }

  static let transparencies = [
    Transparency(testDescription: "a fourth byte", headerByteCount: 40, compression: 0),
    Transparency(
      testDescription: "a fourth mask behind the header",
      headerByteCount: 40,
      compression: 6,
      masks: [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
    ),
    Transparency(
      testDescription: "a fourth mask in the header",
      headerByteCount: 56,
      compression: 3,
      masks: [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
    ),
    Transparency(
      testDescription: "version 5, in another order",
      headerByteCount: 124,
      compression: 3,
      masks: [0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF],
      shift: 0
    ),
    Transparency(
      testDescription: "four bits",
      bitCount: 16,
      headerByteCount: 108,
      compression: 3,
      masks: [0x0F00, 0x00F0, 0x000F, 0xF000],
      shift: 12,
      bits: 4
    ),
    Transparency(
      testDescription: "two bits of 32",
      headerByteCount: 124,
      compression: 3,
      masks: [0x3FF0_0000, 0x000F_FC00, 0x0000_03FF, 0xC000_0000],
      shift: 30,
      bits: 2
    ),
  ]

  /// The thumbnail that is kept, and what each pixel's transparency is.
  private func alphas(
    _ transparency: Transparency,
    _ alpha: (Int, Int) -> UInt32
  ) throws -> (form: Thumbnail.Form, shown: [UInt8]) {
    var file = BitmapFile(
      headerByteCount: transparency.headerByteCount,
      width: 13,
      height: 7,
      bitCount: transparency.bitCount
    )
    (file.compression, file.masks) = (transparency.compression, transparency.masks)
    let bits = (UInt32(1) << transparency.bits) - 1
    file.fill { x, y in (alpha(x, y) & bits) << transparency.shift }
    let decoded = try DecodedBitmap.pixels(file.data)
    let media = LibraryMedia()
    let kept = try media.thumbnail(
      of: MediaInput(file.data),
      as: .init(maximumPixelSize: 64, isEncoded: true)
    ) { false }
    let shown = try media.thumbnail(of: MediaInput(file.data), as: .init(maximumPixelSize: 64)) {
      false
    }
    #expect(decoded.pixels.bytes.alphas == [UInt8](shown.bytes).alphas)
    return (kept.form, [UInt8](shown.bytes).alphas)
  }

  @Test(arguments: transparencies)
  func `transparency is where the file has it`(transparency: Transparency) throws {
    let bits = (UInt32(1) << transparency.bits) - 1

    let (form, shown) = try alphas(transparency) { x, y in UInt32(x + y * 13) }

    let wanted = (0..<UInt32(13 * 7)).map { place in
      let share = Double(place & bits) / Double(bits)
      return UInt8((share * 255).rounded())
    }
    #expect(form == .webP && shown == wanted)
  }

  @Test(arguments: transparencies, [0, .max] as [UInt32])
  func `what would be invisible, or is opaque, everywhere is opaque`(
    transparency: Transparency,
    alpha: UInt32
  ) throws {
    let (form, shown) = try alphas(transparency) { _, _ in alpha }

    #expect(form == .jpeg && Set(shown) == [255])
  }
}

extension [UInt8] {
  fileprivate var alphas: [UInt8] { stride(from: 3, to: count, by: 4).map { self[$0] } }
}
