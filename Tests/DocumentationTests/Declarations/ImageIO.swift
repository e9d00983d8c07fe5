#if !canImport(ImageIO)
import Foundation

/// The calls of ImageIO and Core Graphics that the samples make, declared as their documentation
/// does, for systems without them. They are compiled only.

typealias CFData = Data
typealias CFDictionary = [String: Any]
typealias CFMutableData = NSMutableData
typealias CFString = String

struct CGImage {
  var width: Int { 0 }
  var height: Int { 0 }
}

struct CGImageSource {}
struct CGImageDestination {}

let kCGImageSourceCreateThumbnailFromImageAlways = ""
let kCGImageSourceCreateThumbnailWithTransform = ""
let kCGImageSourceThumbnailMaxPixelSize = ""

func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
func CGImageSourceCreateThumbnailAtIndex(
  _ source: CGImageSource,
  _ index: Int,
  _ options: CFDictionary?
) -> CGImage? { nil }
func CGImageDestinationCreateWithData(
  _ data: CFMutableData,
  _ type: CFString,
  _ count: Int,
  _ options: CFDictionary?
) -> CGImageDestination? { nil }
func CGImageDestinationAddImage(
  _ destination: CGImageDestination,
  _ image: CGImage,
  _ properties: CFDictionary?
) {}
func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { false }

enum CGImageAlphaInfo: UInt32 {
  case noneSkipLast = 5
}

struct CGColorSpace {
  static let sRGB = ""
  init?(name: CFString) {}
}

struct CGContext {
  init?(
    data: UnsafeMutableRawPointer?,
    width: Int,
    height: Int,
    bitsPerComponent: Int,
    bytesPerRow: Int,
    space: CGColorSpace,
    bitmapInfo: UInt32
  ) {}
  func draw(_ image: CGImage, in rectangle: CGRect) {}
}
#endif
