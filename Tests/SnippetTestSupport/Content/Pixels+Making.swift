import Foundation
package import SnippetMedia

/// Pictures of a few pixels, for drawings with a known result.
extension Pixels {
  package static let red: [UInt8] = [255, 0, 0, 255]
  package static let green: [UInt8] = [0, 255, 0, 255]
  package static let black: [UInt8] = [0, 0, 0, 255]
  package static let white: [UInt8] = [255, 255, 255, 255]
  package static let clear: [UInt8] = [0, 0, 0, 0]

  /// Two colours side by side.
  package static func halves(_ left: [UInt8], _ right: [UInt8], width: Int, height: Int) -> Pixels {
    Pixels(width: width, height: height) { x, _ in x < width / 2 ? left : right }
  }

  /// The pixels as from a decoder.
  package var thumbnail: Thumbnail? {
    Thumbnail(pixelWidth: width, pixelHeight: height, form: .rgba, bytes: Data(bytes))
  }
}
