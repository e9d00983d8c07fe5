import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

/// BMP files that say what cannot be, or end before they should.
@Suite(.enabled(if: MediaSupport.current.decodesImages), .seeded, .timeLimit(.minutes(30)))
struct DamagedBitmapTests {
  private func error(_ file: Data, limits: MediaLimits = MediaLimits()) -> MediaError? {
    do {
      _ = try DecodedBitmap.pixels(file, limits: limits)
      return nil
    } catch {
      return error as? MediaError
    }
  }

  private static let plain = BitmapFile(width: 9, height: 5, bitCount: 24)
    .filled { x, y in UInt32(x * 20 + y) }

  @Test(arguments: BitmapFile.ofEveryKind)
  func `cut short anywhere it fails, or lacks what shows nothing`(file: Data) throws {
    let media = LibraryMedia()
    let request = ThumbnailRequest(maximumPixelSize: 64)
    let whole = try media.thumbnail(of: MediaInput(file), as: request) { false }

    for count in 0..<file.count {
      do {
        let part = try media.thumbnail(of: MediaInput(file.prefix(count)), as: request) { false }
        #expect(file.count - count <= 20 && part == whole, "\(count) bytes of \(file.count)")
      } catch {
        #expect(error.code == .undecodable, "\(count) bytes of \(file.count)")
      }
    }
  }

  @Test(arguments: [Int32.max, 1 << 30, 1 << 20, 30_000])
  func `enormous pictures are refused before memory is taken`(size: Int32) {
    for (width, height) in [(size, size), (size, -size)] {
      for bitCount: UInt16 in [1, 8, 24, 32] {
        var file = Self.plain
        (file.width, file.height, file.bitCount) = (width, height, bitCount)
        file.palette = [[1, 2, 3]]
        #expect(error(file.data)?.code == .tooLarge)
        (file.bitCount, file.compression) = (8, 1)
        file.pixels = [0, 1]
        #expect(error(file.data)?.code == .tooLarge)
      }
    }
  }

  @Test(
    arguments: [(Int32.max, 1), (1, Int32.max), (1, .min), (Int32.max, -1)] as [(Int32, Int32)]
  )
  func `so are long ones, whatever is allowed`(width: Int32, height: Int32) {
    let limits = MediaLimits(
      maximumPixelCount: .max,
      maximumMemoryByteCount: .max
    )
    var file = Self.plain
    (file.width, file.height) = (width, height)

    #expect(error(file.data)?.code == .tooLarge)
    #expect(error(file.data, limits: limits)?.code == .undecodable)
    (file.bitCount, file.compression, file.palette) = (8, 1, [[1, 2, 3]])
    file.pixels = [0, 1]
    #expect(error(file.data, limits: limits)?.code == .tooLarge)
  }

  @Test(arguments: [(0, 5), (9, 0), (-9, 5), (.min, 5)] as [(Int32, Int32)])
  func `a picture without a size is none`(width: Int32, height: Int32) throws {
    var file = Self.plain
    (file.width, file.height) = (width, height)

    #expect(error(file.data)?.reason == "its bytes are no sound BMP (it has no size)")
  }

  @Test func `a header that makes no sense is none`() {
    for pixelOffset: UInt32 in [0, 13, 53, 1 << 16, .max] {
      var file = Self.plain
      file.pixelOffset = pixelOffset
      #expect(error(file.data)?.code == .undecodable, "\(pixelOffset)")
    }
    for headerByteCount: UInt32 in [0, 11, 13, 41, 1 << 20, .max] {
      var data = Self.plain.data
      data.replaceSubrange(14..<18, with: headerByteCount.littleEndianBytes)
      #expect(error(data)?.code == .undecodable, "\(headerByteCount)")
    }
    for bitCount: UInt16 in [0, 3, 5, 15, 48, 64, .max] {
      var file = Self.plain
      file.bitCount = bitCount
      #expect(error(file.data)?.code == .undecodable, "\(bitCount)")
    }
    #expect(error(Data())?.code == .undecodable)
  }

