import Foundation
import SnippetMedia

/// The ground behind a partly transparent picture.
enum PictureGround: UInt8 {
  /// Behind a picture that is entirely dark, which would be invisible on a dark terminal.
  case light = 0xDC
  /// Behind a picture that is entirely light, which would be invisible on a light terminal.
  case dark = 0x24

  /// Below this, every part of a colour is dark.
  private static let darkLimit: UInt8 = 80
  /// Above this, every part of a colour is light.
  private static let lightLimit: UInt8 = 175

  /// Chooses the ground that a picture needs; `nil` when it is opaque, or visible on any.
  ///
  /// - Parameter pixels: Red, green, blue and alpha of each pixel.
  init?(behind pixels: UnsafeRawBufferPointer) {
    var (opacity, dark, light) = (0, 0, 0)
    for start in stride(from: 0, to: pixels.count - 3, by: 4) {
      let alpha = Int(pixels[start + 3])
      guard alpha > 0 else { continue }
      opacity += alpha
      let (red, green, blue) = (pixels[start], pixels[start + 1], pixels[start + 2])
      if max(red, green, blue) < Self.darkLimit { dark += alpha }
      if min(red, green, blue) > Self.lightLimit { light += alpha }
    }
    // Count it as transparent only if a twentieth of the picture is, not just its edges.
    guard opacity > 0, opacity < pixels.count / 4 * 255 / 20 * 19 else { return nil }
    if dark > opacity / 10 * 9 {
      self = .light
    } else if light > opacity / 10 * 9 {
      self = .dark
    } else {
      return nil
    }
  }

  /// Blends a partly transparent colour with the ground.
  fileprivate func below(_ color: UInt8, _ alpha: UInt8) -> UInt8 {
    let sum = Int(color) * Int(alpha) + Int(rawValue) * (255 - Int(alpha))
    return UInt8((sum + 127) / 255)
  }
}

extension Thumbnail {
  /// This picture, in pixels, on the ground that makes it visible on any terminal.
  var onVisibleGround: Thumbnail {
    guard form == .rgba,
      let ground = bytes.withUnsafeBytes({ PictureGround(behind: $0) })
    else { return self }
    var pixels = [UInt8](bytes)
    for start in stride(from: 0, to: pixels.count - 3, by: 4) {
      let alpha = pixels[start + 3]
      for place in start..<start + 3 { pixels[place] = ground.below(pixels[place], alpha) }
      pixels[start + 3] = 255
    }
    return Thumbnail(
      pixelWidth: pixelWidth,
      pixelHeight: pixelHeight,
      form: .rgba,
      bytes: Data(pixels)
    ) ?? self
  }
}
