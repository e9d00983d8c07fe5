import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

/// Pixels of BMP files that are written as runs.
@Suite(.enabled(if: MediaSupport.current.decodesImages), .seeded, .timeLimit(.minutes(30)))
struct BitmapRunTests {
  private static let palette = (0..<16).map { (index: UInt8) -> [UInt8] in
    [index * 16, index, 200]
  }

  private func file(
    _ bitCount: UInt16,
    _ width: Int32,
    _ height: Int32,
    _ pixels: [UInt8]
  ) -> BitmapFile {
    let isOS2 = bitCount == 24
    return BitmapFile(
      headerByteCount: isOS2 ? 64 : 40,
      width: width,
      height: height,
      bitCount: bitCount,
      compression: isOS2 ? 4 : bitCount == 8 ? 1 : 2,
      palette: isOS2 ? [] : Self.palette,
      pixels: pixels
    )
  }

  /// The places in the palette from the top, of which `nil` is transparent.
  private func expect(
    _ file: BitmapFile,
    shows rows: [[Int?]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wanted = Pixels(width: rows[0].count, height: rows.count) { x, y in
      rows[y][x].map { Self.palette[$0] + [255] } ?? [0, 0, 0, 0]
    }
    let decoded = try DecodedBitmap.pixels(file.data)
    #expect(decoded.pixels == wanted, sourceLocation: sourceLocation)
    #expect(decoded.isOpaque == !rows.joined().contains(nil), sourceLocation: sourceLocation)
    let shown = try LibraryMedia()
      .thumbnail(of: MediaInput(file.data), as: .init(maximumPixelSize: 4_096)) { false }
    // All is opaque or clear, which multiplying leaves as it is.
    #expect([UInt8](shown.bytes) == wanted.bytes, sourceLocation: sourceLocation)
  }

  @Test func `runs of 8 bits`() throws {
    let pixels: [UInt8] = [3, 5, 1, 6, 0, 0, 0, 4, 1, 2, 3, 4, 0, 0, 4, 9, 0, 1]

    try expect(file(8, 4, 3, pixels), shows: [[9, 9, 9, 9], [1, 2, 3, 4], [5, 5, 5, 6]])
  }

  @Test func `runs of 4 bits take two colours in turn`() throws {
    let pixels: [UInt8] = [
      5, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 0, 1, 0x80, 3, 0x9A, 1, 0xB0, 0, 1,
    ]

    try expect(
      file(4, 5, 3, pixels),
      shows: [[8, 9, 10, 9, 11], [3, 4, 5, 6, 7], [1, 2, 1, 2, 1]]
    )
  }

  @Test func `runs of 24 bits, which OS/2 has`() throws {
    let (a, b) = (Self.palette[3], Self.palette[4])
    var pixels: [UInt8] = [2] + a.reversed()
    pixels += [1] + b.reversed()
    pixels += [0, 0, 0, 3] + a.reversed()
    pixels += b.reversed() + b.reversed()
    pixels += [0, 0, 1]

    try expect(file(24, 3, 2, pixels), shows: [[3, 4, 4], [3, 3, 4]])
  }

  @Test func `other pixels than runs are filled up to even bytes`() throws {
    let pixels: [UInt8] = [0, 3, 1, 2, 3, 0xEE, 1, 4, 0, 1]

    try expect(file(8, 4, 1, pixels), shows: [[1, 2, 3, 4]])
  }

  @Test func `pixels that are skipped are transparent`() throws {
    // One, then two to the right and one up, then the end of a row, of two, of all.
    let pixels: [UInt8] = [1, 1, 0, 2, 2, 1, 1, 2, 0, 0, 0, 0, 2, 3, 0, 1]

    try expect(
      file(8, 4, 5, pixels),
      shows: [
        [nil, nil, nil, nil], [3, 3, nil, nil], [nil, nil, nil, nil], [nil, nil, nil, 2],
        [1, nil, nil, nil],
      ]
    )
    try expect(file(8, 2, 1, [0, 1]), shows: [[nil, nil]])
  }

  @Test func `runs may go beyond the end of a row, and rows beyond the last`() throws {
    let pixels: [UInt8] = [9, 1, 0, 4, 9, 9, 9, 9, 0, 0, 1, 2, 0, 3, 3, 4, 5, 0, 0, 0, 9, 9, 9]

    try expect(file(8, 3, 2, pixels), shows: [[2, 3, 4], [1, 1, 1]])
  }

  @Test func `the end may be missing where nothing else is`() throws {
    try expect(file(8, 3, 2, [3, 1, 0, 0, 3, 2]), shows: [[2, 2, 2], [1, 1, 1]])
    try expect(file(8, 3, 2, [3, 1, 0, 0, 3, 2, 0]), shows: [[2, 2, 2], [1, 1, 1]])
    try expect(file(8, 3, 2, [3, 1, 0, 0, 3, 2, 0, 0]), shows: [[2, 2, 2], [1, 1, 1]])
  }

  @Test(
    arguments: [
      [], [3], [3, 1], [3, 1, 0], [3, 1, 0, 0], [3, 1, 0, 0, 2, 2], [3, 1, 0, 3, 1, 2],
      [3, 1, 0, 2], [3, 1, 0, 2, 0], [0, 2, 0, 1, 0, 3, 1, 2],
    ] as [[UInt8]]
  )
  func `pixels that are missing are no picture`(pixels: [UInt8]) throws {
    let error = #expect(throws: MediaError.self) {
      try DecodedBitmap.pixels(file(8, 3, 2, pixels).data)
    }

    #expect(error?.code == .undecodable)
    #expect(error?.reason == "its bytes are no sound BMP (its pixels end early)")
  }

