import Foundation
import SnippetMedia
import SnippetTestSupport

/// Pictures of a few pixels, for drawings that are known.
extension Pixels {
  static let red: [UInt8] = [255, 0, 0, 255]
  static let green: [UInt8] = [0, 255, 0, 255]
  static let black: [UInt8] = [0, 0, 0, 255]
  static let white: [UInt8] = [255, 255, 255, 255]
  static let clear: [UInt8] = [0, 0, 0, 0]

  /// Two colours side by side.
  static func halves(_ left: [UInt8], _ right: [UInt8], width: Int, height: Int) -> Pixels {
    Pixels(width: width, height: height) { x, _ in x < width / 2 ? left : right }
  }

  /// The pixels as a decoder gives them.
  var thumbnail: Thumbnail? {
    Thumbnail(pixelWidth: width, pixelHeight: height, form: .rgba, bytes: Data(bytes))
  }
}
