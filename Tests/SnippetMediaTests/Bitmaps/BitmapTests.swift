import Foundation
import SnippetMedia
import SnippetRecognition
import SnippetStorage
import SnippetTestSupport
import Testing

/// Pixels of BMP files by their headers, depths and colours.
@Suite(.enabled(if: MediaSupport.current.decodesImages), .timeLimit(.minutes(30)))
struct BitmapTests {
  /// What is shown is what was read, and both are what was wanted.
  private func expect(
    _ file: BitmapFile,
    shows wanted: Pixels,
    isOpaque: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let decoded = try DecodedBitmap.pixels(file.data)
    #expect(decoded.pixels == wanted, sourceLocation: sourceLocation)
    #expect(decoded.isOpaque == isOpaque, sourceLocation: sourceLocation)
    let thumbnail = try LibraryMedia()
      .thumbnail(of: MediaInput(file.data), as: .init(maximumPixelSize: 4_096)) { false }
    #expect(thumbnail.pixelWidth == wanted.width, sourceLocation: sourceLocation)
    #expect(thumbnail.pixelHeight == wanted.height, sourceLocation: sourceLocation)
    // Colours are multiplied by their transparency while a picture is reduced, and divided again.
    if isOpaque {
      #expect([UInt8](thumbnail.bytes) == wanted.bytes, sourceLocation: sourceLocation)
    }
  }

  private static func color(_ x: Int, _ y: Int) -> [UInt8] {
    [UInt8(x * 13), UInt8(y * 27), UInt8(x * 5 + y * 3), 255]
  }

  private static func number(_ color: [UInt8]) -> UInt32 {
    UInt32(color[0]) << 16 | UInt32(color[1]) << 8 | UInt32(color[2])
  }

  private static let picture = Pixels(width: 13, height: 7, color)

  private static func file(_ bitCount: UInt16, _ headerByteCount: Int = 40) -> BitmapFile {
    BitmapFile(headerByteCount: headerByteCount, width: 13, height: 7, bitCount: bitCount)
  }

  // MARK: - Headers

  @Test(arguments: [12, 40, 52, 56, 64, 108, 124], [24, 32] as [UInt16])
  func `each header of Windows and OS/2 is read`(headerByteCount: Int, bitCount: UInt16) throws {
    let file = Self.file(bitCount, headerByteCount)
      .filled { x, y in Self.number(Self.color(x, y)) }

    try expect(file, shows: Self.picture)
    let content = try MediaInput(file.data).recognized()
    #expect(content?.type == .bmp)
    #expect(content?.facts.pixelWidth == 13 && content?.facts.pixelHeight == 7)
  }

  @Test(arguments: [1, 4, 8, 16, 24, 32] as [UInt16])
  func `a negative height puts the first row on top`(bitCount: UInt16) throws {
    var upward = Self.file(bitCount)
    upward.palette = bitCount <= 8 ? [[1, 2, 3], [200, 100, 50]] : []
    var downward = upward
    downward.height = -7
    func number(_ x: Int, _ y: Int) -> UInt32 { UInt32((x + y * y) % 2) }

    let picture = try DecodedBitmap.pixels(upward.filled(number).data).pixels

    try expect(downward.filled(number), shows: picture)
    #expect(picture[0, 0] != picture[1, 0] && picture[0, 1] == picture[1, 0])
  }

  @Test func `a worker shows the same`() throws {
    let file = Self.file(24).filled { x, y in Self.number(Self.color(x, y)) }

    let thumbnail = try Decoder.workers()
      .thumbnail(of: MediaInput(file.data), as: .init(maximumPixelSize: 64)) { false }

    #expect([UInt8](thumbnail.bytes) == Self.picture.bytes)
  }

  @Test(arguments: [0, 1, 37, 4_096])
  func `the pixels are where the header says`(gapByteCount: Int) throws {
    var file = Self.file(24).filled { x, y in Self.number(Self.color(x, y)) }
    file.gapByteCount = gapByteCount

    try expect(file, shows: Self.picture)
  }

  @Test func `what fills up the last row may be missing`() throws {
    var file = Self.file(24).filled { x, y in Self.number(Self.color(x, y)) }
    // A row is of 39 bytes.
    file.pixels.removeLast()

    try expect(file, shows: Self.picture)
  }

  // MARK: - Palettes

  @Test(arguments: [1, 2, 4, 8] as [UInt16], [12, 40, 64, 108, 124])
  func `each depth chooses from its palette`(bitCount: UInt16, headerByteCount: Int) throws {
    let count = 1 << Int(bitCount)
    let palette = (0..<count).map { index -> [UInt8] in
      let tone = UInt8(index)
      return [tone, 255 - tone, tone &* 7]
    }
    func index(_ x: Int, _ y: Int) -> Int { (x * 31 + y * 57) % count }

    // Rows that end at any bit.
    for width in [1, 3, 4, 7, 8, 9, 31, 32, 33] {
      var file = Self.file(bitCount, headerByteCount)
      (file.width, file.palette) = (Int32(width), palette)
      let wanted = Pixels(width: width, height: 7) { x, y in palette[index(x, y)] + [255] }

      try expect(file.filled { x, y in UInt32(index(x, y)) }, shows: wanted)
    }
  }

  @Test(arguments: [0, 3, 256, 300, .max] as [UInt32])
  func `colours that a palette has not are black`(announcedCount: UInt32) throws {
    var file = Self.file(8)
    file.palette = [[10, 20, 30], [40, 50, 60], [70, 80, 90]]
    file.announcedColorCount = announcedCount
    let wanted = Pixels(width: 13, height: 7) { x, _ in
      let color = x < 3 ? file.palette[x] : [0, 0, 0]
      return color + [255]
    }

    try expect(file.filled { x, _ in UInt32(x) }, shows: wanted)
  }

