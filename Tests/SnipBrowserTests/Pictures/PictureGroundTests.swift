import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

@testable import SnipBrowser

/// What stands behind pictures that are transparent in part.
struct PictureGroundTests {
  /// A disc in a colour upon nothing, with soft edges.
  private func disc(_ color: [UInt8]) throws -> Thumbnail {
    let pixels = Pixels(width: 32, height: 32) { x, y in
      let distance = (x - 16) * (x - 16) + (y - 16) * (y - 16)
      return Array(color.prefix(3)) + [UInt8(min(max(0, 150 - distance), 255))]
    }
    return try #require(pixels.thumbnail)
  }

  private func corner(_ picture: Thumbnail) -> [UInt8] { Array(picture.bytes.prefix(4)) }

  @Test func `a dark picture stands on a light ground, and a light one on a dark one`() throws {
    let dark = try disc([20, 10, 30]).onVisibleGround
    let light = try disc([240, 255, 250]).onVisibleGround

    #expect(corner(dark) == [0xDC, 0xDC, 0xDC, 255])
    #expect(corner(light) == [0x24, 0x24, 0x24, 255])
    for picture in [dark, light] {
      let alphas = stride(from: 3, to: picture.bytes.count, by: 4).map { picture.bytes[$0] }
      #expect(alphas.allSatisfy { $0 == 255 })
    }
  }

  @Test func `what is half there is half the ground`() throws {
    let pixels = Pixels(width: 2, height: 2) { x, _ in
      x == 0 ? Pixels.clear : [0, 0, 0, 128]
    }
    let picture = try #require(pixels.thumbnail).onVisibleGround

    #expect(Array(picture.bytes.prefix(8)) == [0xDC, 0xDC, 0xDC, 255, 110, 110, 110, 255])
  }

  @Test(arguments: [[200, 0, 0], [0, 0, 120], [128, 128, 128], [255, 255, 0]] as [[UInt8]])
  func `a colour that can be seen anywhere stands on the terminal's own`(color: [UInt8]) throws {
    let picture = try disc(color)

    #expect(picture.onVisibleGround == picture)
  }

  @Test func `an opaque picture stays as it is, and so does one that is not there`() throws {
    for color in [Pixels.black, Pixels.white, Pixels.clear] {
      let picture = try #require(Pixels(width: 8, height: 8) { _, _ in color }.thumbnail)
      #expect(picture.onVisibleGround == picture)
    }
    let file = try #require(
      Thumbnail(pixelWidth: 4, pixelHeight: 4, form: .jpeg, bytes: .init([1, 2, 3]))
    )
    #expect(file.onVisibleGround == file)
  }
}
