import Foundation
import SnippetMedia
import SnippetRecognition
import SnippetTestSupport
import Testing

@Suite(.enabled(if: MediaSupport.current.decodesImages), .timeLimit(.minutes(30)))
struct ThumbnailTests {
  /// Blocks of sixteen pixels, which JPEG keeps whole: no two alike, so that no turn is lost.
  private static let blocks = Pixels(width: 64, height: 32) { x, y in
    [UInt8(40 + 50 * (x / 16)), UInt8(60 + 120 * (y / 16)), UInt8(30 * (x / 16 + y / 16)), 255]
  }

  private func jpeg(_ pixels: Pixels) throws -> Data {
    // An opaque PNG with an alpha channel would be encoded as WebP.
    let opaque = pixels.opaquePNG
    let request = ThumbnailRequest(maximumPixelSize: 4_096, isEncoded: true)
    let thumbnail = try LibraryMedia().thumbnail(of: MediaInput(opaque), as: request) { false }
    #expect(thumbnail.form == .jpeg)
    return thumbnail.bytes
  }

  private func pixels(
    _ bytes: Data,
    size: Int = 4_096,
    _ decoder: Decoder = .library
  ) throws -> Pixels {
    let thumbnail = try decoder.make()
      .thumbnail(of: MediaInput(bytes), as: ThumbnailRequest(maximumPixelSize: size)) { false }
    #expect(thumbnail.form == .rgba)
    let bytes = [UInt8](thumbnail.bytes)
    return Pixels(width: thumbnail.pixelWidth, height: thumbnail.pixelHeight) { x, y in
      let place = (y * thumbnail.pixelWidth + x) * 4
      return Array(bytes[place..<place + 4])
    }
  }

  @Test(arguments: Decoder.allCases)
  func `the pixels of a PNG come as they are`(decoder: Decoder) throws {
    let image = Pixels(width: 23, height: 17) { x, y in
      [UInt8(x * 11), UInt8(y * 15), UInt8(x * y % 256), 255]
    }

    #expect(try pixels(image.png, decoder) == image)
    #expect(try pixels(image.opaquePNG, decoder) == image)
  }

  @Test(arguments: Decoder.allCases)
  func `a byte order mark before a picture costs nothing`(decoder: Decoder) throws {
    let image = Pixels(width: 5, height: 4) { x, y in [UInt8(x * 50), UInt8(y * 60), 7, 255] }

    #expect(try pixels(Data([0xEF, 0xBB, 0xBF]) + image.png, decoder) == image)
  }

  @Test(arguments: Decoder.allCases)
  func `a raw picture is shown by its largest JPEG, turned as the camera was`(
    decoder: Decoder
  ) throws {
    let jpeg = try self.jpeg(Self.blocks)
    var file = RawPictureFile()
    let small = Pixels(width: 16, height: 16) { _, _ in [0, 0, 0, 255] }
    file.previews = [try self.jpeg(small), jpeg].map { [UInt8]($0) }
    let shown = try pixels(jpeg)

    for orientation in 1...8 {
      file.orientation = UInt16(orientation)
      let picture = try pixels(Data(file.bytes), decoder)
      #expect(picture == shown.displayed(orientation: orientation))
    }
  }

  @Test func `transparency stays`() throws {
    let image = Pixels(width: 16, height: 16) { x, y in
      [UInt8(x * 11), UInt8(y * 15), 200, UInt8(255 - x * 8)]
    }

    let shown = try pixels(image.png)

    for (place, (found, wanted)) in zip(shown.bytes, image.bytes).enumerated() {
      // Colours are multiplied by their transparency while a picture is reduced, and divided again.
      #expect(abs(Int(found) - Int(wanted)) <= (place % 4 == 3 ? 0 : 2))
    }
  }

  @Test(arguments: 1...8, Decoder.allCases)
  func `each orientation of EXIF is shown as it asks for, to the pixel`(
    orientation: Int,
    decoder: Decoder
  ) throws {
    let stored = try jpeg(Self.blocks)
    let reference = try pixels(stored).displayed(orientation: orientation)

    let turned = EXIFSegment.added(to: stored, orientation: orientation)

    #expect(try pixels(turned, decoder) == reference)
    #expect(Set(try (1...8).map { try pixels(stored).displayed(orientation: $0).bytes }).count == 8)
    let facts = try MediaInput(turned).recognized()?.facts
    #expect(facts?.pixelWidth == reference.width && facts?.pixelHeight == reference.height)
  }