  @Test func `fewer colours than there is room for are as many as announced`() throws {
    var file = Self.file(8)
    file.palette = [[10, 20, 30], [40, 50, 60], [70, 80, 90]]
    file.announcedColorCount = 2
    let wanted = Pixels(width: 13, height: 7) { x, _ in
      let color = x < 2 ? file.palette[x] : [0, 0, 0]
      return color + [255]
    }

    try expect(file.filled { x, _ in UInt32(x) }, shows: wanted)
  }

  @Test func `more colours than can be chosen are skipped`() throws {
    var file = Self.file(8)
    file.palette = (0..<300).map { index -> [UInt8] in
      [UInt8(index % 256), 9, UInt8(index / 256)]
    }
    file.announcedColorCount = 300
    let wanted = Pixels(width: 13, height: 7) { x, y in [UInt8(x * y), 9, 0, 255] }

    try expect(file.filled { x, y in UInt32(x * y) }, shows: wanted)
  }

  // MARK: - Bits

  @Test func `of 16 bits each colour has five, and one is for nothing`() throws {
    let wanted = Pixels(width: 13, height: 7) { x, y in
      let shares = [x * 2, y * 4, 31 - x].map { Double($0) / 31 }
      return shares.map { UInt8(($0 * 255).rounded()) } + [255]
    }

    for spare: UInt32 in [0, 0x8000] {
      let file = Self.file(16)
        .filled { x, y in spare | UInt32(x * 2) << 10 | UInt32(y * 4) << 5 | UInt32(31 - x) }
      try expect(file, shows: wanted)
    }
  }

  struct Masks: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bitCount: UInt16
    var masks: [UInt32]
  }

  @Test(
    arguments: [
      Masks(testDescription: "5-6-5", bitCount: 16, masks: [0xF800, 0x07E0, 0x001F]),
      Masks(testDescription: "5-5-5", bitCount: 16, masks: [0x7C00, 0x03E0, 0x001F]),
      Masks(testDescription: "4-4-4", bitCount: 16, masks: [0x0F00, 0x00F0, 0x000F]),
      Masks(testDescription: "1-9-2", bitCount: 16, masks: [0x8000, 0x01FF, 0x6000]),
      Masks(testDescription: "3-3-2", bitCount: 16, masks: [0x00E0, 0x001C, 0x0003]),
      Masks(testDescription: "red only", bitCount: 16, masks: [0xFFFF, 0, 0]),
      Masks(testDescription: "RGB", bitCount: 24, masks: [0xFF, 0xFF00, 0xFF_0000]),
      Masks(testDescription: "7-8-9", bitCount: 24, masks: [0xFE_0000, 0x01_FE00, 0x1FF]),
      Masks(testDescription: "BGRX", bitCount: 32, masks: [0xFF_0000, 0xFF00, 0xFF]),
      Masks(
        testDescription: "XBGR",
        bitCount: 32,
        masks: [0xFF00, 0xFF_0000, 0xFF00_0000]
      ),
      Masks(
        testDescription: "10-10-10",
        bitCount: 32,
        masks: [0x3FF0_0000, 0x000F_FC00, 0x0000_03FF]
      ),
      Masks(
        testDescription: "11-11-10",
        bitCount: 32,
        masks: [0xFFE0_0000, 0x001F_FC00, 0x0000_03FF]
      ),
      Masks(testDescription: "all of it", bitCount: 32, masks: [.max, .max, .max]),
      Masks(testDescription: "with gaps", bitCount: 32, masks: [0xF0F0_0000, 0x5500, 0xA1]),
    ],
    [40, 52, 56, 108, 124]
  )
  func `each colour has the bits that its mask says`(
    masks: Masks,
    headerByteCount: Int
  ) throws {
    var file = Self.file(masks.bitCount, headerByteCount)
    (file.compression, file.masks) = (3, masks.masks)
    func number(_ x: Int, _ y: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: x * 131 + y * 977 + 1) &* 0x9E37_79B1
    }
    func part(_ number: UInt32, _ mask: UInt32) -> UInt8 {
      guard mask != 0 else { return 0 }
      let shift = mask.trailingZeroBitCount
      let share = Double((number & mask) >> shift) / Double(mask >> shift)
      return UInt8((share * 255).rounded())
    }
    let wanted = Pixels(width: 13, height: 7) { x, y in
      masks.masks.map { part(number(x, y), $0) } + [255]
    }

    try expect(file.filled(number), shows: wanted)
  }

  // MARK: - Other pictures in a BMP

  @Test func `it can be decoded wherever pictures can`() {
    #expect(MediaSupport.current.decodableTypes.contains(.bmp))
  }

  @Test(arguments: [4, 5] as [UInt32])
  func `a JPEG or PNG in a BMP is shown`(compression: UInt32) throws {
    let picture =
      compression == 4 ? try DemoFile.bytes("mountain-lake.jpg") : Self.picture.opaquePNG
    var file = BitmapFile(width: 160, height: 120, bitCount: 0, compression: compression)
    file.pixels = [UInt8](picture)
    let media = LibraryMedia()
    let request = ThumbnailRequest(maximumPixelSize: 64)

    let shown = try media.thumbnail(of: MediaInput(file.data), as: request) { false }

    #expect(shown == (try media.thumbnail(of: MediaInput(picture), as: request) { false }))
  }
}
