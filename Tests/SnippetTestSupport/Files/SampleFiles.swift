package import Foundation

/// Files to import, of every kind that a store accepts.
package enum SampleFiles {
  /// A file whose name does not match its bytes.
  package struct Sample: Sendable {
    package var name: String
    package var mediaType: String
    package var bytes: Data
  }

  /// The folder of the package.
  package static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A file of the sample library that comes with the command.
  package static func demo(_ name: String) throws -> Data {
    try Data(contentsOf: package.appendingPathComponent("Sources/SnipCore/DemoLibrary/\(name)"))
  }

  /// Texts in several encodings, images and recordings of every format, under misleading names.
  package static func all() throws -> [Sample] {
    let text = "Grüße aus Köln: Äpfel, Öl und Übermut für fünf schöne Tage\n"
    let utf16 = Data([0xFF, 0xFE]) + (text.data(using: .utf16LittleEndian) ?? Data())
    return [
      Sample(name: "utf8.png", mediaType: "text/plain", bytes: Data(text.utf8)),
      Sample(name: "utf16.wav", mediaType: "text/plain", bytes: utf16),
      Sample(name: "shift-jis.gif", mediaType: "text/plain", bytes: try demo("haiku-ja.txt")),
      Sample(name: "png.txt", mediaType: "image/png", bytes: try demo("sunset-over-hills.png")),
      Sample(name: "jpeg.png", mediaType: "image/jpeg", bytes: try demo("mountain-lake.jpg")),
      Sample(name: "gif.mp3", mediaType: "image/gif", bytes: try demo("sailing-boat.gif")),
      Sample(name: "webp", mediaType: "image/webp", bytes: try demo("balloon-over-meadow.webp")),
      Sample(name: "bmp.txt", mediaType: "image/bmp", bytes: try demo("potted-cactus.bmp")),
      Sample(name: "tiff.doc", mediaType: "image/tiff", bytes: tiff),
      Sample(name: "heic.jpg", mediaType: "image/heic", bytes: Data(RealFiles.heic)),
      Sample(name: "wav.png", mediaType: "audio/wav", bytes: try demo("rising-arpeggio.wav")),
      Sample(name: "flac.mp3", mediaType: "audio/flac", bytes: try demo("evening-bell.flac")),
      Sample(name: "ogg.txt", mediaType: "audio/ogg", bytes: try demo("drum-pattern.ogg")),
      Sample(name: "mp3.txt", mediaType: "audio/mpeg", bytes: try demo("bird-chirp.mp3")),
      Sample(name: "aiff.md", mediaType: "audio/aiff", bytes: aiff),
      Sample(name: "caf.gif", mediaType: "audio/x-caf", bytes: Data(RealFiles.caf)),
      Sample(name: "m4a.txt", mediaType: "audio/mp4", bytes: Data(RealFiles.m4a)),
    ]
  }

  /// Writes all of them into a new folder.
  package static func write(to folder: URL) throws -> [Sample] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let samples = try all()
    for sample in samples {
      try sample.bytes.write(to: folder.appendingPathComponent(sample.name))
    }
    return samples
  }

  // MARK: - Formats that the sample library lacks

  /// One directory with a width of 3 and a height of 2.
  private static let tiff =
    Data("II*\0".utf8) + little(8, UInt32.self) + little(2, UInt16.self)
    + [(0x100, 3), (0x101, 2)].reduce(Data()) { data, entry in
      data + little(entry.0, UInt16.self) + little(4, UInt16.self) + little(1, UInt32.self)
        + little(entry.1, UInt32.self)
    } + little(0, UInt32.self)

  /// Half a second: 4,000 frames at a rate of 8,000, as an extended number of 80 bits.
  private static let aiff: Data = {
    let common =
      big(1, UInt16.self) + big(4000, UInt32.self) + big(8, UInt16.self)
      + Data([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0])
    let content =
      Data("AIFFCOMM".utf8) + big(common.count, UInt32.self) + common
      + Data("SSND".utf8) + big(4008, UInt32.self) + Data(count: 4008)
    return Data("FORM".utf8) + big(content.count, UInt32.self) + content
  }()

  private static func big<Number: FixedWidthInteger>(_ value: Int, _: Number.Type) -> Data {
    withUnsafeBytes(of: Number(value).bigEndian) { Data($0) }
  }

  private static func little<Number: FixedWidthInteger>(_ value: Int, _: Number.Type) -> Data {
    withUnsafeBytes(of: Number(value).littleEndian) { Data($0) }
  }
}
