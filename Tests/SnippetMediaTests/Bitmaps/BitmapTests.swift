import Foundation
import SnippetRecognition
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetMedia

/// Pixels of BMP files by their headers, depths, colours and runs.
@Suite(
  .enabled(if: MediaSupport.current.decodableTypes.contains(.bmp)),
  .timeLimit(.minutes(30))
)
struct BitmapTests {
  private func shown(_ file: Data, _ decoder: Decoder = .library) throws -> Pixels {
    let thumbnail = try decoder.make()
      .thumbnail(of: MediaInput(file), as: .init(maximumPixelSize: 4_096)) { false }
    let bytes = [UInt8](thumbnail.bytes)
    return Pixels(width: thumbnail.pixelWidth, height: thumbnail.pixelHeight) { x, y in
      let place = (y * thumbnail.pixelWidth + x) * 4
      return Array(bytes[place..<place + 4])
    }
  }

  private func failure(_ file: Data, _ limits: MediaLimits = MediaLimits()) -> MediaError.Code? {
    let error = #expect(throws: MediaError.self) {
      try LibraryMedia(limits: limits)
        .thumbnail(of: MediaInput(file), as: .init(maximumPixelSize: 64)) { false }
    }
    return error?.code
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

  private static func palette(_ count: Int) -> [[UInt8]] {
    (0..<count).map { [UInt8($0), UInt8(255 - $0), UInt8($0 / 2)] }
  }

  // MARK: - Headers

  @Test(arguments: [12, 40, 56, 64, 108, 124], Decoder.allCases)
  func `each header of Windows and OS/2 is read`(headerByteCount: Int, decoder: Decoder) throws {
    let file = Self.file(24, headerByteCount).filled { x, y in Self.number(Self.color(x, y)) }

    #expect(try shown(file.data, decoder) == Self.picture)
    let content = try MediaInput(file.data).recognized()
    #expect(content?.type == .bmp)
    #expect(content?.facts.pixelWidth == 13 && content?.facts.pixelHeight == 7)
  }

  @Test func `a negative height puts the first row on top`() throws {
    var file = Self.file(32)
    file.height = -7

    #expect(try shown(file.filled { Self.number(Self.color($0, $1)) }.data) == Self.picture)
  }

  @Test(arguments: [0, 1, 37, 4_096])
  func `the pixels are where the header says`(gapByteCount: Int) throws {
    var file = Self.file(24)
    file.gapByteCount = gapByteCount

    #expect(try shown(file.filled { Self.number(Self.color($0, $1)) }.data) == Self.picture)
  }

  // MARK: - Colours

  @Test(arguments: [1, 4, 8] as [UInt16], [12, 40, 64, 108, 124])
  func `each depth chooses from its palette`(bitCount: UInt16, headerByteCount: Int) throws {
    var file = Self.file(bitCount, headerByteCount)
    file.palette = Self.palette(1 << Int(bitCount))
    let mask = UInt32(1) << UInt32(bitCount) - 1
    func number(_ x: Int, _ y: Int) -> UInt32 { UInt32(x * 37 + y * 11) & mask }
    let wanted = Pixels(width: 13, height: 7) { file.palette[Int(number($0, $1))] + [255] }

    #expect(try shown(file.filled(number).data) == wanted)
  }

  @Test(
    arguments: [
      ([], [5, 5, 5]), ([0x7C00, 0x03E0, 0x001F], [5, 5, 5]),
      ([0xF800, 0x07E0, 0x001F], [5, 6, 5]),
      ([0x0F00, 0x00F0, 0x000F], [4, 4, 4]),
    ] as [([UInt32], [Int])]
  )
  func `of 16 bits each colour has its own`(masks: [UInt32], bits: [Int]) throws {
    var file = Self.file(16)
    (file.compression, file.masks) = (masks.isEmpty ? 0 : 3, masks)
    func part(_ x: Int, _ y: Int, _ color: Int) -> Int {
      (x * 5 + y * 3 + color * 7) % (1 << bits[color])
    }
    let wanted = Pixels(width: 13, height: 7) { x, y in
      (0..<3).map { color in
        UInt8((Double(part(x, y, color)) / Double(1 << bits[color] - 1) * 255).rounded())
      } + [255]
    }

    let filled = file.filled { x, y in
      (0..<3).reduce(UInt32(0)) { $0 << UInt32(bits[$1]) | UInt32(part(x, y, $1)) }
    }

    #expect(try shown(filled.data) == wanted)
  }

  @Test(
    arguments: [
      [0x00FF_0000, 0x0000_FF00, 0x0000_00FF], [0xFF00_0000, 0x00FF_0000, 0x0000_FF00],
      [0x0000_FF00, 0x00FF_0000, 0xFF00_0000], [0x0000_00FF, 0x0000_FF00, 0x00FF_0000],
    ] as [[UInt32]]
  )
  func `of 32 bits each colour is where its mask says`(masks: [UInt32]) throws {
    var file = Self.file(32)
    (file.compression, file.masks) = (3, masks)
    let filled = file.filled { x, y in
      zip(Self.color(x, y), masks).reduce(0) { number, part in
        number | UInt32(part.0) << UInt32(part.1.trailingZeroBitCount)
      }
    }

    #expect(try shown(filled.data) == Self.picture)
  }