  @Test(
    arguments: [[0, 2, 4, 0, 0, 1], [0, 2, 0, 3, 0, 1], [2, 1, 0, 2, 255, 255]] as [[UInt8]]
  )
  func `a place outside of the picture is none`(pixels: [UInt8]) throws {
    let error = #expect(throws: MediaError.self) {
      try DecodedBitmap.pixels(file(8, 3, 2, pixels).data)
    }

    #expect(error?.reason == "its bytes are no sound BMP (its pixels are outside of it)")
  }

  @Test func `a picture stored from the top stays the right way up`() throws {
    try expect(file(8, 2, -2, [2, 1, 0, 0, 2, 2, 0, 1]), shows: [[1, 1], [2, 2]])
  }

  @Test(arguments: [4, 8] as [UInt16])
  func `any picture written in any way comes back`(bitCount: UInt16) throws {
    var generator = SeededGenerator()
    for _ in 0..<60 {
      let (width, height) = (1 + generator.below(40), 1 + generator.below(12))
      var rows: [[Int?]] = []
      var pixels: [UInt8] = []
      for _ in 0..<height {
        var row: [Int?] = []
        while row.count < width {
          append(bitCount, min(width - row.count, 255), &row, &pixels, &generator)
        }
        rows.insert(row, at: 0)
        pixels += [0, 0]
      }
      // Transparent as a whole is a test of its own.
      pixels += [0, 1]

      try expect(file(bitCount, Int32(width), Int32(height), pixels), shows: rows)
    }
  }

  private func append(
    _ bitCount: UInt16,
    _ room: Int,
    _ row: inout [Int?],
    _ pixels: inout [UInt8],
    _ generator: inout SeededGenerator
  ) {
    let count = 1 + generator.below(room)
    let colors = (0..<count).map { _ in generator.below(16) }
    switch generator.below(3) {
    case 0 where count >= 3:
      row += colors
      var bytes = colors.map { UInt8($0) }
      if bitCount == 4 {
        bytes = stride(from: 0, to: count, by: 2).map { place in
          bytes[place] << 4 | (place + 1 < count ? bytes[place + 1] : 0)
        }
      }
      pixels += [0, UInt8(count)] + bytes + (bytes.count % 2 == 0 ? [] : [0xAA])
    case 1:
      row += Array(repeating: nil, count: count)
      pixels += [0, 2, UInt8(count), 0]
    default:
      let pair = bitCount == 8 ? [colors[0], colors[0]] : [colors[0], generator.below(16)]
      row += (0..<count).map { pair[$0 % 2] }
      pixels += [UInt8(count), bitCount == 8 ? UInt8(pair[0]) : UInt8(pair[0] << 4 | pair[1])]
    }
  }
}