  @Test(arguments: 1...8)
  func `each orientation is made smaller alike`(orientation: Int) throws {
    let stored = try jpeg(Self.blocks)
    let reference = try pixels(stored, size: 16).displayed(orientation: orientation)

    let turned = try pixels(EXIFSegment.added(to: stored, orientation: orientation), size: 16)

    #expect(turned.width == reference.width && turned.height == reference.height)
    let distance = zip(turned.bytes, reference.bytes).map { abs(Int($0) - Int($1)) }.max()
    // Rounding may go the other way when the other side is reduced first.
    #expect(try #require(distance) <= 3)
  }

  @Test(arguments: DemoFile.images, Decoder.allCases)
  func `each format gives a picture of the size asked for`(name: String, decoder: Decoder) throws {
    let media = decoder.make()
    let input = MediaInput(try DemoFile.bytes(name))
    let facts = try #require(try input.recognized()?.facts)
    let (width, height) = (try #require(facts.pixelWidth), try #require(facts.pixelHeight))

    for size in [1, 64, 128] {
      let thumbnail = try media.thumbnail(of: input, as: .init(maximumPixelSize: size)) { false }
      let longer = max(thumbnail.pixelWidth, thumbnail.pixelHeight)
      #expect(longer == min(size, max(width, height)))
      let exact = Double(min(width, height)) * Double(longer) / Double(max(width, height))
      #expect(abs(Double(min(thumbnail.pixelWidth, thumbnail.pixelHeight)) - exact) <= 1)
      #expect(thumbnail.bytes.count == thumbnail.pixelWidth * thumbnail.pixelHeight * 4)
      #expect(Set(thumbnail.bytes).count > 1)
    }
  }

  @Test func `no image is made larger`() throws {
    let image = Pixels(width: 5, height: 3) { x, y in [UInt8(x * 50), UInt8(y * 80), 9, 255] }

    let thumbnail = try pixels(image.png, size: 1_024)

    #expect(thumbnail.width == 5 && thumbnail.height == 3)
  }

  @Test func `what is kept is JPEG, and WebP with transparency`() throws {
    let media = LibraryMedia()
    let clear = Pixels(width: 8, height: 8) { x, _ in [200, 100, 50, UInt8(x * 30)] }
    let request = ThumbnailRequest(maximumPixelSize: 4, isEncoded: true)

    let opaque = try media.thumbnail(
      of: MediaInput(try DemoFile.bytes("mountain-lake.jpg")),
      as: request
    ) { false }
    let transparent = try media.thumbnail(of: MediaInput(clear.png), as: request) { false }

    #expect(opaque.form == .jpeg && opaque.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(transparent.form == .webP && transparent.bytes.starts(with: Data("RIFF".utf8)))
  }

  @Test func `the copy says nothing of where and when`() throws {
    let jpeg = EXIFSegment.added(
      to: try jpeg(Self.blocks),
      orientation: 1,
      takenAt: "2026:01:31 12:00:00"
    )
    let request = ThumbnailRequest(maximumPixelSize: 16, isEncoded: true)

    let copy = try LibraryMedia().thumbnail(of: MediaInput(jpeg), as: request) { false }

    #expect(jpeg.range(of: Data("2026:01:31".utf8)) != nil)
    #expect(copy.bytes.range(of: Data("2026:01:31".utf8)) == nil)
    #expect(copy.bytes.range(of: Data("Exif".utf8)) == nil)
  }

  @Test func `the date that a camera wrote is found`() throws {
    let jpeg = EXIFSegment.added(
      to: try jpeg(Self.blocks),
      orientation: 1,
      takenAt: "2026:01:31 12:34:56"
    )
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current

    let date = try #require(try MediaInput(jpeg).recognized()?.dates.best)

    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    #expect([parts.year, parts.month, parts.day] == [2026, 1, 31])
    #expect([parts.hour, parts.minute, parts.second] == [12, 34, 56])
  }

  @Test func `work that nobody waits for ends`() throws {
    let input = MediaInput(try DemoFile.bytes("mountain-lake.jpg"))

    #expect(throws: MediaError(.cancelled)) {
      try LibraryMedia().thumbnail(of: input, as: .init(maximumPixelSize: 64)) { true }
    }
  }
}