  @Test(
    arguments: [(1, 4), (1, 24), (2, 8), (3, 8), (3, 24), (6, 4), (7, 24), (.max, 24), (4, 0)]
      as [(UInt32, UInt16)]
  )
  func `a coding that does not go with the depth is none`(
    compression: UInt32,
    bitCount: UInt16
  ) {
    var file = Self.plain
    (file.compression, file.bitCount, file.palette) = (compression, bitCount, [[1, 2, 3]])
    // Masks of nothing.
    file.masks = [0, 0, 0, 0]

    #expect(error(file.data)?.code == .undecodable)
  }

  @Test(
    arguments: [(40, 11, 32), (124, 12, 8), (108, 13, 4), (64, 3, 1)] as [(Int, UInt32, UInt16)]
  )
  func `codings for print and fax have no decoder`(
    headerByteCount: Int,
    compression: UInt32,
    bitCount: UInt16
  ) {
    var file = Self.plain
    file.headerByteCount = headerByteCount
    (file.compression, file.bitCount) = (compression, bitCount)

    #expect(error(file.data)?.code == .noDecoder)
  }

  @Test func `a palette of no colours is none`() {
    var file = BitmapFile(width: 9, height: 5, bitCount: 8)
    file.announcedColorCount = .max
    file.fill { x, _ in UInt32(x) }

    #expect(error(file.data)?.reason == "its bytes are no sound BMP (it has no palette)")
  }

  @Test func `more memory than allowed is not taken`() {
    let limits = MediaLimits(maximumMemoryByteCount: 9 * 5 * 3 + Int64(Self.plain.data.count))
    let less = MediaLimits(maximumMemoryByteCount: limits.maximumMemoryByteCount - 1)

    #expect(error(Self.plain.data, limits: limits) == nil)
    #expect(error(Self.plain.data, limits: less)?.code == .tooLarge)
  }

  @Test func `work that nobody waits for, or that takes too long, ends`() throws {
    var large = BitmapFile(
      width: 2_000,
      height: 2_000,
      bitCount: 1,
      palette: [[1, 2, 3], [4, 5, 6]]
    )
    large.pixels = Array(repeating: 0xA5, count: 252 * 2_000)
    var runs = large
    (runs.bitCount, runs.compression) = (8, 1)
    runs.pixels = (0..<2_000).flatMap { _ in
      (0..<8).flatMap { _ in [250, 1] as [UInt8] } + [0, 0]
    }

    for file in [large, runs] {
      // Asked when it begins, and again while it goes on.
      for limit in [0, 1, 3] {
        var askedCount = 0
        let error = #expect(throws: MediaError.self) {
          try DecodedBitmap.pixels(file.data) {
            askedCount += 1
            return askedCount > limit
          }
        }
        #expect(error?.code == .cancelled && askedCount == limit + 2)
      }
      let error = error(file.data, limits: MediaLimits(timeLimit: .zero))
      #expect(error?.code == .timedOut)
    }
  }

  @Test func `thousands of damaged ones give a picture or a typed failure`() {
    let files = BitmapFile.ofEveryKind
    let limits = MediaLimits(maximumPixelCount: 100_000)
    var generator = SeededGenerator()
    var counts: [String: Int] = [:]

    for number in 0..<4_000 {
      var bytes = [UInt8](files[number % files.count])
      for _ in 0...generator.below(4) {
        let place = generator.below(generator.chance(0.7) ? min(140, bytes.count) : bytes.count)
        bytes[place] =
          generator.chance(0.5) ? UInt8(generator.below(256)) : generator.element(of: [0, 255])
      }
      if generator.chance(0.2) { bytes.removeLast(generator.below(bytes.count)) }
      // What the PNG in one of them becomes is the library's.
      let image = MediaInput(Data(bytes))
      do {
        _ = try LibraryMedia(limits: limits).thumbnail(of: image, as: .init(maximumPixelSize: 32)) {
          false
        }
        counts["done", default: 0] += 1
      } catch {
        counts[error.code.description, default: 0] += 1
      }
    }

    let expected: Set = ["done", "noDecoder", "tooLarge", "undecodable"]
    #expect(expected.isSuperset(of: counts.keys), "\(counts)")
    #expect(
      counts["done", default: 0] > 400 && counts["undecodable", default: 0] > 400,
      "\(counts)"
    )
  }
}
