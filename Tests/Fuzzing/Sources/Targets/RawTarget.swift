import Foundation

@testable import SnippetRecognition

extension FuzzTarget {
  /// Finds the picture within a raw picture of a camera.
  static let raw = FuzzTarget("raw") { bytes in
    let data = Data(bytes)
    let source = MemoryBytes(data: data)
    let content = try ContentRecognizer.recognize(source)
    guard let preview = try RawPreview(of: source) else {
      try require(content?.type.isRaw != true, "a raw picture has one to show")
      return
    }
    let place = preview.place
    try require(place.upperBound <= source.byteCount, "it is in the file: \(place)")
    try require(preview.pixelCount > 0, "it has pixels")
    let file = preview.file(data[Int(place.lowerBound)..<Int(place.upperBound)])
    try require(file.starts(with: [0xFF, 0xD8]), "it is a JPEG")
  }
}
