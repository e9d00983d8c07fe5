import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// Raw pictures of cameras, which are shown by the JPEG in them.
struct RawHeaderTests {
  private func recognize(_ bytes: [UInt8]) throws -> RecognizedContent? {
    try ContentRecognizer.recognize(MemoryBytes(bytes))
  }

  private func file(_ change: (inout RawPictureFile) -> Void = { _ in }) -> [UInt8] {
    var file = RawPictureFile()
    file.previews = [Self.jpeg(64, 48)]
    change(&file)
    return file.bytes
  }

  @Test(
    arguments: [
      ("NIKON CORPORATION", .nef), ("SONY", .arw), ("SONY ", .arw),
    ] as [(String, ContentType)]
  )
  func `a raw picture has the size of the full picture`(maker: String, type: ContentType) throws {
    let found = try recognize(file { $0.maker = maker })
    #expect(found?.type == type)
    #expect(found?.facts == MediaFacts(pixelWidth: 4288, pixelHeight: 2844))
  }

  @Test func `a DNG is known by its version, whoever made the camera`() throws {
    let found = try recognize(file { ($0.maker, $0.isDNG) = ("Google", true) })
    #expect(found?.type == .dng)
    #expect(found?.facts == MediaFacts(pixelWidth: 4288, pixelHeight: 2844))
  }

  @Test(arguments: [(1, false), (3, false), (6, true), (8, true)] as [(UInt16, Bool)])
  func `the size is that of the upright picture`(orientation: UInt16, isTurned: Bool) throws {
    let found = try recognize(file { $0.orientation = orientation })
    #expect(found?.facts.pixelWidth == (isTurned ? 2844 : 4288))
    #expect(found?.facts.pixelHeight == (isTurned ? 4288 : 2844))
  }

  @Test func `the largest picture in it is the preview`() throws {
    let bytes = file { $0.previews = [Self.jpeg(16, 8), Self.jpeg(64, 48), Self.jpeg(32, 24)] }
    let preview = try #require(try RawPreview(of: MemoryBytes(bytes)))

    #expect(preview.size == (64, 48))
    #expect(Array(bytes[Int(preview.place.lowerBound)...].prefix(4)) == [0xFF, 0xD8, 0xFF, 0xC0])
  }

  @Test func `pixels that are coded without loss are no preview`() throws {
    let bytes = file { $0.previews = [Self.jpeg(16, 8), Self.jpeg(640, 480, marker: 0xC3)] }
    #expect(try RawPreview(of: MemoryBytes(bytes))?.size.width == 16)
    let none = file { $0.previews = [Self.jpeg(640, 480, marker: 0xC3)] }
    #expect(try recognize(none) == nil)
  }

  @Test func `a picture without a turn of its own gets that of the raw picture`() throws {
    let jpeg = Data(Self.jpeg(64, 48))
    let turned = try #require(try RawPreview(of: MemoryBytes(file { $0.orientation = 6 })))
    let facts = try recognize([UInt8](turned.file(jpeg)))?.facts
    #expect(facts == MediaFacts(pixelWidth: 48, pixelHeight: 64))

    let upright = try #require(try RawPreview(of: MemoryBytes(file())))
    #expect(upright.file(jpeg) == jpeg)
  }

  @Test func `a turn of its own counts`() throws {
    // Its EXIF block turns it.
    let bytes = file { $0.previews = [RealFiles.jpeg] }
    let preview = try #require(try RawPreview(of: MemoryBytes(bytes)))

    #expect(try recognize(bytes)?.facts == MediaFacts(pixelWidth: 2844, pixelHeight: 4288))
    #expect(preview.file(Data(RealFiles.jpeg)) == Data(RealFiles.jpeg))
  }

  @Test func `a RAF names its picture and its size`() throws {
    let (jpeg, jpegAt) = (Self.jpeg(64, 48), UInt32(160))
    let recordsAt = jpegAt + UInt32(jpeg.count)
    var bytes = ascii("FUJIFILMCCD-RAW 0201FF383501X-T3") + zeros(52)
    bytes += big(jpegAt) + big(UInt32(jpeg.count)) + big(recordsAt)
    bytes += zeros(Int(jpegAt) - bytes.count) + jpeg
    bytes += big(UInt32(2)) + big(UInt16(0x100)) + big(UInt16(4)) + zeros(4)
    bytes += big(UInt16(0x111)) + big(UInt16(4)) + big(UInt16(4160)) + big(UInt16(6240))

    let found = try recognize(bytes + zeros(100))
    #expect(found?.type == .raf)
    #expect(found?.facts == MediaFacts(pixelWidth: 6240, pixelHeight: 4160))
  }

  @Test func `directories that refer to each other end`() throws {
    var bytes = file()
    // The list of the first directory names it itself.
    let place = 8 + 2 + 5 * 12 + 8
    let list = Int(bytes[place]) | Int(bytes[place + 1]) << 8
    bytes.replaceSubrange(list..<list + 4, with: little(UInt32(8)))
    #expect(try recognize(bytes) == nil)
  }

  @Test func `whatever bytes are changed, a raw picture is recognized or refused`() throws {
    var random = SeededGenerator()
    let bytes = file { $0.previews = [Self.jpeg(16, 8), RealFiles.jpeg] }
    for _ in 0..<2_000 {
      var mutant = bytes
      for _ in 0..<(1 + random.below(4)) {
        mutant[random.below(400)] = UInt8(random.below(256))
      }
      if random.below(4) == 0 { mutant.removeLast(random.below(mutant.count)) }
      let source = MemoryBytes(mutant)
      let preview = try RawPreview(of: source)
      #expect(preview.map { $0.place.upperBound <= source.byteCount } ?? true)
      _ = try ContentRecognizer.recognize(source)
    }
  }

  /// The header of a JPEG of a size, with no picture behind it.
  private static func jpeg(_ width: UInt16, _ height: UInt16, marker: UInt8 = 0xC0) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, marker] + big(UInt16(11)) + [8] + big(height) + big(width)
      + [1, 1, 0x11, 0] + [0xFF, 0xD9]
  }
}
