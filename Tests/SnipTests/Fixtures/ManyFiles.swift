import Foundation
import SnippetTestSupport

/// A folder of many little files and a few large ones, no two of them equal.
struct ManyFiles: Sendable {
  let folder: URL
  /// The bytes of each file by its path.
  let contents: [String: Data]

  /// Writes the files.
  init(
    in folder: URL,
    count: Int,
    largeCount: Int = 0,
    generator: inout SeededGenerator
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var contents: [String: Data] = [:]
    for number in 0..<count + largeCount {
      let isLarge = number % (1 + count / max(1, largeCount)) == 0 && largeCount > 0
      let size = isLarge ? 1_000_000 + generator.below(2_000_000) : 50 + generator.below(3000)
      let bytes: Data
      switch number % 3 {
      case _ where isLarge, 0: bytes = Samples.png + Samples.bytes(size, seed: UInt64(number))
      case 1: bytes = Samples.wav(frameCount: size) + Data("\(number)".utf8)
      default: bytes = Samples.bytes(size, seed: UInt64(number)).base64EncodedData()
      }
      // Long names fill a pipe with few lines.
      let name = "\(number)-\(String(repeating: "name of a file ", count: 5))"
      let file = folder.appendingPathComponent(name)
      try bytes.write(to: file)
      contents[file.path] = bytes
    }
    self.folder = folder
    self.contents = contents
  }
}