  // MARK: - Transparency

  @Test func `transparency is where the file has it`() throws {
    var file = Self.file(32, 124)
    (file.compression, file.masks) = (3, [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000])
    let filled = file.filled { x, y in Self.number(Self.color(x, y)) | UInt32(255 - x * 8) << 24 }

    let pixels = try shown(filled.data)

    for x in 0..<13 { #expect(pixels[x, 3][3] == UInt8(255 - x * 8)) }
  }

  @Test(
    arguments: [
      [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000],
      [0x0000_00FF, 0x0000_FF00, 0x00FF_0000, 0xFF00_0000], [],
    ] as [[UInt32]],
    [0, 255] as [UInt32]
  )
  func `what would be invisible, or is opaque, everywhere is opaque`(
    masks: [UInt32],
    alpha: UInt32
  ) throws {
    var file = Self.file(32, 124)
    (file.compression, file.masks) = (masks.isEmpty ? 0 : 3, masks)
    let isReversed = masks.first == 0xFF
    let filled = file.filled { x, y in
      let number = Self.number(Self.color(x, y))
      return (isReversed ? number.byteSwapped >> 8 : number) | alpha << 24
    }

    #expect(try shown(filled.data) == Self.picture)
  }

  // MARK: - Runs

  @Test func `runs of 8 bits and of 4 bits are read, and pixels between them`() throws {
    var ofBytes = BitmapFile(width: 7, height: 2, bitCount: 8, compression: 1)
    ofBytes.palette = Self.palette(256)
    // The lower row first: four alike, three that differ; seven alike.
    ofBytes.pixels = [4, 9, 0, 3, 1, 2, 3, 0, 0, 0, 7, 200, 0, 0, 0, 1]
    var ofHalves = BitmapFile(width: 6, height: 1, bitCount: 4, compression: 2)
    ofHalves.palette = Self.palette(16)
    ofHalves.pixels = [6, 0x3C, 0, 0, 0, 1]
    let rows: [[Int]] = [[200, 200, 200, 200, 200, 200, 200], [9, 9, 9, 9, 1, 2, 3]]

    #expect(
      try shown(ofBytes.data)
        == Pixels(width: 7, height: 2) { x, y in ofBytes.palette[rows[y][x]] + [255] }
    )
    #expect(
      try shown(ofHalves.data)
        == Pixels(width: 6, height: 1) { x, _ in ofHalves.palette[x % 2 == 0 ? 3 : 12] + [255] }
    )
  }

  // MARK: - What is not shown

  @Test func `kinds that few programs write have no decoder`() {
    var print = Self.file(24)
    print.compression = 12
    var embedded = Self.file(0)
    (embedded.compression, embedded.pixels) = (5, [UInt8](Self.picture.opaquePNG))
    var ofTwoBits = Self.file(2)
    ofTwoBits.palette = Self.palette(4)
    var deep = Self.file(32, 124)
    (deep.compression, deep.masks) = (3, [0x3FF0_0000, 0x000F_FC00, 0x0000_03FF, 0])
    var ofColors = Self.file(24, 64)
    (ofColors.compression, ofColors.pixels) = (4, [13, 1, 2, 3, 0, 0, 0, 1])
    let old = Self.file(24, 52)
    let zeros = { (_: Int, _: Int) in UInt32(0) }

    for file in [
      print.filled(zeros), embedded, ofTwoBits.filled(zeros), deep.filled(zeros), ofColors,
      old.filled(zeros),
    ] {
      #expect(failure(file.data) == .noDecoder)
    }
  }

  @Test func `a picture that is cut short is shown as far as it goes`() throws {
    let whole = Self.file(24).filled { Self.number(Self.color($0, $1)) }.data

    for count in [30, 53, 60] {
      #expect(failure(whole.prefix(count)) == .undecodable, "\(count) bytes")
    }
    for count in [whole.count / 2, whole.count - 40] {
      let request = ThumbnailRequest(maximumPixelSize: 64)
      let picture = try LibraryMedia().thumbnail(of: MediaInput(whole.prefix(count)), as: request) {
        false
      }
      #expect(picture.pixelWidth > 1)
    }
  }

  @Test(arguments: [1 << 30, 1 << 20, 30_000] as [Int32])
  func `an enormous picture is refused before memory is taken`(size: Int32) {
    let file = BitmapFile(width: size, height: size, bitCount: 1, palette: Self.palette(2))

    #expect(failure(file.data) == .tooLarge)
  }

  @Test func `more memory than allowed is not taken`() {
    let file = BitmapFile(width: 400, height: 300, bitCount: 24).filled { _, _ in 0 }

    #expect(failure(file.data, MediaLimits(maximumMemoryByteCount: 1 << 20)) == .tooLarge)
  }

  @Test func `work that nobody waits for ends`() {
    let file = Self.file(24).filled { Self.number(Self.color($0, $1)) }

    #expect(throws: MediaError(.cancelled)) {
      try LibraryMedia().thumbnail(of: MediaInput(file.data), as: .init(maximumPixelSize: 64)) {
        true
      }
    }
  }
}
